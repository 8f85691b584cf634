internal import CDecantSQLite

extension Connection {
  /// Lets statements run although they meet collations that only the app knows which made the database.
  ///
  /// Nothing can be compared or sorted by them. What stands in for each calls every text greater than
  /// the one before: rows that come in the order of an index are entered in that order into its copy, as
  /// VACUUM does, and the index is what it was. Statements that look anything up by such a column find
  /// nothing, and must not be written.
  public func acceptUnknownCollations() throws(SQLiteError) {
    try check(
      sqlite3_collation_needed(handle, nil) { _, handle, encoding, name in
        sqlite3_create_collation_v2(handle, name, encoding, nil, { _, _, _, _, _ in -1 }, nil)
      }
    )
  }
}
