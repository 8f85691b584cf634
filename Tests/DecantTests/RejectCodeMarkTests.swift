import DecantSQLite
import Testing

@testable import DecantBase
@testable import DecantMerge

/// The mark by which a function of decant's own says why it refuses a row.
@Suite struct RejectCodeMarkTests {
  @Test(arguments: RejectCode.allCases)
  func `a function's mark is read again`(code: RejectCode) {
    let marked = RejectCode.marked(code.message("the text: no number"))
    #expect(marked?.code == code)
    #expect(marked?.text == "the text: no number")
  }

  @Test(arguments: ["no number", "Unique: x", "UNIQUE constraint failed: t.a", "checks: x", ""])
  func `other words are no mark`(message: String) {
    #expect(RejectCode.marked(message) == nil)
  }

  /// The numbers are those of SQLite's page “Result and Error Codes”.
  @Test(
    arguments: [
      (1299, .notnull), (2067, .unique), (1555, .unique), (2579, .unique), (787, .link),
      (275, .check), (1811, .check), (3091, .convert), (18, .size), (20, .convert),
    ] as [(Int32, RejectCode)]
  )
  func `SQLite's codes have theirs`(code: Int32, expected: RejectCode) {
    let error = SQLiteError(code: code, message: "words")
    #expect(error.refusesRow)
    #expect(RejectCode(error) == expected)
  }

  @Test(arguments: [5, 10, 11, 13, 14, 8, 9] as [Int32])
  func `what is no row's fault refuses none`(code: Int32) {
    #expect(!SQLiteError(code: code, message: "words").refusesRow)
  }

  @Test(arguments: [
    ("json('x{')", true), ("json_array(x'00')", true), ("abs(-9223372036854775808)", true),
    ("'a' LIKE printf('%.*c', 60000, 'a')", false), ("zeroblob(2000000000)", true),
  ])
  func `of SQLite's own complaints only those about a value are a row's fault`(
    _ expression: String,
    _ isRow: Bool
  ) throws {
    let connection = try Connection(":memory:", mode: .create)
    let error = #expect(throws: SQLiteError.self) {
      try connection.run("SELECT \(expression)")
    }
    #expect(error?.refusesRow == isRow)
  }

  @Test func `a general failure is a row's fault where a function says so, and else not`() {
    let marked = RejectCode.convert.message("the text: no number")
    #expect(SQLiteError(code: 1, message: marked).refusesRow)
    #expect(!SQLiteError(code: 1, message: "no such table: main.lost").refusesRow)
  }
}
