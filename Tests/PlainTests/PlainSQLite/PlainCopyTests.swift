import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Copies of plain databases into new ones: whatever the schema, the same comes out.
@Suite struct PlainCopyTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// Statements that make a database, each with something of its own.
  static let schemas: [String] = [
    "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (NULL, x'00ff'), (2.5, ''), (9e999, x'')",
    "CREATE TABLE t (id INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (-5, 1), (0, 2), (7, 3)",
    "CREATE TABLE t (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES ('b', 1), ('a', 2), ('c', 3), (x'01', 4)",
    """
    CREATE TABLE t (a INT, b TEXT COLLATE NOCASE, v, PRIMARY KEY (b, a)) WITHOUT ROWID;
    INSERT INTO t VALUES (1, 'x', 1), (2, 'X', 2), (1, 'y', 3), (3, char(233), 4), (1.5, 'x', 5)
    """,
    """
    CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b); INSERT INTO t VALUES (5, 1), (900, 2);
    DELETE FROM t WHERE a = 900
    """,
    """
    CREATE TABLE t (a, rowid, _rowid_, oid); INSERT INTO t VALUES (1, 2, 3, 4), (1, 2, 3, 4), (5, 6, 7, 8)
    """,
    """
    CREATE TABLE "select" ("from ""x""y" INTEGER PRIMARY KEY, "ünï;code" TEXT DEFAULT 'it''s', [a b] BLOB);
    INSERT INTO "select" VALUES (1, 'ä', zeroblob(3)); CREATE INDEX "i x" ON "select" ("ünï;code" DESC)
    """,
    """
    CREATE TABLE t (a INTEGER PRIMARY KEY, b INT, c INT AS (b * 2), d TEXT GENERATED ALWAYS AS (b || 'x') STORED,
      CHECK (b <> 7)) STRICT;
    INSERT INTO t VALUES (1, 10), (2, NULL); CREATE INDEX i ON t (c) WHERE d IS NOT NULL;
    CREATE UNIQUE INDEX j ON t (abs(b))
    """,
    """
    CREATE TABLE p (id INTEGER PRIMARY KEY, q REFERENCES c (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p INT NOT NULL REFERENCES p ON DELETE CASCADE ON UPDATE SET NULL);
    INSERT INTO p VALUES (1, 2), (2, NULL), (3, 99); INSERT INTO c VALUES (1, 2), (2, 1), (3, 0), (4, 'none')
    """,
    """
    CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE VIEW v AS SELECT b FROM t;
    CREATE TABLE log (x); CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.b); END;
    CREATE TRIGGER s INSTEAD OF INSERT ON v BEGIN INSERT INTO t (b) VALUES (new.b); END;
    INSERT INTO t VALUES (1, 'one'), (5, 'two'); PRAGMA user_version = 77; PRAGMA application_id = 4660
    """,
    "CREATE TABLE t (v TEXT CHECK (json_valid(v))); INSERT INTO t VALUES ('[1]'), ('{}'); DELETE FROM t WHERE v = '[1]'",
    """
    CREATE TABLE t (a INTEGER PRIMARY KEY, b NOT NULL, CHECK (b > 0)); PRAGMA ignore_check_constraints = ON;
    INSERT INTO t VALUES (1, -1), (2, 5)
    """,
  ]

  @Test(arguments: schemas) func `a new database is what its source is`(_ sql: String) throws {
    try place.make("a.db", sql)
    let dump = try place.dump("a.db")
    let report = try place.copy()
    #expect(report.isVerified)
    #expect(try place.dump("b.db") == dump, "by pages")
    for batchSize: Int64 in [1, 2, 100] {
      let report = try place.copyRows(to: "c\(batchSize).db", batchSize: batchSize)
      #expect(report.isVerified)
      #expect(try place.dump("c\(batchSize).db") == dump, "row by row, \(batchSize) at a time")
    }
    for pragma in ["user_version", "application_id", "encoding", "page_size", "auto_vacuum"] {
      let value = try place.read("a.db", "PRAGMA \(pragma)")
      #expect(try place.read("b.db", "PRAGMA \(pragma)") == value)
      #expect(try place.read("c2.db", "PRAGMA \(pragma)") == value)
    }
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `texts keep their encoding`(_ encoding: String) throws {
    try place.make(
      "a.db",
      """
      PRAGMA encoding = '\(encoding)'; CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT);
      CREATE TABLE k (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO t VALUES (1, 'é' || char(0x1F373)), (2, ''), (3, 'a' || char(0) || 'b');
      INSERT INTO k VALUES ('ä', 'b'), ('x', 'y'), ('', char(0x1F373))
      """
    )
    try place.copy()
    try place.copyRows(to: "c.db", batchSize: 1)
    let values = "SELECT id, hex(s) FROM t; SELECT hex(a), hex(b) FROM k; PRAGMA encoding"
    let expected = try place.read("a.db", values)
    #expect(try place.read("b.db", values) == expected)
    #expect(try place.read("c.db", values) == expected)
  }

  @Test func `a condition chooses rows, and cuts what leads to others`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE country (code TEXT PRIMARY KEY, name) WITHOUT ROWID;
      CREATE TABLE city (id INTEGER PRIMARY KEY, country TEXT REFERENCES country);
      CREATE TABLE street (name TEXT PRIMARY KEY, city INT REFERENCES city);
      INSERT INTO country VALUES ('de', 'D'), ('fr', 'F');
      INSERT INTO city VALUES (1, 'de'), (2, 'fr'), (3, 'xx'); INSERT INTO street VALUES ('a', 1), ('b', 2)
      """
    )
    let report = try place.copy {
      $0.filters = [.init(entity: "country", expression: "code = 'de'")]
    }
    #expect(report.isVerified)
    #expect(report.entities.first { $0.name == "country" }?.filtered == 1)
    #expect(report.links.cut == 1)
    #expect(report.links.dangling == 1)
    #expect(try place.read("b.db", "SELECT * FROM city") == ["1,'de'", "2,NULL", "3,'xx'"])
    let other = try place.copy(to: "c.db") {
      $0.filters = [.init(entity: "city", expression: "id > 1")]
    }
    #expect(other.links.cut == 1)
    #expect(try place.read("c.db", "SELECT name, city FROM street") == ["'a',NULL", "'b',2"])
  }

  @Test func `what only its app can sort is copied as a whole, and else refused`() throws {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.create_collation('odd', lambda a, b: (a[::-1] > b[::-1]) - (a[::-1] < b[::-1]))
      if len(sys.argv) > 2:
          print(c.execute('SELECT group_concat(k) FROM (SELECT k FROM t ORDER BY k COLLATE odd)').fetchone()[0])
          print(c.execute('PRAGMA integrity_check').fetchone()[0])
      else:
          c.executescript("CREATE TABLE t (k TEXT COLLATE odd PRIMARY KEY, v) WITHOUT ROWID;"
              "CREATE TABLE n (id INTEGER PRIMARY KEY, s TEXT COLLATE odd); CREATE INDEX i ON n (s)")
          c.executemany('INSERT INTO t VALUES (?, ?)', [('%d' % (n * 7919 % 1000), n) for n in range(1000)])
          c.executemany('INSERT INTO n (s) VALUES (?)', [('%d' % (n * 104729 % 1000),) for n in range(1000)])
          c.commit()
      """
    #expect(try Program.run(["python3", "-c", script, place.path("a.db")]).status == 0)
    let expected = try Program.run(["python3", "-c", script, place.path("a.db"), "read"]).output
    #expect(expected.hasSuffix("ok\n"))
    #expect(try place.copy().isVerified)
    #expect(try Program.run(["python3", "-c", script, place.path("b.db"), "read"]).output == expected)
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .modelMismatch)
    #expect(
      error?.message.contains("sorted by “odd”, a collation that only its app defines, in t.k")
        == true
    )
    #expect(error?.remedy?.contains("the app itself") == true)
    #expect(throws: DecantError.self) { try place.copyRows(to: "c.db") }
  }

  @Test func `what columns lack in the destination is named`() throws {
    try place.make("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 2, 3)")
    try place.make("b.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a, c NOT NULL DEFAULT 'x')")
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("t.b") == true)
    try place.make("b.db", "ALTER TABLE t ADD COLUMN b")
    try place.append()
    #expect(try place.read("b.db", "SELECT id, a, b, c FROM t") == ["1,2,3,'x'"])
  }
}
