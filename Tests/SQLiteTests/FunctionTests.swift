import DecantSQLite
import Testing

@Suite struct FunctionTests {
  @Test func `a function sees its arguments as they are and gives back what it sets`() throws {
    final class Describe: ScalarFunction {
      override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        var words: [String] = []
        for position in 0..<arguments.count {
          words.append("\(arguments.type(at: position))=\(arguments.text(at: position))")
        }
        result.set(words.joined(separator: " "))
      }
    }
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(Describe(), as: "describe", .deterministic)
    #expect(
      try connection.text("SELECT describe(1, 2.5, 'é', NULL, x'41')")
        == "integer=1 real=2.5 text=é null= blob=A"
    )
    #expect(try connection.text("SELECT describe()") == "")
  }

  @Test(arguments: ["1", "-9223372036854775808", "0.25", "'text'", "x'00ff'", "NULL", "''"])
  func `an argument passes through unchanged`(_ literal: String) throws {
    final class Pass: ScalarFunction {
      override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        result.pass(arguments, at: 0)
      }
    }
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(Pass(), as: "pass", argumentCount: 1, [])
    let sql =
      "SELECT pass(\(literal)) IS \(literal) AND typeof(pass(\(literal))) = typeof(\(literal))"
    #expect(try connection.integer(sql) == 1)
  }

  @Test func `a function that fails ends the statement with its words`() throws {
    final class Fail: ScalarFunction {
      override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        result.fail("not today")
      }
    }
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(Fail(), as: "fail", [])
    let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT fail()") }
    #expect(error?.message == "not today")
  }

  /// The numbers are those of SQLite's page “Result and Error Codes”: full, failed to read, out of memory.
  @Test(arguments: [13, 266, 7] as [Int32])
  func `a function hands on the code of what stopped it`(code: Int32) throws {
    final class Fail: ScalarFunction {
      let code: Int32
      init(_ code: Int32) { self.code = code }
      override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        result.fail(SQLiteError(code: code, message: "not today"))
      }
    }
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(Fail(code), as: "fail", [])
    let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT fail()") }
    #expect(error?.code == code)
    #expect(error?.message == "not today")
  }

  @Test func `a note stays beside a constant argument for the statement`() throws {
    final class Counter {}
    final class Look: ScalarFunction {
      let counter = Counter()
      var lookups = 0

      override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        if result.note(at: 0) == nil {
          lookups += 1
          result.setNote(Unmanaged.passUnretained(counter).toOpaque(), at: 0)
        }
        result.set(arguments.integer(at: 1))
      }
    }
    let connection = try Connection(":memory:", mode: .create)
    let look = Look()
    try connection.register(look, as: "look", .deterministic)
    let numbers = "(VALUES (1), (2), (3), (4))"
    #expect(try connection.integer("SELECT sum(look('name', column1)) FROM \(numbers)") == 10)
    #expect(look.lookups == 1)
    #expect(try connection.integer("SELECT sum(look(column1, column1)) FROM \(numbers)") == 10)
    #expect(look.lookups == 5)
  }

  @Test func `an aggregate takes every row and starts again with each group`() throws {
    final class Sum: AggregateFunction {
      override func step(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        result.accumulator(Int64.self)?.pointee += arguments.integer(at: 0)
      }

      override func finish(_ result: borrowing FunctionResult) {
        result.set(result.accumulator(Int64.self)?.pointee ?? -1)
      }
    }
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(Sum(), as: "total_of", [])
    let rows = "(VALUES ('a', 2), ('b', 5), ('a', 3), ('b', 7))"
    var sums: [[Int64]] = []
    // Twice in one statement: each has a state of its own.
    try connection.forEachRow(
      "SELECT total_of(column2), total_of(-column2) FROM \(rows) GROUP BY column1 ORDER BY column1"
    ) { row in sums.append([row.integer(at: 0), row.integer(at: 1)]) }
    #expect(sums == [[5, -5], [12, -12]])
    #expect(try connection.integer("SELECT total_of(1) FROM (SELECT 1 WHERE 0)") == 0)
  }

  @Test func `what only statements may call no trigger calls`() throws {
    final class One: ScalarFunction {
      override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
        result.set(Int64(1))
      }
    }
    let connection = try table()
    for (name, traits) in [
      ("direct", Connection.FunctionTraits.directOnly), ("plain", []),
      ("harmless", .innocuous),
    ] {
      try connection.register(One(), as: name, traits)
      #expect(try connection.integer("SELECT \(name)()") == 1)
      try connection.run("CREATE TRIGGER g_\(name) AFTER INSERT ON t BEGIN SELECT \(name)(); END")
      // The schema is not trusted: only what is known as harmless may be called from it.
      if name == "harmless" {
        try connection.run("INSERT INTO t VALUES (1)")
      } else {
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (1)") }
      }
      try connection.run("DROP TRIGGER g_\(name)")
    }
  }
}
