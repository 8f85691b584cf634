package import DecantPlan
package import DecantSQLite

/// The objects of both stores in the order of their hashes, read in parallel.
package final class HashWalk {
  private let source: SortedHashes
  private let destination: SortedHashes
  private var isAtPartner: Bool
  /// The number of further objects of the destination with the hash of a matched one.
  private(set) var spareCount: Int64 = 0

  /// The number of objects of the source that were read.
  private(set) var count: Int64 = 0

  /// Begins at the lowest hash; among equal hashes at the lowest key, or the highest.
  package init(_ selects: Sided<String>, isReversed: Bool, on connection: Connection) throws(SQLiteError) {
    source = try SortedHashes(selects.source, isReversed: isReversed, on: connection)
    destination = try SortedHashes(selects.destination, on: connection)
    isAtPartner = try destination.step()
  }

  /// Returns the next object of the source.
  package func next() throws(SQLiteError) -> (hash: Int64, key: Int64)? {
    guard try source.step() else { return nil }
    count += 1
    return (source.hash, source.key)
  }

  /// Returns the next object of the destination with `hash`, which must not decrease.
  package func partner(of hash: Int64) throws(SQLiteError) -> Int64? {
    while isAtPartner, destination.hash < hash { isAtPartner = try destination.step() }
    guard isAtPartner, destination.hash == hash else { return nil }
    let key = destination.key
    isAtPartner = try destination.step()
    if isAtPartner, destination.hash == hash { spareCount += 1 }
    return key
  }
}
