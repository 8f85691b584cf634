package import DecantBase
package import DecantStore
package import DecantSQLite

/// The properties of a planned copy that a writable place needs.
package protocol PlannedCopy {
  /// The hash of the plan: a run of the same plan has the same one.
  var planHash: String { get }
  /// The steps of the copy.
  var steps: [CopyStep] { get }
  /// The number of rows that each step writes.
  var rowCounts: [String: Int64] { get }
  /// The state of the source that was read.
  var fingerprint: Fingerprint { get }
  /// The source's place as the user named it.
  var sourcePlace: String { get }
  /// The size of the source's file, in bytes.
  var sourceByteCount: Int64 { get }
  /// For each root entity, the highest key that the destination had allocated before.
  var counters: [String: Int64] { get }

  /// Returns, for each root entity that gets objects, the highest key that will be allocated.
  func highestKeys() throws(DecantError) -> [String: Int64]

  /// Returns the key in the source of the object of the root entity `root` that gets `key`; `nil` if there is none.
  func sourceKey(of key: Int64, in root: String) throws(DecantError) -> Int64?

  /// Returns the written objects; `connection` is the one that wrote them.
  func writtenObjects(on connection: Connection) throws(DecantError) -> WrittenObjects

  /// Returns whether existing objects of the root entity `root` take values of the source.
  func changesObjects(of root: String) -> Bool
}
