package import DecantBase
package import DecantStore
package import DecantSQLite

/// The progress of a copy, stored with its rows and committed in the same transaction.
///
/// A kill therefore loses at most the current batch, and a resumed copy copies every row exactly once.
package protocol Checkpoint {
  /// Returns the last copied position of `step`, and the number of rows written so far.
  func position(of step: String) throws(SQLiteError) -> (position: RowPosition?, rows: Int64)

  /// Records that `step` is copied up to `position`; part of the batch's transaction.
  func record(_ step: String, position: RowPosition, rows: Int64, links: [String: LinkCounts]) throws(SQLiteError)

  /// Adds to the counts of a relationship's links.
  func add(_ counts: LinkCounts, to relationship: String) throws(SQLiteError)

  /// Returns the counts of copied links, by relationship.
  func links() throws(SQLiteError) -> [String: LinkCounts]

  /// Records the sums of tables without a key before the copy.
  func record(_ sums: ProofSums) throws(SQLiteError)

  /// Returns the recorded sums; `nil` if there are none.
  func sums() throws(SQLiteError) -> ProofSums?

  /// Records that counters, indexes and everything else beside the rows are complete.
  func setFinished() throws(SQLiteError)

  /// Returns whether everything beside the rows is complete.
  func isFinished() throws(SQLiteError) -> Bool
}
