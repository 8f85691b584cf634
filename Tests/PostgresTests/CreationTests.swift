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
      SELECT conrelid::regclass::text, conname, replace(pg_get_constraintdef(oid), '\(schema).', '') FROM pg_constraint
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
  }
}
