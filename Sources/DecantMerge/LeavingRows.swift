internal import DecantMatch
internal import DecantStore
internal import DecantSQLite

/// The rows of a table that a merge removes at its end, which have their unique values until then.
struct LeavingRows {
  private let connection: Connection
  private let table: String
  private let keys: TemporaryTable
  private let condition: String

  /// Finds the rows of `relation` among those that the source has removed since the base; `nil` if there are none.
  init?(of relation: Relation, _ ids: IDTable, on connection: Connection) throws(SQLiteError) {
    guard let dropped = ids.baseChanges?.dropped[relation.root], dropped.count > 0 else { return nil }
    (self.connection, table) = (connection, relation.table)
    let keys = try TemporaryTable("(key INTEGER PRIMARY KEY)", on: connection)
    let insertion = try connection.prepare("INSERT INTO \(keys) VALUES (?1)")
    try dropped.forEach { key throws(SQLiteError) in try insertion.run(.integer(key)) }
    self.keys = keys
    let select = "SELECT key FROM \(keys)"
    condition =
      ids.numberedRows?.isAmong(select, of: relation.root, in: "main") ?? "o.\(relation.keyName) IN (\(select))"
  }

  /// Gives the rows other values of the same type in `columns`; returns the number of rows.
  func giveUp(_ columns: Set<String>) throws(SQLiteError) -> Int64 {
    let sets = columns.sorted().map { name in
      "\(name.sqlName) = " + ExchangingUpdate.temporaryValue(name, of: table, minus: "abs(random() / 4)")
    }
    try ExchangingUpdate.withoutChecks(on: connection) { () throws(SQLiteError) in
      try connection.run(
        "UPDATE OR ABORT main.\(table.sqlName) AS o SET \(sets.joined(separator: ", ")) WHERE \(condition)")
    }
    return connection.changeCount
  }
}
