package import DecantSQLite

/// The pairs of equal objects of source and destination, in a temporary table.
///
/// An ID map uses it if keys follow no rule, for example if objects were matched by content. It is on disk, so that
/// memory use does not grow.
package final class StoredPairs {
  /// The table, with the columns `source` and `destination`.
  package let table: TemporaryTable
  private let connection: Connection
  private let bySource: Statement
  private let byDestination: Statement

  /// Creates an empty table; an object can be in only one pair.
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

  /// Adds the pairs of `select`, which has two columns; returns their number.
  package func add(_ select: String) throws(SQLiteError) -> Int64 {
    try connection.run("INSERT INTO \(table) \(select)")
    return connection.changeCount
  }

  func destination(of key: Int64) throws(SQLiteError) -> Int64? { try first(of: bySource, key) }

  func source(of key: Int64) throws(SQLiteError) -> Int64? { try first(of: byDestination, key) }

  func highestDestination() throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT max(destination) FROM \(table)")
  }

  /// Returns the keys of the source that have a partner, all of which are in `existing`.
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
