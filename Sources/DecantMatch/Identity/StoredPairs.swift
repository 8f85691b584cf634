package import DecantSQLite

/// Which object of the source is which of the destination, pair by pair, in a temporary table.
///
/// The form an ID map takes where no rule leads from one key to the other, as when objects were
/// matched by what they hold: on disk, so that memory does not grow with them.
package final class StoredPairs {
  /// Its columns are `source` and `destination`.
  package let table: TemporaryTable
  private let connection: Connection
  private let bySource: Statement
  private let byDestination: Statement

  /// Makes an empty table; no object of either side may be in two pairs.
  package init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    table = try TemporaryTable("(source INTEGER PRIMARY KEY, destination INTEGER NOT NULL UNIQUE)", on: connection)
    bySource = try connection.prepare("SELECT destination FROM \(table) WHERE source = ?1")
    byDestination = try connection.prepare("SELECT source FROM \(table) WHERE destination = ?1")
  }

  /// Adds one pair.
  func add(_ source: Int64, _ destination: Int64) throws(SQLiteError) {
    try connection.run("INSERT INTO \(table) VALUES (?1, ?2)", .integer(source), .integer(destination))
  }

  /// Adds the pairs that `select`, of two columns, gives; returns how many they are.
  package func add(_ select: String) throws(SQLiteError) -> Int64 {
    try connection.run("INSERT INTO \(table) \(select)")
    return connection.changeCount
  }

  func destination(of key: Int64) throws(SQLiteError) -> Int64? { try first(of: bySource, key) }

  func source(of key: Int64) throws(SQLiteError) -> Int64? { try first(of: byDestination, key) }

  func highestDestination() throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT max(destination) FROM \(table)")
  }

  /// The keys of the source that have a partner, all of them among `existing`.
  func sources(among existing: KeySet) throws(SQLiteError) -> KeySet {
    guard let bounds = try existing.bounds() else { return existing }
    let set = try KeySet(range: bounds, expecting: existing.count, on: connection)
    try connection.forEachRow("SELECT source FROM \(table) ORDER BY source") {
      row throws(SQLiteError) in
      try set.insert(row.integer(at: 0))
    }
    try set.seal()
    return set
  }

  private func first(of statement: Statement, _ key: Int64) throws(SQLiteError) -> Int64? {
    defer { statement.reset() }
    try statement.bind(.integer(key), at: 1)
    return try statement.step() ? statement.integer(at: 0) : nil
  }
}
