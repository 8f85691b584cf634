package import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Updates the rows without integer keys that take values from the source, in one statement.
package struct RowUpdate: BatchCopy {
  private let connection: Connection
  private let ids: IDTable
  private let root: String
  private let step: CopyStep
  private let update: ExchangingUpdate

  /// Prepares the update of the rows of `step`; `nil` if none takes a value.
  package init?(_ step: CopyStep, _ planning: Planning, to destination: Layout, on connection: Connection)
    throws(DecantError)
  {
    let ids = planning.ids
    guard planning.counts[step.name]?.merge.updated ?? 0 > 0,
      case .unkeyed(let root, let key) = step.kind, !key.isEmpty, step.isMerging,
      let policy = step.rowRule?.policy,
      [.update, .replace, .fill, .newest, .threeWay].contains(policy), !step.rowValues.isEmpty,
      let there = destination.relation(of: root)
    else { return nil }
    let number = ids.numberedRows?.sourceNumbers(of: root)?.written
    (self.connection, self.ids, self.root, self.step) = (connection, ids, root, step)
    var columns: [String] = []
    var sets: [(column: String, value: String)] = []
    if let number { columns.append("\(number) AS n") }
    // The conditions under which a row merged value by value keeps the destination's value.
    func keeps(_ assignment: CopyStep.Assignment) -> [String] {
      guard number != nil, assignment.columnRole != nil else { return [] }
      let roles = there.columns.filter { $0.name == assignment.column && !$0.columnRole.isKey }.map(\.columnRole)
      guard !roles.isEmpty else { return [] }
      return [roles.map { MergeUpdate.keeps($0, root: root.sqlText, key: "x.n") }.joined(separator: " AND ")]
    }
    let values = Array(step.rowValues.enumerated())
    for (place, assignment) in values {
      let old = "o.\(assignment.column.sqlName)"
      var new = "x.v\(place)"
      columns.append("\(assignment.expression.uncounted) AS v\(place)")
      var stays: [String] =
        policy == .fill ? step.joint(assignment.column).map { "o.\($0.sqlName) IS NOT NULL" } : []
      stays += keeps(assignment)
      // A dangling link overwrites neither another link nor a property that is joint with it.
      let unit = step.joint(assignment.column)
      stays += values.filter { unit.contains($1.column) && !$1.expression.links.isEmpty }
        .map { "x.v\($0.0) IS NULL AND x.l\($0.0) IS NOT NULL" }
      let links = assignment.expression.links
      if !links.isEmpty {
        columns.append("coalesce(\((links.map { "\($0.key)" } + ["NULL"]).joined(separator: ", "))) AS l\(place)")
      }
      if assignment.expression.link == nil, number != nil, let columnRole = assignment.columnRole {
        new = MergeUpdate.decided(columnRole, root: root.sqlText, key: "x.n", else: new)
      }
      let value =
        stays.isEmpty
        ? new : "CASE WHEN \(stays.joined(separator: " OR ")) THEN \(old) ELSE \(new) END"
      sets.append((assignment.column.sqlName, value))
    }
    let keys = step.assignments.filter { step.identityColumns.contains($0.column) }
    columns += keys.enumerated().map { "\($1.expression.uncounted) AS k\($0)" }
    // Keys that are equal under their collation may be spelled differently.
    for (place, key) in keys.enumerated() where step.foldings[key.column] != nil && policy != .fill {
      let column = key.column.sqlName
      let stays = keeps(key).map { "WHEN \($0) THEN o.\(column) " }.joined()
      sets.append((column, stays.isEmpty ? "x.k\(place)" : "CASE \(stays)ELSE x.k\(place) END"))
    }
    let isSame = keys.enumerated().map { "o.\($1.column.sqlName) = x.k\($0)" }
    let outcomes = [MergeOutcome.updated, .filled].map { "\($0.rawValue)" }
    var select = SelectStatement(columns: columns, source: "\(step.source) AS r")
    select.conditions =
      step.filters.map { "(\($0))" }
      + ["\(step.rowOutcome(root, ids)) IN (\(outcomes.joined(separator: ", ")))"]
    update = ExchangingUpdate(
      table: step.table,
      keys: keys.map(\.column),
      values: sets.map { ($0.column, $0.value.replacing(CopyStep.written, with: "main")) },
      source: select.sql.replacing(CopyStep.written, with: "main"),
      condition: isSame.joined(separator: " AND "),
      leavesConflicts: step.leavesConflictsToTriggers,
      leaving: try explaining("cannot find the rows to remove") { () throws(SQLiteError) in
        try LeavingRows(of: there, ids, on: connection)
      }
    )
  }

  package func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch? {
    position == nil ? RowBatch(after: nil, last: .key(Int64.max)) : nil
  }

  private func write() throws(SQLiteError) -> Int64 {
    do throws(SQLiteError) {
      try connection.run(update.sql)
      return connection.changeCount
    } catch {
      return try update.run(after: error, [], on: connection)
    }
  }

  package func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome {
    do throws(SQLiteError) {
      return BatchOutcome(rows: try write())
    } catch {
      guard error.isConstraint else {
        throw DecantError("cannot update \(root)", place: error.sql, cause: error)
      }
      throw DecantError(
        .constraintViolated,
        "cannot update \(root): \(Refusal(error, step: step).reason)",
        place: "\(Refusal.place(table: step.table))",
        remedy: "use another policy: \(say: .merge, "\(root): skip")",
        cause: error
      )
    }
  }
}
