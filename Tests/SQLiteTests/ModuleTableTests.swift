import DecantSQLite
import Testing

/// The numbers from 0 up to a limit, with their squares and their names.
private final class Numbers: ModuleTable {
  let limit: Int64
  /// The scans that began, as SQL.
  var begun: [String] = []
  /// The number at which reading fails.
  var failure: (number: Int64, column: Int?)?

  init(_ limit: Int64, primaryKey: [Int] = []) {
    self.limit = limit
    super.init(
      columns: [
        Column("number", type: "INTEGER"), Column("square", type: "INTEGER"),
        Column("the name", type: "TEXT", collation: "NOCASE"),
      ],
      primaryKey: primaryKey
    )
  }

  override func accepts(_ constraint: Constraint) -> Bool { constraint.column ?? 0 == 0 }

  override func effort(of scan: Scan) -> Effort {
    scan.constraints.isEmpty
      ? Effort(cost: 1e6, rowCount: 1_000_000) : Effort(cost: 1, rowCount: 1)
  }

  override func makeCursor() throws(SQLiteError) -> ModuleCursor { NumberCursor(self) }
}

private final class NumberCursor: ModuleCursor {
  private let table: Numbers
  private var (number, end): (Int64, Int64) = (0, 0)

  init(_ table: Numbers) { self.table = table }

  override func begin(_ scan: Scan, _ values: borrowing FunctionArguments) throws(SQLiteError) {
    (number, end) = (0, table.limit)
    var words: [String] = []
    for (index, constraint) in scan.constraints.enumerated() {
      let value = values.integer(at: index)
      words.append("\(constraint.column.map { "c\($0)" } ?? "rowid") \(constraint.comparison.rawValue) \(value)")
      switch constraint.comparison {
      case .equal: (number, end) = (max(number, value), min(end, value + 1))
      case .less: end = min(end, value)
      case .lessOrEqual: end = min(end, value + 1)
      case .greater: number = max(number, value + 1)
      case .greaterOrEqual: number = max(number, value)
      }
    }
    table.begun.append(words.joined(separator: " AND "))
    try check(nil)
  }

  override var isAtEnd: Bool { number >= end }

  override func advance() throws(SQLiteError) {
    number += 1
    try check(nil)
  }

  override func rowID() throws(SQLiteError) -> Int64 { number }

  override func give(_ position: Int, as result: borrowing FunctionResult) throws(SQLiteError) {
    try check(position)
    switch position {
    case 0: result.set(number)
    case 1: result.set(number * number)
    default: result.set("Number \(number)")
    }
  }

  private func check(_ column: Int?) throws(SQLiteError) {
    guard let failure = table.failure, failure.number == number, failure.column == column else {
      return
    }
    throw SQLiteError(code: SQLiteError.corruptCode, message: "nobody knows \(number)")
  }
}

/// Makes tables of numbers, up to the limit that is written behind the module's name.
private final class NumberModule: TableModule {
  let numbers: Numbers?

  init(_ numbers: Numbers? = nil) {
    self.numbers = numbers
    super.init(isEponymous: numbers != nil)
  }

  override func table(_ name: String, arguments: [String]) throws(SQLiteError) -> ModuleTable {
    if let numbers { return numbers }
    guard let limit = arguments.first.flatMap({ Int64($0) }) else {
      throw SQLiteError(code: SQLiteError.statementCode, message: "\(name) needs a limit")
    }
    return Numbers(limit)
  }
}

@Suite struct ModuleTableTests {
  private let connection: Connection
  private let numbers = Numbers(10)

  init() throws {
    connection = try Connection(":memory:", mode: .create)
    try connection.register(NumberModule(numbers), as: "numbers")
  }

  private func rows(_ sql: String) throws -> [String] {
    var rows: [String] = []
    try connection.forEachRow(sql) { row in
      rows.append((0..<row.columnCount).map { row.text(at: $0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  @Test func `its columns are read like those of any table`() throws {
    #expect(try rows("SELECT * FROM numbers LIMIT 2") == ["0|0|Number 0", "1|1|Number 1"])
    #expect(try rows("SELECT count(*), sum(square) FROM numbers") == ["10|285"])
    #expect(try rows("SELECT number FROM numbers WHERE \"the name\" = 'NUMBER 7'") == ["7"])
    #expect(try rows("SELECT rowid FROM numbers WHERE square = '49'") == ["7"])
  }

  @Test(arguments: [
    ("number = 3", "c0 = 3", "3"), ("number > 7", "c0 > 7", "8,9"),
    ("number BETWEEN 2 AND 4", "c0 >= 2 AND c0 <= 4", "2,3,4"), ("rowid < 2", "rowid < 2", "0,1"),
    ("square = 4", "", "2"), ("number IN (7, 99)", "c0 = 7; c0 = 99", "7"),
    ("number IS 3", "", "3"),
  ])
  func `conditions narrow a scan where the table takes them`(condition: String, scan: String, result: String) throws {
    let found = try rows("SELECT group_concat(number) FROM numbers WHERE \(condition)")
    #expect(found == [result])
    #expect(numbers.begun.joined(separator: "; ") == scan)
  }

  @Test func `a join looks rows up by a key of the other side's`() throws {
    try connection.run("CREATE TABLE t (x)")
    try connection.run("INSERT INTO t VALUES (2), (5), (50)")
    #expect(try rows("SELECT square FROM t JOIN numbers ON number = x") == ["4", "25"])
    #expect(numbers.begun == ["c0 = 2", "c0 = 5", "c0 = 50"])
    let either = "SELECT number FROM numbers WHERE number = 2 OR number > 8 OR number = 9"
    #expect(try rows(either).sorted() == ["2", "9"])
  }

  @Test func `no order is promised, so that what is ordered is sorted`() throws {
    #expect(try rows("SELECT number FROM numbers ORDER BY number DESC LIMIT 3") == ["9", "8", "7"])
    let groups = "SELECT number % 3, count(*) FROM numbers GROUP BY 1"
    #expect(try rows(groups) == ["0|4", "1|3", "2|3"])
  }

  @Test(arguments: [nil, 0, 1]) func `a failure ends the statement with its words and its code`(column: Int?) throws {
    numbers.failure = (4, column)
    let error = #expect(throws: SQLiteError.self) {
      try connection.integer("SELECT sum(number + square) FROM numbers")
    }
    #expect(error?.message == "nobody knows 4")
    #expect(error?.isCorrupt == true)
    // The connection is as good as before.
    numbers.failure = nil
    #expect(try connection.integer("SELECT count(*) FROM numbers") == 10)
  }

  @Test func `nothing can be written to it`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try connection.run("INSERT INTO numbers VALUES (1, 2, '')")
    }
    #expect(error?.message == "table numbers may not be modified")
  }

  @Test func `tables are made with arguments, and a refusal says why`() throws {
    try connection.register(NumberModule(), as: "some numbers")
    try connection.run("CREATE VIRTUAL TABLE few USING \"some numbers\"(3)")
    try connection.run("CREATE TEMP VIEW named AS SELECT \"the name\" AS name FROM few")
    #expect(try rows("SELECT name FROM named") == ["Number 0", "Number 1", "Number 2"])
    let error = #expect(throws: SQLiteError.self) {
      try connection.run("CREATE VIRTUAL TABLE none USING \"some numbers\"")
    }
    #expect(error?.message == "none needs a limit")
    try connection.run("DROP TABLE few")
    #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM few") }
  }

  @Test func `a table with a primary key has no row numbers`() throws {
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(NumberModule(Numbers(5, primaryKey: [2, 0])), as: "numbers")
    #expect(throws: SQLiteError.self) { try connection.run("SELECT rowid FROM numbers") }
    #expect(try connection.integer("SELECT count(*) FROM numbers WHERE number = 1 OR square = 4") == 2)
  }
}
