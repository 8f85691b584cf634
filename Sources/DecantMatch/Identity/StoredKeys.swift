internal import DecantSQLite

/// Keys in a temporary table: the form of a sparse set, for which a bit per key would waste memory.
final class StoredKeys {
  private let connection: Connection
  private let insertion: Statement
  private let lookup: Statement
  private let table: TemporaryTable
  /// The keys with their ranks, once sealed.
  private var ranked: (rank: Statement, key: Statement, table: TemporaryTable)?
  private let next: Statement
  private let between: Statement
  private let all: Statement

  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let table = try TemporaryTable("(key INTEGER PRIMARY KEY)", on: connection)
    insertion = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1)")
    lookup = try connection.prepare("SELECT 1 FROM \(table) WHERE key = ?1")
    next = try connection.prepare(
      """
      SELECT max(key), count(*) FROM
        (SELECT key FROM \(table) WHERE key >= ?1 ORDER BY key LIMIT ?2)
      """
    )
    between = try connection.prepare("SELECT count(*) FROM \(table) WHERE key BETWEEN ?1 AND ?2")
    all = try connection.prepare("SELECT key FROM \(table) ORDER BY key")
    self.table = table
  }

  /// Assigns a rank to every key; called after the last insertion.
  func seal() throws(SQLiteError) {
    let ranked = try TemporaryTable("(place INTEGER PRIMARY KEY, key INTEGER UNIQUE)", on: connection)
    try connection.run("INSERT INTO \(ranked) (key) SELECT key FROM \(table) ORDER BY key")
    self.ranked = (
      rank: try connection.prepare("SELECT place - 1 FROM \(ranked) WHERE key >= ?1 ORDER BY key LIMIT 1"),
      key: try connection.prepare("SELECT key FROM \(ranked) WHERE place = ?1 + 1"),
      table: ranked
    )
  }

  /// Adds `key`; returns false if it was already there.
  func insert(_ key: Int64) throws(SQLiteError) -> Bool {
    try insertion.run(.integer(key))
    return connection.changeCount > 0
  }

  func contains(_ key: Int64) throws(SQLiteError) -> Bool {
    try first(of: lookup, key) != nil
  }

  /// Returns the number of keys below `key`, or `nil` if all are.
  func rank(of key: Int64) throws(SQLiteError) -> Int64? {
    guard let ranked else { return nil }
    return try first(of: ranked.rank, key)
  }

  func key(at rank: Int64) throws(SQLiteError) -> Int64? {
    guard let ranked else { return nil }
    return try first(of: ranked.key, rank)
  }

  func batchEnd(after key: Int64?, limit: Int64) throws(SQLiteError) -> (last: Int64, count: Int64)? {
    if key == Int64.max { return nil }
    defer { next.reset() }
    try next.bind([.integer(key.map { $0 + 1 } ?? Int64.min), .integer(limit)])
    guard try next.step(), let last = next.integerOrNil(at: 0) else { return nil }
    return (last, next.integer(at: 1))
  }

  func count(in range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    defer { between.reset() }
    try between.bind([.integer(range.lowerBound), .integer(range.upperBound)])
    return try between.step() ? between.integer(at: 0) : 0
  }

  func forEach(_ body: (Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    defer { all.reset() }
    while try all.step() { try body(all.integer(at: 0)) }
  }

  private func first(of statement: Statement, _ argument: Int64) throws(SQLiteError) -> Int64? {
    defer { statement.reset() }
    try statement.bind(.integer(argument), at: 1)
    return try statement.step() ? statement.integer(at: 0) : nil
  }
}
