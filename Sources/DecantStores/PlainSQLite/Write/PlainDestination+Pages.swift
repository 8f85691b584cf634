package import Decant
package import SQLite

extension PlainDestination {
  /// Gives rows that VACUUM INTO has numbered anew the numbers that they had.
  ///
  /// It does so in tables with a CHECK and without a column for the number: SQLite does not read the
  /// CHECKs of a file that is open for reading only, finds source and copy different, and copies row by
  /// row. What leads to the numbers, an index for searching in texts, say, would lead to strangers.
  package func completePages(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot copy the pages of “\(path)”") { () throws(SQLiteError) in
      for table in schema.tables {
        guard table.mayLoseRowIDs, let rowID = table.rowID,
          try isRenumbered(table.name, rowID, source, connection)
        else { continue }
        try connection.transaction { () throws(SQLiteError) in
          let columns = table.columns.filter { !$0.isGenerated }.map(\.name.sqlName)
          let list = ([rowID] + columns).joined(separator: ", ")
          try connection.run("DELETE FROM main.\(table.name.sqlName)")
          try connection.run(
            """
            INSERT INTO main.\(table.name.sqlName) (\(list))
            SELECT \(list) FROM \(source.sqlName).\(table.name.sqlName) NOT INDEXED
            """
          )
        }
      }
    }
  }

  /// Whether the rows of `table` are numbered 1, 2, 3 in the copy and otherwise in the source.
  private func isRenumbered(
    _ table: String,
    _ rowID: String,
    _ source: String,
    _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    func numbers(_ schema: String) throws(SQLiteError) -> [Int64?] {
      try ["min", "max"].map { function throws(SQLiteError) in
        try connection.integer(
          "SELECT \(function)(\(rowID)) FROM \(schema.sqlName).\(table.sqlName)"
        )
      }
    }
    return try numbers("main") != numbers(source)
  }
}
