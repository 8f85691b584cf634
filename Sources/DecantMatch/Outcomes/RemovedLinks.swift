package import DecantSQLite

/// The many-to-many links that one of two stores removed since the base, in a temporary table.
package final class RemovedLinks {
  private let connection: Connection
  private let insertion: Statement
  private let lookup: Statement
  private let table: TemporaryTable
  package private(set) var count: Int64 = 0

  package init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    table = try TemporaryTable(
      "(name TEXT, owner INTEGER, target INTEGER, PRIMARY KEY (name, owner, target)) WITHOUT ROWID",
      on: connection
    )
    insertion = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2, ?3)")
    lookup = try connection.prepare("SELECT 1 FROM \(table) WHERE name = ?1 AND owner = ?2 AND target = ?3")
  }

  package func add(_ name: String, _ owner: Int64, _ target: Int64) throws(SQLiteError) {
    try insertion.run(.text(name), .integer(owner), .integer(target))
    count += connection.changeCount
  }

  func contains(_ name: String, _ owner: Int64, _ target: Int64) throws(SQLiteError) -> Bool {
    guard count > 0 else { return false }
    defer { lookup.reset() }
    try lookup.bind([.text(name), .integer(owner), .integer(target)])
    return try lookup.step()
  }

  /// Calls `body` with both keys of every link of the relationship `name`.
  package func forEach(_ name: String, _ body: (Int64, Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    guard count > 0 else { return }
    try connection.forEachRow(
      "SELECT owner, target FROM \(table) WHERE name = ?1",
      .text(name)
    ) { row throws(SQLiteError) in try body(row.integer(at: 0), row.integer(at: 1)) }
  }
}
