internal import CSQLite

extension Connection {
  /// Writes what is attached as `schema` into the empty file at `place`, page by page, without free pages.
  ///
  /// SQLite calls none but its own functions meanwhile, and 3.38 to 3.40 take those for JSON, which a CHECK
  /// may name, for dangerous in a schema that is not trusted.
  public func vacuum(_ schema: String, into place: String) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true)
    defer {
      // A switch that could be set a moment ago can be set back.
      try? configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    }
    try run("VACUUM \(schema.sqlName) INTO ?1", .text(place))
  }
}
