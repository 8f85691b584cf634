import DecantSQLite
import Testing

@Suite struct StatementTests {
  static let values: [Binding] = [
    .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.infinity),
    .real(.greatestFiniteMagnitude), .text(""), .text("naïve 🌶️ \u{0}after"), .blob([]),
    .blob([0, 1, 254, 255]), .blob([UInt8](repeating: 9, count: 10_000)),
  ]

  @Test(arguments: values)
  func `a bound value comes back as it was`(_ value: Binding) throws {
    let connection = try Connection(":memory:", mode: .create)
    let statement = try connection.prepare("SELECT ?1")
    try statement.bind([value])
    #expect(try statement.step())
    #expect(statement.value(at: 0) == value)
    #expect(try !statement.step())
  }

  @Test func `not a number is stored as NULL`() throws {
    let connection = try Connection(":memory:", mode: .create)
    #expect(try connection.text("SELECT typeof(?1)", .real(.nan)) == "null")
  }

  @Test func `a statement runs again with new values, and keeps those not bound anew`() throws {
    let connection = try table()
    let insertion = try connection.prepare("INSERT INTO t VALUES (?1 || ?2)")
    try insertion.run(.text("a"), .text("b"))
    try insertion.run(.text("c"))
    #expect(try connection.text("SELECT group_concat(x) FROM t") == "ab,cb")
    #expect(connection.changeCount == 1)
  }

  @Test func `columns are read by place, with what SQLite makes of them`() throws {
    let connection = try Connection(":memory:", mode: .create)
    let statement = try connection.prepare("SELECT 7 AS n, '12abc', 2.5, NULL, x'6869'")
    #expect(statement.columnCount == 5 && statement.columnName(at: 0) == "n")
    #expect(statement.isReadOnly)
    #expect(try statement.step())
    #expect((0..<5).map(statement.type(at:)) == [.integer, .text, .real, .null, .blob])
    #expect(statement.integer(at: 1) == 12 && statement.real(at: 2) == 2.5)
    #expect(statement.integerOrNil(at: 3) == nil && statement.text(at: 3) == nil)
    #expect(statement.integer(at: 3) == 0 && statement.bytes(at: 3) == [])
    #expect(statement.text(at: 4) == "hi" && statement.bytes(at: 4) == [104, 105])
  }

  @Test func `text that is no UTF-8 is repaired for reading and exact as bytes`() throws {
    let connection = try Connection(":memory:", mode: .create)
    let statement = try connection.prepare("SELECT CAST(x'61FF62' AS TEXT)")
    #expect(try statement.step())
    #expect(statement.text(at: 0) == "a\u{FFFD}b")
    #expect(statement.bytes(at: 0) == [0x61, 0xFF, 0x62])
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "", "  -- nothing"])
  func `anything but one statement is refused`(_ sql: String) throws {
    let connection = try table()
    #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `a semicolon and blanks may end a statement`() throws {
    #expect(try table().integer("SELECT 3;  \n ;") == 3)
  }

  @Test func `a statement that writes is not read only`() throws {
    #expect(try !table().prepare("INSERT INTO t VALUES (1)").isReadOnly)
  }

  @Test func `a column taken from a table is known by its name there, through views as well`() throws {
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE t (x, y)")
    try connection.run("CREATE VIEW v AS SELECT y AS z, x || 'a' AS c FROM t")
    let statement = try connection.prepare("SELECT x AS other, z, c, 1, max(x), (SELECT y FROM t) FROM t, v")
    let origins = (0..<statement.columnCount).map { position in
      statement.origin(at: position).map { "\($0.table).\($0.column)" }
    }
    #expect(origins == ["t.x", "t.y", nil, nil, nil, "t.y"])
  }
}
