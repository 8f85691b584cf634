package import DecantPlan
package import DecantSQLite

/// The objects of both stores in the order of their hashes, read in parallel.
package final class HashWalk {
  private let source: Statement
  private let destination: Statement
  private var isAtPartner: Bool
  /// The number of further objects of the destination with the hash of a matched one.
  private(set) var spareCount: Int64 = 0

  /// The number of objects of the source that were read.
  private(set) var count: Int64 = 0

  /// Begins at the lowest hash; among equal hashes at the lowest key, or the highest.
  package init(_ selects: Sided<String>, isReversed: Bool, on connection: Connection) throws(SQLiteError) {
    func statement(_ select: String, _ order: String) throws(SQLiteError) -> Statement {
      try connection.prepare("SELECT h, k FROM (\(select)) WHERE h IS NOT NULL ORDER BY 1, 2\(order)")
    }
    source = try statement(selects.source, isReversed ? " DESC" : "")
    destination = try statement(selects.destination, "")
    isAtPartner = try destination.step()
  }

  /// Returns the next object of the source.
  package func next() throws(SQLiteError) -> (hash: Int64, key: Int64)? {
    guard try source.step() else { return nil }
    count += 1
    return (source.integer(at: 0), source.integer(at: 1))
  }

  /// Returns the next object of the destination with `hash`, which must not decrease.
  package func partner(of hash: Int64) throws(SQLiteError) -> Int64? {
    while isAtPartner, destination.integer(at: 0) < hash { isAtPartner = try destination.step() }
    guard isAtPartner, destination.integer(at: 0) == hash else { return nil }
    let key = destination.integer(at: 1)
    isAtPartner = try destination.step()
    if isAtPartner, destination.integer(at: 0) == hash { spareCount += 1 }
    return key
  }
}
