internal import SQLite

/// The tables in the destination that hold the checkpoint: made, found, and dropped at the end.
extension Checkpoint {
  /// Whether `schema` holds an unfinished copy.
  static func exists(in schema: String, on connection: Connection) throws(SQLiteError) -> Bool {
    guard try names(in: schema, on: connection).isSuperset(of: tables) else { return false }
    return try !isOnlyPrepared(schema, on: connection)
  }

  /// Whether `schema` holds work tables, be it only those that were prepared, which no app made under their
  /// names.
  static func isThere(in schema: String, on connection: Connection) throws(SQLiteError) -> Bool {
    guard try names(in: schema, on: connection).isSuperset(of: tables) else { return false }
    let columns = "SELECT group_concat(name) FROM pragma_table_info(?1, ?2)"
    for (table, expected) in zip(
      tables,
      [
        "key,value", "step,position,rows", "relationship,copied,cut,dangling", "entity,counter",
      ]
    ) {
      let found = try connection.text(columns, .text(table), .text(schema))
      guard found == expected else { return false }
    }
    return true
  }

  /// Whether the work tables in `schema` say how the store kept its journal, and nothing of any copy yet.
  static func isOnlyPrepared(_ schema: String, on connection: Connection)
    throws(SQLiteError) -> Bool
  {
    // A table of an app's own that has the name may have any columns.
    let columns = "SELECT group_concat(name) FROM pragma_table_info('decant_run', ?1)"
    guard try connection.text(columns, .text(schema)) == "key,value" else { return false }
    let keys = "SELECT group_concat(key) FROM \(schema.sqlName).decant_run"
    return try connection.text(keys) == "journal"
  }

  /// Says that the store at `place` holds an unfinished copy, to somebody who does not mean to complete
  /// it.
  static func unfinished(_ place: String) -> DecantError {
    DecantError(
      .failed,
      "“\(place)” holds a part of a copy that was cut off",
      place: "tables decant_…",
      remedy:
        "complete it with the command that was cut off and --resume, or put the backup back: decant rollback "
        + place.shellWord
    )
  }

  /// Throws if an app has a table with the name of a work table: it must be neither used nor dropped.
  static func checkNames(on connection: Connection, place: String) throws(DecantError) {
    let taken = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try names(in: "main", on: connection)
    }
    guard let name = taken.min() else { return }
    throw DecantError(
      .failed,
      "“\(place)” has a table \(name) of its own, which is the name of a work table",
      remedy: "copy everything into a new store, without --where, --resume, --on-error and --commit"
    )
  }

  /// The tables in `schema` that have a work table's name.
  static func names(in schema: String, on connection: Connection) throws(SQLiteError)
    -> Set<
      String
    >
  {
    var names: Set<String> = []
    let list = allTables.map(\.sqlText).joined(separator: ", ")
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

  /// Returns how the store kept its journal before.
  static func journalMode(on connection: Connection) throws(SQLiteError) -> String? {
    let mode = try connection.text("SELECT value FROM main.decant_run WHERE key = 'journal'")
    return mode.flatMap { ["wal", "delete", "truncate", "persist"].contains($0) ? $0 : nil }
  }

  /// Makes the work tables, with nothing in them but how the store keeps its journal.
  ///
  /// That has to be on the disk before another journal is taken, as nothing else tells it afterwards. Until
  /// the circumstances are written down there is no unfinished copy, only something to be cleared.
  static func prepare(journalMode: String, on connection: Connection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      try createTables(on: connection)
      try connection.run(
        "INSERT INTO main.decant_run VALUES ('journal', ?1)",
        .text(journalMode)
      )
    }
  }

  /// Clears what a run that was cut off had only prepared, and gives the store its journal back.
  static func clearPrepared(on connection: Connection) throws(SQLiteError) {
    guard try names(in: "main", on: connection).isSuperset(of: tables),
      try isOnlyPrepared("main", on: connection)
    else { return }
    try finish(on: connection)
  }

  /// Gives the store its journal back, and then drops the work tables, which say which it was.
  static func finish(on connection: Connection) throws(SQLiteError) {
    try restoreJournal(on: connection)
    try connection.transaction { () throws(SQLiteError) in try dropTables(on: connection) }
  }

  /// Gives the store its journal back, as the work tables say it was.
  static func restoreJournal(on connection: Connection) throws(SQLiteError) {
    guard let mode = try journalMode(on: connection) else { return }
    _ = try connection.text("PRAGMA main.journal_mode = \(mode)")
  }

  /// Drops the work tables, in a transaction of the caller's.
  static func dropTables(on connection: Connection) throws(SQLiteError) {
    for table in allTables {
      try connection.run("DROP TABLE IF EXISTS main.\(table)")
    }
  }

  static func createTables(on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE TABLE main.decant_run (key TEXT PRIMARY KEY, value TEXT)")
    try connection.run(
      "CREATE TABLE main.decant_checkpoint (step TEXT PRIMARY KEY, position, rows INTEGER)"
    )
    try connection.run(
      """
      CREATE TABLE main.decant_links (
        relationship TEXT PRIMARY KEY, copied INTEGER, cut INTEGER, dangling INTEGER)
      """
    )
    try connection.run("CREATE TABLE main.decant_ids (entity TEXT PRIMARY KEY, counter INTEGER)")
    try connection.run(
      """
      CREATE TABLE main.decant_merge (
        root TEXT, source INTEGER, kind TEXT, other INTEGER, outcome INTEGER,
        PRIMARY KEY (root, source, kind)) WITHOUT ROWID
      """
    )
  }
}
