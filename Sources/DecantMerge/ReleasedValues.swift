package import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// The release of the unique values that rows of the destination lose in a merge, as the next position of a list, for
/// new rows that take them.
///
/// New rows come before the updates, since links may lead to them. If the destination refuses one because another row
/// has its values, the rows of that table are updated first, and those that the merge removes get other values.
package final class ReleasedValues {
  private let connection: Connection
  private let step: CopyStep
  private let leaving: LeavingRows?
  private let update: () throws(DecantError) -> (any BatchCopy)?
  private var given: Set<String> = []
  /// The remedy for a new row that needs the values of others, if rows keep values that differ from the source's.
  package let remedy: DecantError.Text?
  /// The number of updated rows; `nil` if the table was not updated.
  package private(set) var updatedRows: Int64?

  /// Prepares the release for a step.
  ///
  /// - Parameters:
  ///   - step: The step that writes the new rows.
  ///   - planning: The merge.
  ///   - layout: The destination's layout.
  ///   - connection: The connection that writes, in one transaction.
  ///   - update: Returns the update of the step's table; `nil` if it has none.
  /// - Throws: `DecantError` if a temporary table cannot be written.
  package init?(
    _ step: CopyStep,
    _ planning: Planning,
    to layout: Layout,
    on connection: Connection,
    update: @escaping () throws(DecantError) -> (any BatchCopy)?
  ) throws(DecantError) {
    guard planning.isMerge, !planning.isNew, let root = step.objectRoot, let relation = layout.relation(of: root)
    else { return nil }
    (self.connection, self.step, self.update) = (connection, step, update)
    remedy =
      planning.counts[root]?.merge.skipped ?? 0 > 0
      ? "pass \(say: .merge, "\(root): update") to give the destination's rows the source's values first; or "
        + Refusal.remedy
      : nil
    leaving = try explaining("cannot find the rows to remove") { () throws(SQLiteError) in
      try LeavingRows(of: relation, planning.ids, on: connection)
    }
  }

  /// Releases values after a row was refused; returns whether writing it again may succeed.
  package func release(after failure: SQLiteError) throws(DecantError) -> Bool {
    guard !connection.isAutocommit, let columns = ExchangingUpdate.columns(of: failure, in: step.table),
      try explaining(
        "cannot look for triggers",
        { () throws(SQLiteError) in
          try !ExchangingUpdate.hasTriggers(step.table, on: connection)
        })
    else { return false }
    if updatedRows == nil {
      updatedRows = 0
      if let copy = try update() {
        var position: RowPosition?
        while let batch = try explaining(
          "cannot read \(step.name)", { () throws(SQLiteError) in try copy.nextBatch(after: position) })
        {
          updatedRows = try (updatedRows ?? 0) + copy.copy(batch).rows
          position = batch.last
        }
        return true
      }
    }
    guard let leaving, !columns.isSubset(of: given) else { return false }
    given.formUnion(columns)
    return try explaining("cannot release the values of removed rows") { () throws(SQLiteError) in
      try leaving.giveUp(columns) > 0
    }
  }
}
