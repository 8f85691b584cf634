internal import SQLite

/// Writes values of the source into the rows without integer keys that take them: in one statement.
struct RowUpdate: BatchCopy {
  private let connection: Connection
  private let ids: IDTable
  private let root: String
  private let step: CopyStep
  private let sql: String

  /// Prepares the update of the rows of `step`; `nil` where none can take anything.
  init?(_ step: CopyStep, _ planning: Planning, on connection: Connection) {
    let ids = planning.ids
    guard planning.counts[step.name]?.merge.updated ?? 0 > 0,
      case .unkeyed(let root, let key) = step.kind, !key.isEmpty, step.isMerging,
      let policy = step.rowRule?.policy, [.update, .replace, .fill, .newest].contains(policy),
      !step.rowValues.isEmpty
    else { return nil }
    (self.connection, self.ids, self.root, self.step) = (connection, ids, root, step)
    var columns: [String] = []
    var sets: [String] = []
    for (number, assignment) in step.rowValues.enumerated() {
      let (old, new) = ("o.\(assignment.column.sqlName)", "x.v\(number)")
      columns.append("\(assignment.expression.uncounted) AS v\(number)")
      var stays: [String] = policy == .fill ? ["\(old) IS NOT NULL"] : []
      if let link = assignment.expression.link {
        // A link that leads nowhere overwrites none.
        columns.append("\(link.key) AS l\(number)")
        stays.append("\(new) IS NULL AND x.l\(number) IS NOT NULL")
      }
      let value =
        stays.isEmpty
        ? new : "CASE WHEN \(stays.joined(separator: " OR ")) THEN \(old) ELSE \(new) END"
      sets.append("\(assignment.column.sqlName) = \(value)")
    }
    let keys = step.assignments.filter { step.identityColumns.contains($0.column) }
    columns += keys.enumerated().map { "\($1.expression.uncounted) AS k\($0)" }
    // Keys that their collation takes for equal may be written in another way.
    for (number, key) in keys.enumerated() where step.foldings[key.column] != nil && policy != .fill
    {
      sets.append("\(key.column.sqlName) = x.k\(number)")
    }
    let isSame = keys.enumerated().map { "o.\($1.column.sqlName) = x.k\($0)" }
    let outcomes = [MergeOutcome.updated, .filled].map { "\($0.rawValue)" }
    var select = SelectStatement(columns: columns, source: "\(step.source) AS r")
    select.conditions =
      step.filters.map { "(\($0))" }
      + ["\(step.rowOutcome(root)) IN (\(outcomes.joined(separator: ", ")))"]
    sql =
      """
      UPDATE main.\(step.table.sqlName) AS o SET \(sets.joined(separator: ", "))
      FROM (\(select.sql)) AS x WHERE \(isSame.joined(separator: " AND "))
      """.replacing(CopyStep.written, with: "main")
  }

  func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch? {
    position == nil ? RowBatch(after: nil, last: .key(Int64.max)) : nil
  }

  func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome {
    do throws(SQLiteError) {
      try connection.run(sql)
      return BatchOutcome(rows: connection.changeCount)
    } catch {
      guard error.isConstraint else {
        throw DecantError("cannot update \(root)", place: error.sql, cause: error)
      }
      throw DecantError(
        .failed,
        "cannot update \(root): \(Refusal(error, step: step).reason)",
        place: "table \(step.table) of the destination",
        remedy: "choose another policy: --merge '\(root): skip'",
        cause: error
      )
    }
  }
}
