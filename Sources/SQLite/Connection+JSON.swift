internal import CSQLite

extension Connection {
  /// Whether this SQLite takes its own JSON functions for dangerous, as 3.40 does by mistake.
  ///
  /// It refuses to open a database that has one of them in an index, a generated column or a CHECK as
  /// soon as the schema is not trusted.
  private static let refusesJSON: Bool = {
    var opened: OpaquePointer?
    defer { sqlite3_close_v2(opened) }
    guard sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      decant_sqlite_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0) == SQLITE_OK
    else { return false }
    return sqlite3_exec(opened, "CREATE TABLE t (a CHECK (json_valid(a)))", nil, nil, nil)
      != SQLITE_OK
  }()

  /// Runs `open`, which makes `schema` known, and has the schema trusted if JSON functions are in it.
  ///
  /// What it may do then is still harmless: SQLite's other functions that are not are refused to every
  /// schema, extensions are off, and decant's own are for direct use only or harmless.
  func admittingJSON(in schema: String, _ open: () throws(SQLiteError) -> Void) throws(SQLiteError)
  {
    guard Connection.refusesJSON, !admitsJSON else { return try open() }
    // Reading the schema is what fails; nothing that stands in it is run by that.
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true)
    defer {
      // A switch that could be set a moment ago can be set back.
      if !admitsJSON { try? configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false) }
    }
    try open()
    do throws(SQLiteError) {
      let names = "sql LIKE '%json%' OR sql LIKE '%->%'"
      admitsJSON =
        try integer("SELECT 1 FROM \(schema.sqlName).sqlite_schema WHERE \(names) LIMIT 1") != nil
    } catch {
      // Whatever cannot be read now says so to the statement that asks for it.
    }
  }
}
