internal import DecantPlan
internal import DecantSQLite

/// The objects of two stores with equal hashes and equal keys, and the others.
///
/// Among many objects with equal content, those with equal keys are matched.
final class EqualKeys {
  private let connection: Connection
  private let tables: Sided<TemporaryTable>

  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    tables = try Sided.tables("(h INTEGER NOT NULL, k INTEGER NOT NULL)", on: connection)
  }

  /// The objects without a partner of the same key, as SELECTs of `h` and `k`.
  var others: Sided<String> { Sided { "SELECT h, k FROM \(tables[$0])" } }

  /// Reads both stores in key order, in parallel.
  ///
  /// - Parameters:
  ///   - selects: SELECTs of the hash `h` and the key `k` of each object.
  ///   - found: Called with each key that has the same hash in both stores.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func find(_ selects: Sided<String>, _ found: (Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    // In key order nothing needs to be sorted.
    let source = try connection.prepare("SELECT h, k FROM (\(selects.source)) ORDER BY k")
    let destination = try connection.prepare("SELECT h, k FROM (\(selects.destination)) ORDER BY k")
    let insertion = Sided(
      try connection.prepare("INSERT INTO \(tables.source) VALUES (?1, ?2)"),
      try connection.prepare("INSERT INTO \(tables.destination) VALUES (?1, ?2)")
    )
    func next(_ rows: Statement) throws(SQLiteError) -> (hash: Int64, key: Int64)? {
      while try rows.step() {
        // Not a condition of the query, which would compute each hash twice.
        if rows.type(at: 0) != .null { return (rows.integer(at: 0), rows.integer(at: 1)) }
      }
      return nil
    }
    var (here, there) = (try next(source), try next(destination))
    while here != nil || there != nil {
      // Negative if the source's object is next, positive for the destination's.
      let order =
        switch (here, there) {
        case (let one?, let other?): one.key == other.key ? 0 : one.key < other.key ? -1 : 1
        case (_, nil): -1
        case (nil, _): 1
        }
      if order == 0, let one = here, one.hash == there?.hash {
        try found(one.key)
      } else {
        if order <= 0, let one = here {
          try insertion.source.run(.integer(one.hash), .integer(one.key))
        }
        if order >= 0, let other = there {
          try insertion.destination.run(.integer(other.hash), .integer(other.key))
        }
      }
      if order <= 0 { here = try next(source) }
      if order >= 0 { there = try next(destination) }
    }
  }
}
