package import Decant
package import SQLite

extension PlainDestination {
  /// Whether VACUUM INTO can copy the source's pages.
  ///
  /// Where a table has a CHECK, it copies row by row, as `completePages` tells, and then fails over
  /// generated columns.
  var canVacuumInto: Bool {
    !schema.tables.contains { $0.mayHaveCheck && $0.columns.contains(where: \.isGenerated) }
  }

  /// Gives rows that VACUUM INTO has numbered anew the numbers that they had.
  ///
  /// It does so in tables with a CHECK and without a column for the number: SQLite does not read the
  /// CHECKs of a file that is open for reading only, finds source and copy different, and copies row by
  /// row. What leads to the numbers, an index for searching in texts, say, would lead to strangers.
  package func completePages(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot copy the pages of “\(path)”") { () throws(SQLiteError) in
      for table in schema.tables {
        guard table.virtual == nil, table.rowIDAlias == nil, let rowID = table.rowID,
          table.mayHaveCheck,
          try isRenumbered(table.name, rowID, source, connection)
        else { continue }
        try connection.run("PRAGMA ignore_check_constraints = ON")
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
        try connection.run("PRAGMA ignore_check_constraints = OFF")
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

extension TableSchema {
  /// Whether the table's statement may have a CHECK in it: the word is there.
  fileprivate var mayHaveCheck: Bool { sql.foldedName.contains("check") }
}
