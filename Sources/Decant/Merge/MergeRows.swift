internal import SQLite

/// The rows of a table without integer keys that the destination has: known by their key's values, or where
/// they have none by all they hold.
///
/// A hash of each in a temporary table, so that memory does not grow with them.
final class MergeRows {
  private let connection: Connection
  private let table: String
  private let lookup: Statement

  /// Reads the rows of `step` from `schema`, the destination.
  init(_ step: CopyStep, in schema: String, on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let number = try connection.integer("SELECT count(*) FROM temp.sqlite_schema") ?? 0
    table = "temp.decant_rows_\(number)"
    try connection.run("CREATE TABLE \(table) (hash INTEGER PRIMARY KEY, whole INTEGER)")
    let hashes = MergeRows.hashes(of: step, \.actual)
    try connection.run(
      """
      INSERT OR IGNORE INTO \(table)
      SELECT \(hashes.key), \(hashes.whole) FROM \(schema.sqlName).\(step.table.sqlName) ORDER BY 1
      """
    )
    lookup = try connection.prepare("SELECT whole FROM \(table) WHERE hash = ?1")
  }

  /// The SQL for what tells a row from others, and for all that it holds.
  ///
  /// Over the step's own table on the side that is asked for; a row whose key lacks a value is known by all
  /// it holds.
  static func hashes(of step: CopyStep, _ side: KeyPath<CopyStep.Proof, String>)
    -> (key: String, whole: String)
  {
    let proven = step.assignments.filter { $0.proof != nil }
    let values = proven.compactMap { $0.proof?[keyPath: side] }
    let whole = MixFunction.sql(["'whole'"] + values)
    let keys = proven.filter { step.identityColumns.contains($0.column) }
      .compactMap { $0.proof?[keyPath: side] }
    guard !keys.isEmpty else { return (whole, whole) }
    return ("ifnull(mix_all('key', \(keys.joined(separator: ", "))), \(whole))", whole)
  }

  /// What becomes of a row with these hashes.
  func outcome(_ hash: Int64, whole: Int64) throws(SQLiteError) -> MergeOutcome {
    defer { lookup.reset() }
    try lookup.bind(.integer(hash), at: 1)
    guard try lookup.step() else { return .new }
    return lookup.integer(at: 0) == whole ? .same : .skipped
  }
}

/// The SQL function `row_outcome(entity, hash, whole)`: what becomes of a row that no integer names.
final class RowOutcomeFunction: ScalarFunction {
  private let table: IDTable

  init(_ table: IDTable) { self.table = table }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    guard let rows = table.rows(of: arguments.text(at: 0)) else {
      return result.set(MergeOutcome.new.rawValue)
    }
    do throws(SQLiteError) {
      let outcome = try rows.outcome(arguments.integer(at: 1), whole: arguments.integer(at: 2))
      result.set(outcome.rawValue)
    } catch {
      result.fail(error)
    }
  }
}
