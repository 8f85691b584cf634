import Foundation
import DecantSQLite
import TestSupport
import Testing

/// JSON functions in schemas that are not trusted, which SQLite 3.40 takes for dangerous.
@Suite struct JSONSchemaTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("json.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [false, true]) func `a file with JSON in it is read and written`(isAttached: Bool) throws {
    _ = try Program.sqlite3(
      path,
      "CREATE TABLE t (a CHECK (json_valid(a))); CREATE INDEX i ON t (json_extract(a, '$.b'))"
    )
    let connection = try Connection(isAttached ? ":memory:" : path, mode: .readWrite)
    if isAttached { try connection.attach(path, as: "other") }
    let schema = isAttached ? "other" : "main"
    try connection.run("INSERT INTO \(schema).t VALUES ('{\"b\": 1}')")
    #expect(try connection.integer("SELECT count(*) FROM \(schema).t") == 1)
    #expect(throws: SQLiteError.self) {
      try connection.run("INSERT INTO \(schema).t VALUES ('{')")
    }
  }

  @Test func `a file with JSON in it is vacuumed into another, and trusted no longer than that`() throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (a CHECK (json_valid(a)));
      INSERT INTO t VALUES ('[1]');
      CREATE VIEW v AS SELECT own();
      """
    )
    let connection = try Connection(path, mode: .readOnly)
    try connection.register(ScalarFunction(), as: "own", [])
    let out = folder.path("out.sqlite")
    try connection.setSchemasTrusted(true)
    try connection.run("VACUUM main INTO ?1", .text(out))
    try connection.setSchemasTrusted(false)
    #expect(try Program.sqlite3(out, "SELECT a FROM t") == "[1]")
    #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM v") }
  }

  @Test func `what is dangerous stays refused beside JSON`() throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE t (a CHECK (json_valid(a)));
      CREATE VIEW loaded AS SELECT load_extension('x');
      CREATE VIEW direct AS SELECT own();
      """
    )
    let connection = try Connection(path, mode: .readWrite)
    try connection.register(ScalarFunction(), as: "own", .directOnly)
    for view in ["loaded", "direct"] {
      let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM \(view)") }
      #expect(error?.message.contains("unsafe use of") == true)
    }
  }

  @Test func `a file without JSON is not trusted`() throws {
    _ = try Program.sqlite3(path, "CREATE TABLE t (a); CREATE VIEW v AS SELECT own()")
    let connection = try Connection(path, mode: .readWrite)
    try connection.register(ScalarFunction(), as: "own", [])
    let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM v") }
    #expect(error?.message.contains("unsafe use of") == true)
  }
}
