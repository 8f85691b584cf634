import DecantSQLite
import TestSupport
import Testing

@testable import DecantStore

@Suite struct DecimalTextTests {
  @Test(arguments: [
    ("0", Binding.integer(0)), ("-7", .integer(-7)), ("+7", .integer(7)), (" 1.50 ", .real(1.5)),
    ("1.0", .integer(1)), ("1e3", .integer(1000)), (".5", .real(0.5)), ("5.", .integer(5)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .real(9223372036854775808)),
    ("-9223372036854775808", .integer(.min)), ("9e999", .real(.infinity)),
    ("12345678901234567890123456789012345678", .real(1.2345678901234568e37)),
  ])
  func `digits are the number that SQLite makes of them`(_ text: String, _ number: Binding) throws {
    #expect(DecimalText.number(in: text) == number)
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE t (x DECIMAL)")
    try connection.run("INSERT INTO t VALUES (?1)", .text(text))
    let statement = try connection.prepare("SELECT x FROM t")
    #expect(try statement.step())
    #expect(statement.value(at: 0) == number)
  }

  @Test(arguments: [
    "", " ", "n/a", "0x10", "1,5", "1 2", "--1", "1e", "e5", ".", "nan", "inf", "Infinity", "٣",
    "1_000", "+-1", "1.2.3",
  ])
  func `what SQLite leaves alone is no number`(_ text: String) throws {
    #expect(DecimalText.number(in: text) == nil)
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE t (x DECIMAL)")
    try connection.run("INSERT INTO t VALUES (?1)", .text(text))
    #expect(try connection.text("SELECT typeof(x) FROM t") == "text")
  }

  @Test(arguments: SeededGenerator.seeds(1))
  func `every number comes back from its digits`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let number = Double(bitPattern: generator.next())
      guard !number.isNaN, Int64(exactly: number) == nil else { continue }
      #expect(DecimalText.number(in: DecimalText.text(of: number)) == .real(number))
    }
  }
}
