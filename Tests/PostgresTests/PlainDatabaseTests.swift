import Foundation
import TestSupport
import Testing

/// A plain database in PostgreSQL, and tables that decant did not make.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PlainDatabaseTests {
  private let place: PostgresFolder
  private var path: String { place.folder.path("plain.db") }

  init() throws { place = try PostgresFolder() }

  private static let awkward = """
    CREATE TABLE "User" (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL DEFAULT 'x', "order" INTEGER DEFAULT 5,
      active BOOLEAN DEFAULT 1, price DECIMAL(10,2), born DATE, pic BLOB, any, r REAL);
    INSERT INTO "User" VALUES (1, 'a', 3, 1, 1.5, '2020-01-01', x'0001', 7, 2.0),
      (5, 'é', NULL, 0, 3, NULL, NULL, 8, 2.25), (9, 'c', 9223372036854775807, NULL, 1e20, '2021', x'', NULL, NULL);
    DELETE FROM "User" WHERE ID = 9;
    CREATE TABLE note (k TEXT PRIMARY KEY, user INTEGER REFERENCES "User" (ID) ON DELETE CASCADE, body TEXT);
    INSERT INTO note VALUES ('z', 1, 'one'), ('a', 5, 'two'), ('m', NULL, 'three');
    CREATE TABLE pair (a INTEGER REFERENCES "User" (ID), b INTEGER REFERENCES "User" (ID), PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pair VALUES (1, 5), (5, 1);
    CREATE TABLE log (t TEXT, n INTEGER); INSERT INTO log VALUES ('a', 1), ('a', 1), ('b', 2);
    CREATE TABLE empty (x, y TEXT);
    CREATE TABLE void (k TEXT PRIMARY KEY, v); INSERT INTO void VALUES (NULL, 'a'), (NULL, 'b');
    CREATE INDEX note_user ON note (user); CREATE UNIQUE INDEX un ON "User" (Name);
    CREATE VIEW v AS SELECT * FROM note;
    CREATE TRIGGER tr AFTER INSERT ON log BEGIN UPDATE note SET body = 'x'; END;
    CREATE VIRTUAL TABLE search USING fts5 (body, content = 'note'); INSERT INTO search (search) VALUES ('rebuild');
    """

  @Test func `an awkward database comes back equal`() throws {
    _ = try Program.sqlite3(path, Self.awkward)
    try place.expect("copy", "plain.db", place.location)
    try place.expect("copy", place.location, "back.db")
    #expect(try place.expect("diff", "plain.db", "back.db").contains("equal"))
    for query in [
      "SELECT * FROM \"User\" ORDER BY 1", "SELECT * FROM sqlite_sequence", "SELECT * FROM log ORDER BY rowid",
      "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'search%' ORDER BY name",
      "SELECT rowid FROM search ('two')",
    ] {
      #expect(
        try Program.sqlite3(place.folder.path("back.db"), query, isQuoted: true)
          == Program.sqlite3(path, query, isQuoted: true))
    }
    #expect(try place.psql("INSERT INTO \"user\" (name) VALUES ('new') RETURNING id") == "10")
  }

  @Test func `what only the file has is named, and the time is a default in both`() throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, day TEXT DEFAULT current_date,
        flag BOOLEAN DEFAULT TRUE, n INTEGER DEFAULT (1 + 1) CHECK (n > 0), twice INTEGER AS (n * 2),
        name TEXT COLLATE NOCASE UNIQUE);
      INSERT INTO t (id, flag, n, name) VALUES (1, 1, 3, 'A');
      CREATE VIEW v AS SELECT 1; CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;
      """)
    let output = try place.expect("copy", "plain.db", place.location)
    #expect(
      output.contains(
        "not on the server, but made again by a copy back: the default of t.n, the conditions (CHECK) of t, "
          + "the generated column t.twice, the collation of t.name, the view v, the trigger g"), "\(output)")
    let made = try place.psql("INSERT INTO t (name) VALUES ('b') RETURNING flag, n IS NULL")
    #expect(made == "t|t")
    // The forms of SQLite's own words, by SQLite.
    for (column, form) in [("at", "%Y-%m-%d %H:%M:%S"), ("day", "%Y-%m-%d")] {
      let text = try place.psql("SELECT \(column) FROM t WHERE name = 'b'")
      #expect(try Program.sqlite3(path, "SELECT strftime('\(form)', '\(text)') = '\(text)'") == "1", "\(text)")
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), ('two'), (3)", "t.n has 2 integer, 1 text", 64),
    ("CREATE TABLE t (a); INSERT INTO t VALUES (1), (x'00')", "t.a has 1 integer, 1 blob", 64),
    ("CREATE VIRTUAL TABLE t USING fts5 (body); INSERT INTO t VALUES ('a')", "the virtual table t", 1),
    (
      "CREATE TABLE a (i INTEGER PRIMARY KEY); CREATE TABLE t (a INTEGER REFERENCES a); INSERT INTO t VALUES (7)",
      "1 row of t leads nowhere", 1
    ),
    (
      """
      CREATE TABLE a (i INTEGER PRIMARY KEY); CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER REFERENCES a);
      INSERT INTO t VALUES (3, 7), (4, 7), (6, 7), (9, 7), (10, NULL)
      """,
      "4 rows of t (the first have the keys 3, 4, 6) lead nowhere", 1
    ),
    ("CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'610062' AS TEXT))", "contains a NUL character", 1),
  ])
  func `what a server does not store is refused by name`(sql: String, message: String, status: Int) throws {
    _ = try Program.sqlite3(path, sql)
    try place.expect(["copy", "plain.db", place.location], Int32(status), message)
    #expect(try place.visible() == "")
  }

  @Test func `infinite numbers are named, and come back`() throws {
    let path = place.folder.path("plain.db")
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n DECIMAL, r REAL);
      INSERT INTO t VALUES (1, 9e999, 9e999), (2, 1.5, 1), (3, -9e999, -9e999)
      """)
    #expect(try place.expect("copy", "plain.db", place.location).contains("in a copy back: t.n (2)"))
    try place.expect("copy", place.location, "back.db")
    #expect(try place.expect("diff", "plain.db", "back.db").contains("equal"))
    _ = try Program.sqlite3(path, "DELETE FROM t WHERE id <> 2")
    let other = place.server.location(place.database, schema: "other")
    #expect(!(try place.expect("copy", "plain.db", other)).contains("infinite"))
  }

  @Test func `tables of others are read`() throws {
    try place.psql(
      """
      CREATE TABLE author (id serial PRIMARY KEY, name varchar(20) NOT NULL, tags text[], j jsonb, at timestamptz,
        amount numeric(30, 10));
      CREATE TABLE book (isbn uuid PRIMARY KEY, author_id int REFERENCES author ON DELETE CASCADE, d date, ok boolean,
        b bytea);
      INSERT INTO author VALUES (7, 'A', '{x,y}', '{"a":1}', '2020-01-02 03:04:05.678901+00',
        123456789012345678.0123456789);
      INSERT INTO book VALUES ('5099f3f1-814b-8e7f-8eae-14e5d367af9c', 7, '2020-02-03', true, '\\x00ff');
      """)
    let output = try place.expect("copy", place.location, "back.db")
    #expect(output.contains("author.tags (text[]), author.j (jsonb)"))
    // SQLite compares texts as texts: whoever writes a condition has to know.
    #expect(output.contains("read as texts, to keep all digits: author.amount"))
    #expect(
      try Program.sqlite3(
        place.folder.path("back.db"),
        "SELECT a.*, hex(b), ok, d FROM author AS a, book WHERE author_id = a.id",
        isQuoted: true
      )
        == "7,'A','{x,y}','{\"a\": 1}','2020-01-02T03:04:05.678901Z','123456789012345678.0123456789','00FF',1,'2020-02-03'"
    )
  }

  @Test(arguments: [
    ("double precision", "'NaN'"), ("real", "'NaN'"), ("timestamptz", "'infinity'"), ("date", "'-infinity'"),
  ])
  func `a value that SQLite cannot hold is refused`(type: String, value: String) throws {
    try place.psql("CREATE TABLE measured (id int PRIMARY KEY, v \(type)); INSERT INTO measured VALUES (1, \(value))")
    let run = try place.run(["copy", place.location, "back.db"])
    let isThere = FileManager.default.fileExists(atPath: place.folder.path("back.db"))
    guard run.status == 0 else {
      #expect(run.errors.contains("measured.v"), "\(run.errors)")
      return #expect(!isThere)
    }
    // What is a text there may say so.
    let kept = try Program.sqlite3(place.folder.path("back.db"), "SELECT v FROM measured")
    #expect(kept == value.replacing("'", with: ""))
  }

  /// The columns of the key, and those to which a foreign key refers.
  @Test(arguments: [
    ("PRIMARY KEY (b, a)", "a, b", 1), ("PRIMARY KEY (a, b)", "b, a", 1), ("UNIQUE (b, a)", "a, b", 1),
    ("PRIMARY KEY (a, b, c)", "a, b", 0),
  ])
  func `a foreign key may have the columns of a key in another order`(key: String, targets: String, count: Int) throws {
    let isSQLites = count > 0
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE p (a INT NOT NULL, b TEXT NOT NULL, c INT NOT NULL, \(key));
      CREATE TABLE c (id INTEGER PRIMARY KEY, a INT, b TEXT, FOREIGN KEY (\(targets)) REFERENCES p (\(targets)));
      INSERT INTO p VALUES (1, 'x', 0), (2, 'y', 0); \(isSQLites ? "INSERT INTO c VALUES (1, 1, 'x'), (2, 2, 'y')" : "");
      """)
    try place.expect("copy", "plain.db", place.location)
    #expect(try place.psql("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated") == "\(count)")
    if count > 0 {
      #expect(throws: (any Error).self) { try place.psql("INSERT INTO c (a, b) VALUES (1, 'y')") }
    }
    try place.expect("copy", place.location, "back.db")
    #expect(try place.expect("diff", "plain.db", "back.db").contains("equal"))
  }
}
