internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The tables that hold the checkpoint: made, found, and dropped at the end.
extension FileCheckpoint {
  /// Whether `schema` holds an unfinished copy.
  static func exists(in schema: String, on connection: Connection) throws(SQLiteError) -> Bool {
    try names(in: schema, on: connection).isSuperset(of: tables)
  }

  /// What an earlier run has left in a file.
  enum LeftOver {
    /// Nothing that can be resumed.
    case nothing
    /// The tables by which a copy is resumed.
    case checkpoint
    /// The same, but from before the machine was started again.
    case unsure
  }

  /// Looks for what can be resumed in the file at `path`.
  static func leftOver(in path: String) throws(DecantError) -> LeftOver {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      guard try exists(in: "main", on: connection) else { return .nothing }
      return try isFromEarlierBoot(on: connection) ? .unsure : .checkpoint
    } catch {
      // What is no database cannot be resumed; what cannot be read at this moment must not be thrown away.
      guard error.isCorrupt else { throw DecantError("cannot read “\(path)”", cause: error) }
      return .nothing
    }
  }

  /// Throws if an app has a table with the name of a work table: it must be neither used nor dropped.
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

  /// The tables in `schema` that have a work table's name.
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

  /// Whether the unfinished copy in `main` was begun before the machine was started the last time.
  ///
  /// What was not synced may be gone then, whatever the checkpoint says.
  static func isFromEarlierBoot(on connection: Connection) throws(SQLiteError) -> Bool {
    let boot = try connection.text("SELECT value FROM main.decant_run WHERE key = 'boot'")
    // Where the system does not tell, any run may have been before.
    return boot != Files.bootID || boot == Files.unknownBoot
  }

  /// Drops the work tables, in a transaction of the caller's.
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
