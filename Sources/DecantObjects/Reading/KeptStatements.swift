internal import DecantSQLite

/// The prepared statements of a connection, each compiled once.
final class KeptStatements {
  let connection: Connection
  private var statements: [String: Statement] = [:]
  /// The maximum number of statements kept.
  private static let limit = 256

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the prepared statement, or a second one while the first is running, as in nested loops.
  func prepared(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] {
      return statement.isRunning ? try connection.prepare(sql) : statement
    }
    if statements.count >= Self.limit { statements.removeAll() }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs a statement to its end.
  func run(_ sql: String, _ bindings: [Binding] = []) throws(SQLiteError) {
    try prepared(sql).run(bindings)
  }

  /// Returns the first column of the first row as an integer, or `nil` without a row or value.
  func integer(_ sql: String, _ bindings: [Binding] = []) throws(SQLiteError) -> Int64? {
    let statement = try prepared(sql)
    try statement.bind(bindings)
    defer { statement.reset() }
    // The statement may count the rows of a whole table.
    return try connection.longStep { () throws(SQLiteError) in try statement.step() }
      ? statement.integerOrNil(at: 0) : nil
  }

  /// Calls `body` for each row.
  func forEachRow(
    _ sql: String,
    _ bindings: [Binding] = [],
    _ body: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    try statement.bind(bindings)
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }
}
