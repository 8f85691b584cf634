internal import DecantPlan
internal import DecantSQLite

/// A copied row, which is in the destination only if the copy was committed.
struct CopiedRow {
  let table: String
  let keyColumn: String
  let key: Int64

  /// Chooses one of the rows copied by `steps`; `nil` if none has an integer key.
  init?(among steps: [CopyStep], on connection: Connection) throws(SQLiteError) {
    for step in steps {
      guard case .objects(let root) = step.kind else { continue }
      let key = step.keyColumn.sqlName
      let found = try connection.integer(
        """
        SELECT \(key) FROM main.\(step.table.sqlName)
        WHERE origin(\(root.sqlText), \(key)) IS NOT NULL ORDER BY \(key) DESC LIMIT 1
        """
      )
      guard let found else { continue }
      (table, keyColumn, self.key) = (step.table, step.keyColumn, found)
      return
    }
    return nil
  }

  /// Returns whether the destination contains it.
  func isThere(on connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer("SELECT 1 FROM main.\(table.sqlName) WHERE \(keyColumn.sqlName) = ?1", .integer(key)) != nil
  }
}
