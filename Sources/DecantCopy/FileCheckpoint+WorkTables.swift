internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The tables of the checkpoint: created, found, and dropped at the end.
extension FileCheckpoint {
  /// Returns whether `schema` holds an unfinished copy.
  static func exists(in schema: String, on connection: Connection) throws(SQLiteError) -> Bool {
    try names(in: schema, on: connection).isSuperset(of: tables)
  }

  /// The remains of an earlier run in a file.
  enum LeftOver {
    /// Nothing that can be resumed.
    case nothing
    /// The tables needed to resume a copy.
    case checkpoint
    /// The same, but written before the last restart of the machine.
    case unsure
  }

  /// Searches the file at `path` for a copy to resume.
  static func leftOver(in path: String) throws(DecantError) -> LeftOver {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      guard try exists(in: "main", on: connection) else { return .nothing }
      return try isFromEarlierBoot(on: connection) ? .unsure : .checkpoint
    } catch {
      // A file that is no database cannot be resumed; one that is temporarily unreadable must not be discarded.
      guard error.isCorrupt else { throw DecantError("cannot read “\(path)”", cause: error) }
      return .nothing
    }
  }

  /// Throws if an app has a table with the name of a work table, which must be neither used nor dropped.
  static func checkNames(
    on connection: Connection,
    place: String,
    remedy: DecantError.Text =
      "copy everything into a new store, without \(option: .where), \(option: .resume) and \(option: .onError)"
  ) throws(DecantError) {
    let taken = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try names(in: "main", on: connection)
    }
    guard let name = taken.min() else { return }
    throw DecantError(
      .unsupportedContent,
      "“\(place)” already has a table \(name), which decant needs as a work table",
      remedy: remedy
    )
  }

  /// Returns the tables in `schema` that have a work table's name.
  private static func names(in schema: String, on connection: Connection) throws(SQLiteError) -> Set<
    String
  > {
    var names: Set<String> = []
    let list = OwnTables.ofWork.map(\.sqlText).joined(separator: ", ")
    try connection.forEachRow(
      "SELECT lower(name) FROM \(schema.sqlName).sqlite_schema WHERE lower(name) IN (\(list))"
    ) { row in
      names.insert(row.text(at: 0) ?? "")
    }
    return names
  }

  /// Returns whether the unfinished copy in `main` was started before the last restart of the machine.
  ///
  /// Data that was not synced may then be lost, despite the checkpoint.
  static func isFromEarlierBoot(on connection: Connection) throws(SQLiteError) -> Bool {
    let boot = try connection.text("SELECT value FROM main.decant_run WHERE key = 'boot'")
    // If the system does not provide a boot ID, any run may have been earlier.
    return boot != Files.bootID || boot == Files.unknownBoot
  }

  /// Drops the work tables, in the caller's transaction.
  static func dropTables(on connection: Connection) throws(SQLiteError) {
    for table in OwnTables.ofWork {
      try connection.run("DROP TABLE IF EXISTS main.\(table)")
    }
  }

  static func createTables(on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE TABLE main.decant_run (key TEXT PRIMARY KEY, value TEXT)")
    try connection.run("CREATE TABLE main.decant_checkpoint (step TEXT PRIMARY KEY, position, rows INTEGER)")
    try connection.run(
      """
      CREATE TABLE main.decant_links (
        relationship TEXT PRIMARY KEY, copied INTEGER, cut INTEGER, dangling INTEGER)
      """
    )
  }
}
