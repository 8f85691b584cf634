package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The destination's rows of a table without integer keys, identified by the values of their key, or by all values if
/// they have none.
///
/// The hashes are in a temporary table, so that memory use does not grow.
package final class MergeRows {
  private let connection: Connection
  private let table: TemporaryTable
  private let lookup: Statement

  private let policy: MergePolicy

  /// Reads the rows of `step` from the destination `schema`.
  package init(_ step: CopyStep, in schema: String, on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    policy = step.rowRule?.policy ?? .skip
    table = try TemporaryTable("(hash INTEGER PRIMARY KEY, whole INTEGER, extra)", on: connection)
    let hashes = MergeRows.hashes(of: step, \.actual)
    try connection.run(
      """
      INSERT OR IGNORE INTO \(table)
      SELECT \(hashes.key), \(hashes.whole), \(hashes.extra) FROM \(schema.sqlName).\(step.table.sqlName) ORDER BY 1
      """
    )
    let takes =
      switch policy {
      case .update, .replace: "1"
      case .newest: MergeRules.isLater("?2", "extra")
      case .fill: "?2 & extra <> 0"
      case .skip, .error, .keepBoth, .threeWay: "0"
      }
    lookup = try connection.prepare("SELECT whole, \(takes) FROM \(table) WHERE hash = ?1")
  }

  /// Returns SQL for a row's identity, for all of its values, and for the data that its policy needs.
  ///
  /// The latter is the modification time, or bits of the columns with a value in the source, or without one in the
  /// destination. The SQL is on the step's table of the given side; a row whose key lacks a value is identified by all
  /// values.
  static func hashes(of step: CopyStep, _ side: KeyPath<CopyStep.Proof, String>)
    -> (key: String, whole: String, extra: String)
  {
    let proven = step.assignments.filter { $0.proof != nil }
    let values = proven.compactMap { $0.proof?[keyPath: side] }
    let whole = MixFunction.sql(["'whole'"] + values)
    let keys = proven.filter { step.identityColumns.contains($0.column) }
      .compactMap { assignment in
        assignment.proof.map {
          "\(step.foldings[assignment.column] ?? "")(\($0[keyPath: side]))"
        }
      }
    let key =
      keys.isEmpty ? whole : "ifnull(mix_all('key', \(keys.joined(separator: ", "))), \(whole))"
    return (key, whole, extra(of: step, side))
  }

  private static func extra(of step: CopyStep, _ side: KeyPath<CopyStep.Proof, String>) -> String {
    switch step.rowRule?.policy {
    case .newest:
      return step.assignments.first { $0.column == step.rowTime }?.proof?[keyPath: side] ?? "NULL"
    case .fill:
      let bits = step.rowValues.prefix(62).enumerated().map { place, assignment in
        let isGap =
          side == \.expected
          ? "(\(assignment.proof?[keyPath: side] ?? "NULL")) IS NOT NULL"
          : step.joint(assignment.column).map { "\($0.sqlName) IS NULL" }.joined(separator: " AND ")
        return "(\(isGap)) << \(place)"
      }
      return bits.isEmpty ? "0" : bits.map { "(\($0))" }.joined(separator: " | ")
    default: return "NULL"
    }
  }

  /// Returns the outcome for a row with these hashes.
  func outcome(_ hash: Int64, whole: Int64, extra: Binding) throws(SQLiteError) -> MergeOutcome {
    defer { lookup.reset() }
    try lookup.bind(lookup.parameterCount > 1 ? [.integer(hash), extra] : [.integer(hash)])
    guard try lookup.step() else { return .new }
    if lookup.integer(at: 0) == whole { return .same }
    guard lookup.integer(at: 1) == 1 else { return .skipped }
    return policy == .fill ? .filled : .updated
  }
}

extension CopyStep {
  /// The values in which two rows of one key may differ, and which a merge may write.
  package var rowValues: [Assignment] {
    assignments.filter {
      $0.proof != nil && !identityColumns.contains($0.column) && kept[$0.column] == nil
    }
  }

  /// Returns the columns that must be empty for one of them to be filled.
  package func joint(_ column: String) -> [String] {
    jointColumns.first { $0.contains(column) }?.sorted() ?? [column]
  }

  /// Returns SQL for the outcome for a row of the source, on the values of `step`.
  package static func rowOutcome(_ root: String, _ step: CopyStep) -> String {
    let hashes = MergeRows.hashes(of: step, \.expected)
    let closed = step.closedConditions(step.assignments.map { ($0.column, $0.proof?.expected) })
    let arguments =
      [root.sqlText, hashes.key, hashes.whole, hashes.extra]
      + (closed.isEmpty ? [] : [closed.joined(separator: " OR ")])
    return "row_outcome(\(arguments.joined(separator: ", ")))"
  }
}
