package import DecantBase
package import DecantPlan
package import DecantSQLite

/// Copies one step of the plan, batch by batch.
package protocol BatchCopy {
  /// Returns the rows after `position`, or `nil` at the end.
  func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch?
  /// Copies the rows of `batch`, in the caller's transaction.
  func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome
}

/// The result of one batch.
package struct BatchOutcome {
  package var rows: Int64 = 0
  package var links: [String: LinkCounts] = [:]

  package init(rows: Int64 = 0, links: [String: LinkCounts] = [:]) {
    (self.rows, self.links) = (rows, links)
  }

  package init() {}

  package static func += (outcome: inout BatchOutcome, other: BatchOutcome) {
    outcome.rows += other.rows
    for (name, counts) in other.links { outcome.links[name, default: LinkCounts()] += counts }
  }
}
