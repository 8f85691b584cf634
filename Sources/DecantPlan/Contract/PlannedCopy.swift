package import DecantBase
package import DecantStore
package import DecantSQLite

/// What a place that is written to has to know of a copy that is planned.
package protocol PlannedCopy {
  /// The short name of the plan: a run of the same plan has the same one.
  var planHash: String { get }
  /// What is copied, pass by pass.
  var steps: [CopyStep] { get }
  /// Rows to be written by each step.
  var rowCounts: [String: Int64] { get }
  /// The state of the source that was read.
  var fingerprint: Fingerprint { get }
  /// The source's place, as the user named it.
  var sourcePlace: String { get }
  /// The size of the source's file, in bytes.
  var sourceByteCount: Int64 { get }
  /// For each root entity, the highest key the destination had allocated before.
  var counters: [String: Int64] { get }

  /// For each root entity that gets objects, the highest key that will be allocated.
  func highestKeys() throws(DecantError) -> [String: Int64]

  /// The objects that are written; `connection` is the one that wrote.
  func writtenObjects(on connection: Connection) throws(DecantError) -> WrittenObjects

  /// Whether objects of the root entity `root` that are there take values of the source.
  func changesObjects(of root: String) -> Bool
}
