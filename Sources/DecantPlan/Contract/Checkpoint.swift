package import DecantBase
package import DecantStore
package import DecantSQLite

/// How far a copy has come, kept where its rows are written and committed with the rows it speaks of.
///
/// A kill at any instant therefore loses at most the batch in flight, and going on copies every row
/// exactly once.
package protocol Checkpoint {
  /// Returns up to where `step` is copied, and the rows written up to there.
  func position(of step: String) throws(SQLiteError) -> (position: RowPosition?, rows: Int64)

  /// Writes down that `step` is copied up to `position`; part of the batch's transaction.
  func record(_ step: String, position: RowPosition, rows: Int64, links: [String: LinkCounts]) throws(SQLiteError)

  /// Adds to what is counted of a relationship's links.
  func add(_ counts: LinkCounts, to relationship: String) throws(SQLiteError)

  /// Returns the links copied so far, by relationship.
  func links() throws(SQLiteError) -> [String: LinkCounts]

  /// Writes down what tables held before the copy in which no key tells its rows.
  func record(_ sums: ProofSums) throws(SQLiteError)

  /// Returns what `record` wrote down; `nil` where nothing was.
  func sums() throws(SQLiteError) -> ProofSums?

  /// Notes that counters, indexes and everything else beside the rows are done.
  func setFinished() throws(SQLiteError)

  /// Whether everything beside the rows is done.
  func isFinished() throws(SQLiteError) -> Bool
}
