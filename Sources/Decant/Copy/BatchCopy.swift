internal import SQLite

/// Copies one step of the plan, batch by batch.
protocol BatchCopy {
  /// Returns the rows that come after `position`, or `nil` at the end.
  func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch?
  /// Copies the rows of `batch`; inside a transaction of the caller's.
  func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome
}

/// What one batch did.
struct BatchOutcome {
  var rows: Int64 = 0
  var links: [String: LinkCounts] = [:]

  static func += (outcome: inout BatchOutcome, other: BatchOutcome) {
    outcome.rows += other.rows
    for (name, counts) in other.links { outcome.links[name, default: LinkCounts()] += counts }
  }
}
