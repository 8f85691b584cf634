import DecantSQLite
import Testing

@Suite struct AuthorizerTests {
  /// Allows reading `t.x` and calling `abs`, and writes down what was asked.
  private final class Narrow: Authorizer {
    var asked: Set<Access> = []

    override func allows(_ access: Access) -> Bool {
      asked.insert(access)
      return [.select, .read(table: "t", column: "x"), .function("abs")].contains(access)
    }
  }

  @Test func `what is allowed compiles, and everything is asked`() throws {
    let connection = try table()
    let authorizer = Narrow()
    connection.setAuthorizer(authorizer)
    _ = try connection.prepare("SELECT abs(x) FROM t")
    #expect(authorizer.asked == [.select, .read(table: "t", column: "x"), .function("abs")])
  }

  @Test(arguments: [
    "SELECT upper(x) FROM t", "SELECT y FROM t", "SELECT 1 FROM sqlite_schema",
    "INSERT INTO t VALUES (1, 2)", "DELETE FROM t", "DROP TABLE t", "PRAGMA user_version",
    "ATTACH ':memory:' AS m", "BEGIN",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT 1 FROM n",
  ])
  func `what is not allowed does not compile`(_ sql: String) throws {
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE t (x, y)")
    connection.setAuthorizer(Narrow())
    #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
    connection.setAuthorizer(nil)
    _ = try connection.prepare(sql)
  }

  @Test func `an authorizer that says nothing allows nothing`() throws {
    let connection = try table()
    connection.setAuthorizer(Authorizer())
    #expect(throws: SQLiteError.self) { _ = try connection.prepare("SELECT 1") }
  }
}
