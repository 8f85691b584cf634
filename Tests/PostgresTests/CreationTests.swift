import Foundation
import TestSupport
import Testing

/// The statements that a dry run prints make the tables that the copy makes.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct CreationTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// What the catalog says of a schema.
  private func catalog(_ schema: String) throws -> String {
    try place.psql(
      """
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage,
        pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
      LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = '\(schema)'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 ORDER BY 1, a.attnum;
      SELECT replace(indexdef, '\(schema).', '') FROM pg_indexes WHERE schemaname = '\(schema)' ORDER BY 1;
      SELECT conrelid::regclass::text, conname, convalidated, replace(pg_get_constraintdef(oid), '\(schema).', '') FROM pg_constraint
      WHERE connamespace = '\(schema)'::regnamespace ORDER BY 2
      """
    ).replacingOccurrences(of: "\(schema).", with: "")
  }

  @Test(arguments: ["Kitchen.sqlite", "plain.db"]) func `as the copy does`(name: String) throws {
    if name == "plain.db" {
      _ = try Program.sqlite3(
        place.folder.path(name),
        """
        CREATE TABLE "order" (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, total DECIMAL NOT NULL, open BOOLEAN);
        CREATE TABLE line (o INTEGER NOT NULL REFERENCES "order" (id) ON DELETE CASCADE, place INTEGER NOT NULL, picture BLOB,
          PRIMARY KEY (o, place));
        CREATE TABLE loose (id TEXT PRIMARY KEY, number); INSERT INTO loose VALUES ('a', 1), (NULL, 2);
        CREATE UNIQUE INDEX once ON "order" (at, total);
        INSERT INTO "order" VALUES (1, '2020-01-01', 2.5, 1); INSERT INTO line VALUES (1, 1, x'00')
        """)
    }
    let first = place.server.location(place.database, schema: "first")
    let second = place.server.location(place.database, schema: "second")
    let report = try place.expect("copy", name, first, "--dry-run", "--json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
    let statements = try #require(document["schema"] as? [String])
    try place.psql("CREATE SCHEMA first; " + statements.joined(separator: ";\n"))
    let text = try place.expect("copy", name, second, "--dry-run", "--verbose")
    #expect(text.contains("CREATE TABLE \"second\"."))
    try place.expect("copy", name, second)
    let made = try catalog("second")
    #expect(made.contains("FOREIGN KEY"))
    #expect(try catalog("first") == made)
    try place.expect("copy", name, place.server.location(place.database, schema: "third"), "--workers", "4")
    #expect(try catalog("third") == made)
  }

  /// What Citus' documentation allows: keys, unique indexes and foreign keys contain the column of distribution.
  @Test func `comments tell how Citus could distribute the tables, and what it would refuse`() throws {
    let text = try place.expect("copy", "Kitchen.sqlite", place.location, "--dry-run", "--verbose")
    func comment(on table: String) -> [String] {
      let before = text.components(separatedBy: "CREATE TABLE \"public\".\"\(table)\"")[0]
      let lines = before.split(separator: "\n").reversed().prefix { $0.hasPrefix("--") }
      return lines.reversed().map(String.init)
    }
    #expect(comment(on: "category") == [#"-- Citus: SELECT create_reference_table('"public"."category"');"#])
    #expect(comment(on: "tag") == [#"-- Citus: SELECT create_reference_table('"public"."tag"');"#])
    let with = #"colocate_with => '"public"."recipe"'"#
    #expect(
      comment(on: "ingredient") == [
        #"-- Citus: SELECT create_distributed_table('"public"."ingredient"', 'recipe_id', \#(with));"#,
        #"--   not allowed: the key does not contain "recipe_id""#,
      ])
    #expect(
      comment(on: "recipe_tags") == [
        #"-- Citus: SELECT create_distributed_table('"public"."recipe_tags"', 'recipe_id', \#(with));"#
      ])
    #expect(
      comment(on: "recipe") == [
        #"-- Citus: SELECT create_distributed_table('"public"."recipe"', 'id');"#,
        #"--   not allowed: the foreign key "recipe_cover_id_fkey" may lead to another node"#,
        #"--   not allowed: the foreign key "recipe_variant_of_id_fkey" may lead to another node"#,
      ])
    #expect(comment(on: "step").contains(#"--   not allowed: "recipe_id" may be NULL"#))
  }

  @Test func `each worker has a session`() throws {
    let role = "few\(place.database)"
    try place.psql(
      "CREATE ROLE \(role) LOGIN CONNECTION LIMIT 4; GRANT CREATE ON DATABASE \(place.database) TO \(role)")
    func copy(_ workers: Int) throws -> Program {
      let location = place.server.location(place.database, schema: "w\(workers)", user: role)
      return try place.run(["copy", "Kitchen.sqlite", location, "--workers", "\(workers)"])
    }
    let few = try copy(1)
    #expect(few.status == 0, "\(few.errors)")
    let many = try copy(5)
    #expect(many.status == 1 && many.errors.contains("too many connections"), "\(many.errors)")
    #expect(try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'w5'") == "0")
  }

  @Test func `workers are for new tables on a server`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let cases: [([String], String)] = [
      (
        ["copy", "Kitchen.sqlite", "new.sqlite", "--workers", "2"],
        "--workers is for new tables in a PostgreSQL database"
      ),
      (
        ["copy", "Guests.sqlite", place.location, "--append", "--workers", "2"], "--workers applies to new tables only"
      ),
      (["copy", "Kitchen.sqlite", place.location, "--workers", "0"], "--workers is a number from 1 to 64"),
      (["copy", "Kitchen.sqlite", place.location, "--workers", "65"], "--workers is a number from 1 to 64"),
    ]
    for (arguments, message) in cases { try place.expect(arguments, 64, message) }
  }

  @Test func `actions on changed keys are made, too`() throws {
    _ = try Program.sqlite3(
      place.folder.path("a.db"),
      """
      CREATE TABLE land (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE town (id INTEGER PRIMARY KEY, land TEXT REFERENCES land (code) ON UPDATE CASCADE ON DELETE SET NULL,
        other TEXT REFERENCES land (code) ON UPDATE SET NULL);
      INSERT INTO land VALUES (1, 'a'), (2, 'b'); INSERT INTO town VALUES (1, 'a', 'b')
      """)
    try place.expect("copy", "a.db", place.location)
    #expect(
      try place.psql("UPDATE land SET code = 'a2' WHERE id = 1; UPDATE land SET code = 'b2' WHERE id = 2; TABLE town")
        == "1|a2|")
  }

  @Test func `tables have the default privileges of their schema`() throws {
    _ = try Program.sqlite3(
      place.folder.path("a.db"), "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')")
    let role = "reader_\(place.database)"
    try place.psql(
      """
      CREATE ROLE \(role) LOGIN; CREATE SCHEMA shop; GRANT USAGE ON SCHEMA shop TO \(role);
      ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT SELECT, INSERT ON TABLES TO \(role);
      ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT USAGE ON SEQUENCES TO \(role)
      """)
    defer { _ = try? place.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
    try place.expect("copy", "a.db", place.server.location(place.database, schema: "shop"))
    let added = try place.psql("INSERT INTO shop.t (v) VALUES ('b'); SELECT count(*) FROM shop.t", user: role)
    #expect(added == "2")
    #expect(try place.psql("SELECT has_table_privilege('\(role)', 'shop.t', 'DELETE')") == "f")
  }
}
