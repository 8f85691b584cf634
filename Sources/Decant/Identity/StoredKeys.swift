internal import SQLite

/// Keys in a temporary table: the form a set of keys takes when a bit for each would waste memory.
final class StoredKeys {
  private let connection: Connection
  private let insertion: Statement
  private let lookup: Statement
  private let below: Statement
  private let nth: Statement

  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let number = try connection.integer("SELECT count(*) FROM temp.sqlite_schema") ?? 0
    let table = "temp.decant_keys_\(number)"
    try connection.run("CREATE TABLE \(table) (key INTEGER PRIMARY KEY)")
    insertion = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1)")
    lookup = try connection.prepare("SELECT 1 FROM \(table) WHERE key = ?1")
    below = try connection.prepare("SELECT count(*) FROM \(table) WHERE key < ?1")
    nth = try connection.prepare("SELECT key FROM \(table) ORDER BY key LIMIT 1 OFFSET ?1")
  }

  /// Adds `key`; false if it was there already.
  func insert(_ key: Int64) throws(SQLiteError) -> Bool {
    try insertion.run(.integer(key))
    return connection.changeCount > 0
  }

  func contains(_ key: Int64) throws(SQLiteError) -> Bool {
    try first(of: lookup, key) != nil
  }

  func rank(of key: Int64) throws(SQLiteError) -> Int64 {
    try first(of: below, key) ?? 0
  }

  func key(at rank: Int64) throws(SQLiteError) -> Int64? {
    try first(of: nth, rank)
  }

  private func first(of statement: Statement, _ argument: Int64) throws(SQLiteError) -> Int64? {
    defer { statement.reset() }
    try statement.bind(.integer(argument), at: 1)
    return try statement.step() ? statement.integer(at: 0) : nil
  }
}
