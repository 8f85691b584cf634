import TestSupport
import Testing

/// A copy makes nothing if something on the server has the name of something that it would make.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct TakenNamesTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  @Test(arguments: [
    ("CREATE TYPE step AS ENUM ('a')", "the type public.step"), ("CREATE DOMAIN tag AS int", "the type public.tag"),
    ("CREATE TYPE _step AS (a int)", "the type public._step"),
    ("CREATE TABLE x (a int); CREATE INDEX recipe_pkey ON x (a)", "the index public.recipe_pkey"),
    ("CREATE SEQUENCE tag_id_seq", "the sequence public.tag_id_seq"),
    ("CREATE VIEW step AS SELECT 1", "the view public.step"),
    ("CREATE MATERIALIZED VIEW step AS SELECT 1", "the materialized view public.step"),
  ])
  func `it is named before a row is read`(sql: String, name: String) throws {
    try place.psql(sql)
    let before = try place.visible()
    for more in [[], ["--dry-run"], ["--no-verify"]] {
      try place.expect(["copy", "Kitchen.sqlite", place.location] + more, 64, "\(name) already exists")
      try place.expect(["copy", "Kitchen.sqlite", place.location] + more, 64, "choose another schema")
    }
    #expect(try place.visible() == before)
    try place.expect("copy", "Kitchen.sqlite", place.server.location(place.database, schema: "other"))
  }

  @Test(arguments: ["other.db", "Kitchen.sqlite"])
  func `another store does not replace the record of one that is there`(source: String) throws {
    for (name, table) in [("plain.db", "zebra"), ("other.db", "lion")] {
      _ = try Program.sqlite3(place.folder.path(name), "CREATE TABLE \(table) (id INTEGER PRIMARY KEY)")
    }
    try place.expect("copy", "plain.db", place.location)
    let record = try place.psql("SELECT * FROM decant.store")
    for more in [[], ["--dry-run"]] {
      try place.expect(["copy", source, place.location] + more, 64, "another store, a copy of")
      try place.expect(["copy", source, place.location] + more, 64, "plain.db")
    }
    #expect(try place.psql("SELECT * FROM decant.store") == record)
    #expect(try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "1")
    // Without its tables the record means nothing.
    try place.psql("DROP TABLE zebra")
    try place.expect("copy", source, place.location)
  }

  /// The names follow from the rules of the server, which cuts long ones.
  @Test(arguments: ["Kitchen.sqlite", "long.db"]) func `each name that a copy takes is known in advance`(name: String)
    throws
  {
    let long = String(repeating: "ä", count: 20) + String(repeating: "x", count: 20)
    _ = try Program.sqlite3(
      place.folder.path("long.db"),
      """
      CREATE TABLE "\(long)" ("number_\(long)" INTEGER PRIMARY KEY, other INTEGER REFERENCES "\(long)");
      CREATE TABLE t ("\(long)\(long)" INTEGER PRIMARY KEY); CREATE TABLE "2\(long)" (id INTEGER PRIMARY KEY, a TEXT)
      """)
    try place.expect("copy", name, place.server.location(place.database, schema: "one"))
    let taken = """
      SELECT relname, relkind FROM pg_class WHERE relnamespace = 'one'::regnamespace
      UNION ALL SELECT typname, 'T' FROM pg_type WHERE typnamespace = 'one'::regnamespace ORDER BY 1
      """
    let rows = try place.psql(taken).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    #expect(rows.count > 8)
    for row in rows {
      let make = row[1] == "T" ? "DOMAIN two.\"\(row[0])\" AS int" : "SEQUENCE two.\"\(row[0])\""
      try place.psql("CREATE SCHEMA two; CREATE \(make)")
      try place.expect(
        ["copy", name, place.server.location(place.database, schema: "two"), "--dry-run"], 64,
        "\(row[1] == "T" ? "type" : "sequence") two.\(row[0]) already exists")
      try place.psql("DROP SCHEMA two CASCADE")
    }
  }

  @Test func `an index with a name that the server gives to a key gets another one`() throws {
    _ = try Program.sqlite3(
      place.folder.path("users.db"),
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT); CREATE TABLE tag (name TEXT PRIMARY KEY, users INTEGER);
      CREATE INDEX users_pkey ON users (email, id); CREATE INDEX users_id_seq ON users (email);
      CREATE INDEX tag_pkey ON users (email); CREATE UNIQUE INDEX users_email_key ON users (email);
      CREATE TABLE part (a TEXT, b TEXT, PRIMARY KEY (a, b)); CREATE INDEX part_a_b_key ON users (email);
      INSERT INTO users VALUES (1, 'a'); INSERT INTO tag VALUES ('x', 1); INSERT INTO part VALUES (NULL, 'b')
      """)
    let dry = try place.expect("copy", "users.db", place.location, "--dry-run", "--verbose")
    try place.expect("copy", "users.db", place.location)
    let names = try place.psql(
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('i', 'S')")
    #expect(
      Set(names.split(separator: "\n").map(String.init)) == [
        "users_pkey", "users_pkey_2", "users_id_seq", "users_id_seq_2", "tag_pkey", "tag_pkey_2", "users_email_key",
        "part_a_b_key", "part_a_b_key_2",
      ])
    #expect(dry.contains("users_pkey_2"), "\(dry)")
    try place.expect("verify", "users.db", place.location)
  }

  private static let long = String(repeating: "x", count: 63)

  @Test(arguments: ["", long + "y", "é" + String(repeating: "x", count: 62)])
  func `a schema that no server can have is refused`(schema: String) throws {
    let location = place.server.location(place.database, schema: schema)
    let message = schema.isEmpty ? "the name of the schema is empty" : "has 64 bytes: PostgreSQL allows 63"
    for arguments in [
      ["copy", "Kitchen.sqlite", location], ["copy", location, "x.sqlite"], ["inspect", location],
      ["merge", "Kitchen.sqlite", location],
    ] { try place.expect(arguments, 64, message) }
    #expect(try place.visible() == "")
  }

  @Test func `two schemas in one location are refused`() throws {
    let address = "postgres://\(PostgresServer.owner)@/\(place.database)?host=\(place.server.socket)&schema=one"
    for location in ["\(address)&schema=two", "\(place.location) schema=one schema='one'"] {
      try place.expect(["copy", "Kitchen.sqlite", location], 64, "names more than one schema")
    }
    #expect(try place.visible() == "")
  }

  @Test func `the longest schema is the one that is named`() throws {
    let location = place.server.location(place.database, schema: Self.long)
    try place.expect("copy", "Kitchen.sqlite", location)
    #expect(try place.psql("SELECT schema FROM decant.store") == Self.long)
    try place.expect("verify", "Kitchen.sqlite", location)
  }

  @Test(arguments: ["pg_x", "pg_catalog", "information_schema", "decant", "decant_build_0123456789abcdef"])
  func `no store is written into a schema of the server or of decant`(schema: String) throws {
    let location = place.server.location(place.database, schema: schema)
    for arguments in [
      ["copy", "Kitchen.sqlite", location], ["copy", "Kitchen.sqlite", location, "--dry-run"],
      ["copy", "Guests.sqlite", location, "--append"], ["merge", "Guests.sqlite", location],
    ] { try place.expect(arguments, 64, "no store is written into the schema \(schema)") }
    #expect(try place.visible() == "")
  }
}
