import Foundation
import TestSupport
import Testing

/// Merges that change the key of a row of which the server has more than the source.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct FollowedRowTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// Tables of the server, the source, the options, and what the server has afterwards.
  struct Case: CustomTestStringConvertible {
    let name: String
    let server: String
    let source: String
    var options: [String] = []
    let query: String
    let result: String
    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "a text key",
      server: """
        CREATE TABLE product (sku text PRIMARY KEY, ean text NOT NULL UNIQUE, name text, stock int NOT NULL DEFAULT 0,
          at date NOT NULL DEFAULT now());
        INSERT INTO product VALUES ('A', '111', 'Anvil', 42, '2019-01-01'), ('B', '222', 'Bolt', 7, '2019-02-02')
        """,
      source: """
        CREATE TABLE product (sku TEXT PRIMARY KEY, ean TEXT NOT NULL UNIQUE, name TEXT);
        INSERT INTO product VALUES ('A-NEW', '111', 'Anvil 2'), ('B', '222', 'Bolt'), ('C', '333', 'Clamp')
        """,
      query: "SELECT sku, ean, name, stock, at < '2020-01-01' FROM product ORDER BY ean",
      result: "A-NEW|111|Anvil 2|42|t\nB|222|Bolt|7|t\nC|333|Clamp|0|f"
    ),
    Case(
      name: "rows that exchange composite keys",
      server: """
        CREATE TABLE seat (hall text, no int, ticket text NOT NULL UNIQUE, holder text, paid boolean NOT NULL DEFAULT false,
          PRIMARY KEY (hall, no));
        INSERT INTO seat VALUES ('H', 1, 't1', 'Ann', true), ('H', 2, 't2', 'Bob', false), ('H', 3, 't3', 'Cid', false)
        """,
      source: """
        CREATE TABLE seat (hall TEXT NOT NULL, no INTEGER NOT NULL, ticket TEXT NOT NULL UNIQUE, holder TEXT,
          PRIMARY KEY (hall, no));
        INSERT INTO seat VALUES ('H', 1, 't2', 'Bob'), ('H', 2, 't1', 'Ann'), ('H', 3, 't3', 'Cid')
        """,
      options: ["--identity", "seat: ticket"],
      query: "SELECT ticket, holder, hall, no, paid FROM seat ORDER BY 1",
      result: "t1|Ann|H|2|t\nt2|Bob|H|1|f\nt3|Cid|H|3|f"
    ),
    Case(
      name: "a row to which others refer",
      server: """
        CREATE TABLE land (code text PRIMARY KEY, name text NOT NULL UNIQUE, seen int NOT NULL DEFAULT 9);
        CREATE TABLE town (id bigserial PRIMARY KEY, name text UNIQUE, land text REFERENCES land (code), hits int);
        INSERT INTO land VALUES ('x', 'Xenia', 5), ('y', 'Ypern', 6);
        INSERT INTO town (name, land, hits) VALUES ('t', 'x', 3), ('u', 'y', 4)
        """,
      source: """
        CREATE TABLE land (code TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT UNIQUE, land TEXT REFERENCES land (code));
        INSERT INTO land VALUES ('x2', 'Xenia'), ('y', 'Ypern'); INSERT INTO town VALUES (1, 't', 'x2'), (2, 'u', 'y')
        """,
      query: "SELECT t.name, l.code, l.seen, t.hits FROM town AS t JOIN land AS l ON l.code = t.land ORDER BY 1",
      result: "t|x2|5|3\nu|y|6|4"
    ),
  ]

  @Test(arguments: cases) func `a row keeps what only the server has of it`(row: Case) throws {
    try place.psql(row.server)
    _ = try Program.sqlite3(place.folder.path("s.db"), row.source)
    let run = try place.run(["merge", "s.db", place.location, "--merge", "update"] + row.options)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try place.psql(row.query) == row.result)
    let again = try place.run(["merge", "s.db", place.location, "--merge", "update"] + row.options)
    #expect(again.status == 0 && again.output.contains("nothing to do"), "\(again.output)\(again.errors)")
    #expect(try place.psql(row.query) == row.result)
  }

  @Test func `rows of a table without row numbers go by their keys`() throws {
    let sql = """
      CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
      CREATE TABLE city (id INTEGER PRIMARY KEY, country TEXT REFERENCES country (code) ON DELETE CASCADE);
      INSERT INTO country VALUES ('a', 'A'), ('b', 'B'); INSERT INTO city VALUES (1, 'a'), (2, 'b');
      """
    _ = try Program.sqlite3(place.folder.path("w.db"), sql)
    try place.expect("copy", "w.db", place.location)
    _ = try Program.sqlite3(place.folder.path("w.db"), "UPDATE country SET name = 'A2' WHERE code = 'a'")
    try place.expect("merge", "w.db", place.location, "--merge", "update")
    #expect(
      try place.psql("SELECT code, name, count(city.id) FROM country JOIN city ON country = code GROUP BY 1 ORDER BY 1")
        == "a|A2|1\nb|B|1")
  }

  @Test func `keys to which foreign keys refer cannot be exchanged`() throws {
    try place.psql(
      """
      CREATE TABLE country (code text PRIMARY KEY, uid text NOT NULL UNIQUE, own int DEFAULT 1);
      CREATE TABLE city (id bigserial PRIMARY KEY, country text REFERENCES country (code) ON UPDATE CASCADE);
      INSERT INTO country VALUES ('a', '1', 5), ('b', '2', 6); INSERT INTO city (country) VALUES ('a'), ('b')
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      "CREATE TABLE country (code TEXT PRIMARY KEY, uid TEXT NOT NULL UNIQUE); INSERT INTO country VALUES ('b', '1'), ('a', '2')"
    )
    let merge = ["merge", "s.db", place.location, "--merge", "update", "--identity", "country: uid"]
    try place.expect(merge, 1, "2 rows of city of the destination refer through country to an object of country")
    try place.psql("DELETE FROM city")
    try place.expect(merge, 1, "country_pkey, to which foreign keys refer")
    #expect(try place.psql("SELECT * FROM country ORDER BY 1") == "a|1|5\nb|2|6")
  }

  @Test func `a rollback deletes the added rows only`() throws {
    try place.psql(Self.cases[0].server)
    _ = try Program.sqlite3(place.folder.path("s.db"), Self.cases[0].source)
    try place.expect("merge", "s.db", place.location, "--merge", "update", "--keep-ids", "ids.sqlite")
    try place.expect("rollback", place.location, "--ids", "ids.sqlite")
    #expect(try place.psql("SELECT sku, stock FROM product ORDER BY ean") == "A-NEW|42\nB|7")
  }

  /// The server would change these rows, and between files their links would lead nowhere.
  @Test(arguments: ["ON UPDATE CASCADE ON DELETE CASCADE", "ON UPDATE SET NULL"])
  func `a key to which a table of the server refers does not change`(action: String) throws {
    try place.psql(
      """
      CREATE TABLE product (sku text PRIMARY KEY, ean text NOT NULL UNIQUE);
      INSERT INTO product VALUES ('A', '111'), ('B', '222');
      CREATE TABLE ordered (id bigserial PRIMARY KEY, sku text REFERENCES product (sku) \(action));
      INSERT INTO ordered (sku) VALUES ('A'), ('A')
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE product (sku TEXT PRIMARY KEY, ean TEXT NOT NULL UNIQUE); INSERT INTO product VALUES ('A2', '111')
      """)
    let merge = ["merge", "s.db", place.location, "--merge", "update"]
    for more in [["--dry-run"], ["--no-verify"], []] {
      try place.expect(
        merge + more, 1,
        "2 rows of ordered of the destination refer through sku to an object of product whose sku would change")
    }
    #expect(try place.psql("SELECT sku, count(*) FROM ordered GROUP BY 1") == "A|2")
    try place.psql("DELETE FROM ordered")
    try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(try place.psql("SELECT string_agg(sku, ',' ORDER BY ean) FROM product") == "A2,B")
  }

  @Test func `tables that decant made keep a column of the app`() throws {
    _ = try Program.sqlite3(
      place.folder.path("o.db"),
      """
      CREATE TABLE product (sku TEXT PRIMARY KEY, ean TEXT NOT NULL UNIQUE, name TEXT);
      INSERT INTO product VALUES ('A', '111', 'Anvil'), ('B', '222', 'Bolt')
      """)
    try place.expect("copy", "o.db", place.location)
    try place.psql("ALTER TABLE product ADD stock int; UPDATE product SET stock = 42")
    _ = try Program.sqlite3(place.folder.path("o.db"), "UPDATE product SET sku = 'A-NEW' WHERE sku = 'A'")
    try place.expect("merge", "o.db", place.location, "--merge", "update")
    #expect(try place.psql("SELECT * FROM product ORDER BY 2") == "A-NEW|111|Anvil|42\nB|222|Bolt|42")
  }
}
