import Foundation
import TestSupport
import Testing

/// Rows that are added to plain tables on a server, and to tables that decant did not make.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct OtherTablesTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  private func make(_ name: String, _ sql: String) throws {
    _ = try Program.sqlite3(place.folder.path(name), sql)
  }

  private static let schema = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE, born TEXT, boss INTEGER REFERENCES person (id));
    CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE, name TEXT);
    """
  /// The same tables as another program makes them: foreign keys that cannot be deferred, a serial key, a domain.
  private static let other = """
    CREATE DOMAIN label AS varchar(8);
    CREATE TABLE person (id serial PRIMARY KEY, name label UNIQUE, born date, boss int REFERENCES person (id));
    CREATE TABLE pet (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner int NOT NULL REFERENCES person (id) ON DELETE CASCADE, name text);
    """
  private static let theirs = """
    INSERT INTO person VALUES (1, 'ann', '2001-02-03', 2), (2, 'bob', NULL, NULL), (3, 'cid', NULL, 1);
    INSERT INTO pet VALUES (1, 1, 'rex'), (2, 3, 'tom');
    """

  @Test(arguments: [
    ("id bigserial, at date NOT NULL, name text, PRIMARY KEY (id, at)", "the key of ev is (id, at)"),
    ("id text DEFAULT 'P-' || md5(random()::text) PRIMARY KEY, at date, name text", "the key of ev is (id)"),
    ("id uuid DEFAULT gen_random_uuid() PRIMARY KEY, at date, name text", "the key of ev is (id)"),
  ])
  func `a key that only the server would make is refused`(_ columns: String, _ message: String) throws {
    try place.psql("CREATE TABLE ev (\(columns)); INSERT INTO ev (at, name) VALUES ('2020-05-05', 'a')")
    try make(
      "s.db",
      "CREATE TABLE ev (at TEXT, name TEXT); INSERT INTO ev VALUES ('2021-01-01', 'b')")
    let before = try place.psql("SELECT * FROM ev")
    try place.expect(["merge", "s.db", place.location], 12, message)
    #expect(try place.psql("SELECT * FROM ev") == before)
  }

  @Test func `a serial key among others takes no numbers`() throws {
    try place.psql("CREATE TABLE ev (id bigserial, at date NOT NULL, name text, PRIMARY KEY (id, at))")
    try make(
      "s.db",
      "CREATE TABLE ev (id INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT); INSERT INTO ev VALUES (1, '2021-01-01', 'b')"
    )
    let run = try place.run(["merge", "s.db", place.location])
    #expect(run.status == 12, "\(run.output)\(run.errors)")
    #expect(try place.psql("SELECT count(*) || ',' || (SELECT is_called FROM ev_id_seq) FROM ev") == "0,false")
  }

  @Test func `NULL in an array is no text, whatever the setting of the database`() throws {
    let table = "CREATE TABLE t (n text PRIMARY KEY, tags text[]);"
    try place.psql(
      "CREATE SCHEMA a; CREATE SCHEMA b; SET search_path = a; \(table) INSERT INTO t VALUES ('x', '{y,NULL}')")
    try place.psql("SET search_path = b; \(table) ALTER DATABASE \(place.database) SET array_nulls = off")
    let (source, location) = (
      place.server.location(place.database, schema: "a"), place.server.location(place.database, schema: "b")
    )
    try place.expect("merge", source, location)
    #expect(try place.psql("SELECT n, tags[1], tags[2] IS NULL FROM b.t") == "x|y|t")
  }

  @Test(arguments: ["person: name = 'ann'", "pet: name = 'rex'"])
  func `an archive of a part has what belongs to it`(root: String) throws {
    try place.psql(
      Self.other + "INSERT INTO person (name) VALUES ('ann'), ('bob'); INSERT INTO pet (owner, name) VALUES (1, 'rex')")
    try place.expect("export", place.location, "part.decant", "--root", root)
    try place.expect("import", "part.decant", "part.db")
    #expect(
      try Program.sqlite3(
        place.folder.path("part.db"), "SELECT p.name, t.name FROM person p JOIN pet t ON owner = p.id")
        == "ann|rex")
    #expect(try Program.sqlite3(place.folder.path("part.db"), "SELECT count(*) FROM person") == "1")
  }

  @Test func `tables of another program get rows`() throws {
    try place.psql(
      Self.other
        + "INSERT INTO person (name, born) VALUES ('ann', '1999-01-01'); INSERT INTO pet (owner, name) VALUES (1, 'old')"
    )
    try make("theirs.db", Self.schema + Self.theirs)
    try place.expect("merge", "theirs.db", place.location, "--merge", "update", "--identity", "person: name")
    #expect(
      try place.psql("SELECT string_agg(name || ':' || coalesce(born::text, '-'), ',' ORDER BY name) FROM person")
        == "ann:2001-02-03,bob:-,cid:-")
    #expect(
      try place.psql(
        "SELECT string_agg(o.name || ':' || p.name, ',' ORDER BY p.name) FROM pet p JOIN person o ON o.id = p.owner")
        == "ann:old,ann:rex,cid:tom")
    #expect(try place.psql("SELECT b.name FROM person p JOIN person b ON b.id = p.boss WHERE p.name = 'ann'") == "bob")
    #expect(try place.psql("INSERT INTO person (name) VALUES ('dan') RETURNING id") != "")
    // The foreign keys are what they were.
    #expect(try place.psql("SELECT bool_or(condeferrable) FROM pg_constraint WHERE contype = 'f'") == "f")
  }

  @Test func `a value that a type cuts off is refused as a whole`() throws {
    try place.psql(Self.other)
    try make("theirs.db", Self.schema + "INSERT INTO person VALUES (1, 'a name that is too long', NULL, NULL)")
    try place.expect(
      ["copy", "theirs.db", place.location, "--append"], 1, "name has more characters than the 8 of its column")
    #expect(try place.psql("SELECT count(*) FROM person") == "0")
  }

  @Test(arguments: [("bigint", Int64.max), ("integer", Int64(Int32.max)), ("smallint", Int64(Int16.max))])
  func `keys that have come to their end are no keys of new rows`(type: String, end: Int64) throws {
    try place.psql(
      """
      CREATE TABLE item (id \(type) GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text);
      INSERT INTO item VALUES (\(end), 'last'); INSERT INTO item (name) VALUES ('first');
      CREATE TABLE bare (id \(type) PRIMARY KEY, name text); INSERT INTO bare VALUES (\(end), 'last')
      """)
    for table in ["item", "bare"] {
      try make(
        "\(table).db",
        "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO \(table) VALUES (1, 'new')")
      let copy = ["copy", "\(table).db", place.location, "--append"]
      let merge = ["merge", "\(table).db", place.location]
      // A merge takes free keys where no sequence hands them out.
      for run in table == "item" ? [copy, merge] : [copy] {
        try place.expect(run, 1, "the highest key to a lower one")
        try place.expect(run + ["--dry-run"], 1, "the highest key to a lower one")
      }
    }
    // The numbers of the sequence are still there.
    #expect(try place.psql("INSERT INTO item (name) VALUES ('second') RETURNING id") == "2")
    // Another key that is not too high.
    try place.psql("UPDATE item SET id = \(end - 1) WHERE name = 'last'")
    try place.expect("copy", "item.db", place.location, "--append")
    #expect(try place.psql("SELECT id FROM item WHERE name = 'new'") == "\(end)")
  }

  @Test func `a sequence that ends before its column is named`() throws {
    try place.psql(
      """
      CREATE SEQUENCE numbers AS integer MAXVALUE 100;
      CREATE TABLE item (id bigint PRIMARY KEY DEFAULT nextval('numbers'), name text); INSERT INTO item (name) VALUES ('a');
      INSERT INTO item VALUES (100, 'b')
      """)
    try make("item.db", "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'new')")
    try place.expect(["copy", "item.db", place.location, "--append"], 1, "the sequence public.numbers ends at 100")
    #expect(try place.psql("INSERT INTO item (name) VALUES ('c') RETURNING id") == "2")
    try place.psql("ALTER SEQUENCE numbers AS bigint NO MAXVALUE")
    try place.expect("copy", "item.db", place.location, "--append")
    #expect(try place.psql("SELECT id FROM item WHERE name = 'new'") == "101")
  }

  @Test func `a check of the server is named`() throws {
    try place.psql(Self.other + "ALTER TABLE pet ADD CONSTRAINT no_tom CHECK (name <> 'tom')")
    try make("theirs.db", Self.schema + Self.theirs)
    try place.expect(["copy", "theirs.db", place.location, "--append"], 1, "no_tom")
    #expect(try place.psql("SELECT count(*) FROM person") == "0")
  }

  @Test func `a trigger that changes rows is found`() throws {
    try make("mine.db", Self.schema)
    try make("theirs.db", Self.schema + Self.theirs)
    try place.expect("copy", "mine.db", place.location)
    try place.psql(
      """
      CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name = upper(NEW.name); RETURN NEW; END $$;
      CREATE TRIGGER shout BEFORE INSERT ON pet FOR EACH ROW EXECUTE FUNCTION shout()
      """)
    try place.expect(["copy", "theirs.db", place.location, "--append"], 1, "2 rows of pet differ on the server")
    #expect(try place.psql("SELECT count(*) FROM person") == "0")
    try place.psql("ALTER TABLE pet DISABLE TRIGGER shout")
    try place.expect("copy", "theirs.db", place.location, "--append")
  }

  @Test func `a generated column is left to the server`() throws {
    try place.psql(
      """
      CREATE TABLE item (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text,
        loud text GENERATED ALWAYS AS (upper(name)) STORED)
      """)
    try make(
      "theirs.db",
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, loud TEXT); INSERT INTO item VALUES (1, 'a', 'x')")
    try place.expect("copy", "theirs.db", place.location, "--append")
    #expect(try place.psql("SELECT name || loud FROM item") == "aA")
  }

  @Test func `rows that a policy hides are no basis of a change`() throws {
    try make("mine.db", Self.schema + Self.theirs)
    try place.expect("copy", "mine.db", place.location)
    let role = "hidden_\(place.database)"
    try place.psql(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA decant, public TO \(role); GRANT SELECT ON decant.store TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA public TO \(role); GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO \(role);
      ALTER TABLE pet ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON pet USING (id = 1)
      """)
    let hidden = place.server.location(place.database, user: role)
    try place.expect(["merge", "mine.db", hidden], 1, "row-level security")
  }

  /// A child has the default of its parent's column, and no key.
  @Test(arguments: [false, true], [[], ["--commit", "batch", "--batch-size", "1"]])
  func `numbers are not there twice in a table and its heir`(isKey: Bool, batches: [String]) throws {
    let other = try place.server.makeDatabase()
    let tables = """
      CREATE TABLE city (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
      CREATE TABLE capital (state text, UNIQUE (name)\(isKey ? ", PRIMARY KEY (id)" : "")) INHERITS (city);
      """
    try place.psql(tables + "INSERT INTO city (name) VALUES ('mine1'), ('mine2')")
    try place.server.psql(other, tables + "INSERT INTO capital (name, state) VALUES ('cap1', 's'), ('cap2', 's')")
    let merge = ["merge", place.server.location(other), place.location] + batches
    if isKey {
      let run = try place.run(merge)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    } else {
      try place.expect(merge, 1, "2 numbers of new rows of capital would be there twice in id of public.city")
    }
    #expect(try place.psql("SELECT count(*) = count(DISTINCT id) FROM city") == "t")
    #expect(try place.psql("SELECT count(*) FROM city") == (isKey ? "4" : "2"))
  }

  @Test func `unique values are exchanged`() throws {
    let schema = "CREATE TABLE code (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT UNIQUE);"
    try make("mine.db", schema + "INSERT INTO code VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'z')")
    try make("theirs.db", schema + "INSERT INTO code VALUES (1, 'a', 'y'), (2, 'b', 'x'), (3, 'c', 'w')")
    try place.expect("copy", "mine.db", place.location)
    let before = try place.psql(
      "SELECT string_agg(indexdef, ';' ORDER BY 1) FROM pg_indexes WHERE schemaname = 'public'")
    try place.expect("merge", "theirs.db", place.location, "--merge", "update", "--identity", "code: key")
    #expect(try place.psql("SELECT string_agg(key || value, ',' ORDER BY key) FROM code") == "ay,bx,cw")
    #expect(
      try place.psql("SELECT string_agg(indexdef, ';' ORDER BY 1) FROM pg_indexes WHERE schemaname = 'public'")
        == before)
  }

  @Test func `rows without keys are added, and not changed`() throws {
    let schema = "CREATE TABLE log (t TEXT, n INTEGER);"
    try make("mine.db", schema + "INSERT INTO log VALUES ('a', 1), ('a', 1)")
    try make("theirs.db", schema + "INSERT INTO log VALUES ('a', 1), ('b', 2)")
    try place.expect("copy", "mine.db", place.location)
    try place.expect("copy", "theirs.db", place.location, "--append")
    #expect(try place.psql("SELECT string_agg(t || n, ',' ORDER BY t, n) FROM log") == "a1,a1,a1,b2")
  }

  @Test func `rows that lead to each other are deleted and led elsewhere`() throws {
    let schema = """
      CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE entry (id INTEGER PRIMARY KEY, list INTEGER REFERENCES list (id) ON DELETE CASCADE, what TEXT UNIQUE);
      """
    let base =
      "INSERT INTO list VALUES (1, 'old'), (2, 'new'); INSERT INTO entry VALUES (1, 1, 'moved'), (2, 1, 'gone'), (3, 2, 'kept')"
    try make("base.db", schema + base)
    try make(
      "theirs.db",
      schema + base
        + "; UPDATE entry SET list = 2 WHERE id = 1; DELETE FROM entry WHERE id = 2; DELETE FROM list WHERE id = 1")
    try make("file.db", schema + base)
    try place.expect("copy", "base.db", place.location)
    try place.expect("merge", "theirs.db", "file.db", "--base", "base.db")
    try place.expect("merge", "theirs.db", place.location, "--base", "base.db")
    let facts = try Program.sqlite3(
      place.folder.path("file.db"), "SELECT group_concat(w) FROM (SELECT what || list AS w FROM entry ORDER BY 1)")
    #expect(try place.psql("SELECT string_agg(what || list, ',' ORDER BY what) FROM entry") == facts)
    #expect(
      try place.psql("SELECT count(*) FROM list")
        == Program.sqlite3(place.folder.path("file.db"), "SELECT count(*) FROM list"))
  }

  @Test func `rows that restrict the deletion of each other are removed`() throws {
    func schema(_ key: String) -> String {
      """
      CREATE TABLE partner (id \(key) PRIMARY KEY, name TEXT NOT NULL UNIQUE, company_id INTEGER);
      CREATE TABLE company (id \(key) PRIMARY KEY, name TEXT NOT NULL UNIQUE,
        partner_id INTEGER NOT NULL REFERENCES partner (id) ON DELETE RESTRICT);
      """
    }
    let link = "ALTER TABLE partner ADD FOREIGN KEY (company_id) REFERENCES company ON DELETE RESTRICT;"
    let plain = schema("INTEGER").replacing(
      "company_id INTEGER", with: "company_id INTEGER REFERENCES company (id) ON DELETE RESTRICT")
    let rows = """
      INSERT INTO partner (name) VALUES ('P'), ('Q'); INSERT INTO company (name, partner_id) VALUES ('C', 1);
      UPDATE partner SET company_id = 1 WHERE id = 1;
      """
    try make("base.db", plain + rows)
    try make(
      "theirs.db",
      plain + rows
        + "UPDATE partner SET company_id = NULL; DELETE FROM company; DELETE FROM partner WHERE name = 'P'")
    try place.psql(schema("serial") + link + rows)
    try place.expect("merge", "theirs.db", place.location, "--base", "base.db")
    #expect(try place.psql("SELECT string_agg(name, ',') || (SELECT count(*) FROM company) FROM partner") == "Q0")
  }

  @Test(arguments: [
    "other.ref (id int PRIMARY KEY, item int REFERENCES item ON DELETE CASCADE)",
    "other.ref (id int PRIMARY KEY, item int REFERENCES item ON DELETE SET NULL)",
    "other.ref (id int PRIMARY KEY, item int DEFAULT 2 REFERENCES item ON DELETE SET DEFAULT)",
    "other.ref (id int, item int REFERENCES item ON DELETE CASCADE) PARTITION BY HASH (id)",
    "later (id int PRIMARY KEY, item bigint REFERENCES item ON DELETE CASCADE)",
  ])
  func `rows of other tables are not deleted or changed with those of a merge`(table: String) throws {
    let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
    let items = "INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    try make("base.db", schema + items)
    try make("theirs.db", schema + items + "; DELETE FROM item WHERE id = 1; UPDATE item SET name = 'd' WHERE id = 3")
    let name = table.split(separator: " ")[0]
    try place.psql("CREATE SCHEMA other")
    // What is added to a schema that decant filled is not read, either.
    if name == "later" {
      try place.expect("copy", "base.db", place.location)
    } else {
      try place.psql("CREATE TABLE item (id int PRIMARY KEY, name text UNIQUE);" + items)
    }
    try place.psql("CREATE TABLE \(table)")
    if table.contains("PARTITION") {
      try place.psql("CREATE TABLE other.part PARTITION OF other.ref FOR VALUES WITH (modulus 1, remainder 0)")
    }
    try place.psql("INSERT INTO \(name) VALUES (1, 1), (2, 2), (3, 1)")
    let merge = ["merge", "theirs.db", place.location, "--base", "base.db"]
    let full = name == "later" ? "public.later" : "other.ref"
    #expect(
      try place.run(merge + ["--dry-run"]).output.contains("if the server would also delete or change rows of \(full)"))
    try place.expect(merge, 1, "the server would delete or change 2 rows of \(full)")
    #expect(try place.psql("SELECT string_agg(id::text || item, ',' ORDER BY id) FROM \(name)") == "11,22,31")
    #expect(try place.psql("SELECT string_agg(name, '' ORDER BY name) FROM item") == "abc")
    // Without such rows the merge goes on.
    try place.psql("UPDATE \(name) SET item = 2")
    try place.expect("merge", "theirs.db", place.location, "--base", "base.db")
    #expect(try place.psql("SELECT string_agg(name, '' ORDER BY name) FROM item") == "bd")
  }

  @Test func `rows of other tables do not follow a changed value`() throws {
    let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT UNIQUE);"
    try make("base.db", schema + "INSERT INTO item VALUES (1, 'k', 'a'), (2, 'l', 'b')")
    try make("theirs.db", schema + "INSERT INTO item VALUES (1, 'k', 'x'), (2, 'l', 'b')")
    try place.psql(
      """
      CREATE TABLE item (id int PRIMARY KEY, code text NOT NULL UNIQUE, name text UNIQUE);
      INSERT INTO item VALUES (1, 'k', 'a'), (2, 'l', 'b');
      CREATE SCHEMA other; CREATE TABLE other.ref (name text REFERENCES item (name) ON UPDATE CASCADE);
      INSERT INTO other.ref VALUES ('b'), ('a')
      """)
    try place.expect(
      ["merge", "theirs.db", place.location, "--base", "base.db", "--identity", "item: code"], 1,
      "the server would delete or change 1 row of other.ref, which leads")
    #expect(try place.psql("SELECT string_agg(name, '' ORDER BY name) FROM other.ref") == "ab")
    try place.psql("DELETE FROM other.ref WHERE name = 'a'")
    try place.expect("merge", "theirs.db", place.location, "--base", "base.db", "--identity", "item: code")
    #expect(try place.psql("SELECT name FROM item WHERE id = 1") == "x")
  }

  @Test(arguments: [false, true]) func `links of tables that only the destination has protect their targets`(
    isServer: Bool
  )
    throws
  {
    let book = "CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE);"
    let rows = "INSERT INTO book VALUES (1, 'b1'), (2, 'b2'), (3, 'b3');"
    let review =
      "CREATE TABLE review (id INTEGER PRIMARY KEY, book_id INTEGER, txt TEXT); INSERT INTO review VALUES (1, 2, 'r')"
    for name in ["base.db", "theirs.db"] { try make(name, book + rows) }
    try make("theirs.db", "DELETE FROM book WHERE id > 1")
    try make("mine.db", book + rows + review)
    if isServer { try place.psql(book + rows + review) }
    let mine = isServer ? place.location : "mine.db"
    let merge = ["merge", "theirs.db", mine, "--base", "base.db"]
    try place.expect(merge + ["--link", "reviews.book_id -> book"], 64, "there is no table reviews")
    try place.expect(merge + ["--leave-out", "book"], 64, "book is not a virtual table")
    let run = try place.run(merge + ["--link", "review.book_id -> book"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let books = "SELECT isbn FROM book ORDER BY 1"
    #expect(
      try (isServer ? place.psql(books) : Program.sqlite3(place.folder.path("mine.db"), books))
        .trimmingCharacters(in: .newlines) == "b1\nb2")
  }

  @Test func `a store with a model is no match for other tables`() throws {
    try place.psql("CREATE TABLE recipe (id bigint PRIMARY KEY, title text)")
    try place.expect(["copy", "Kitchen.sqlite", place.location, "--append"], 12, "were not made from one")
  }
}
