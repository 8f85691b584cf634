internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite

/// The tables of a store in PostgreSQL, as they are read.
struct ServerTables {
  let server: Server
  let schema: ServerSchema
  let statements: ServerStatements

  private static let context = "cannot read the tables"

  /// Reads the rows of all tables, in one state, into tables of the same names in `scratch`.
  ///
  /// An open transaction of `connection` is used, which has to see one state. `sent` is the database from which the rows
  /// were sent, if they are read back.
  func fetch(into scratch: Connection, numberedAs sent: Connection? = nil, on connection: PostgresConnection)
    throws(DecantError)
  {
    guard !connection.isInTransaction else { return try fetchRows(into: scratch, numberedAs: sent, on: connection) }
    try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") { () throws(DecantError) in
      try fetchRows(into: scratch, numberedAs: sent, on: connection)
    } explaining: { error in
      server.error(error, ServerTables.context)
    }
  }

  private func fetchRows(into scratch: Connection, numberedAs sent: Connection?, on connection: PostgresConnection)
    throws(DecantError)
  {
    // Rows come in the order in which they are stored.
    try server.explaining(ServerTables.context) { () throws(PostgresError) in
      try connection.run("SET LOCAL synchronize_seqscans = off")
      try connection.run("SET LOCAL max_parallel_workers_per_gather = 0")
    }
    try explaining(ServerTables.context) { () throws(SQLiteError) in try scratch.run("BEGIN") }
    for table in schema.tables {
      try RowTransfer(server: server, table: table, statements: statements)
        .fetch(into: scratch, numberedAs: sent, on: connection)
    }
    try explaining(ServerTables.context) { () throws(SQLiteError) in try scratch.run("COMMIT") }
  }
}

extension Connection {
  /// Sets the page caches of all databases for rows in the order of their keys, for which few pages are enough.
  ///
  /// Measured with 1.75 million rows: a sixteenth of the memory, and no more time.
  func takeCachesForOrder() throws(SQLiteError) {
    var names: Set = ["main", "temp"]
    try forEachRow("SELECT name FROM pragma_database_list") { names.insert($0.text(at: 0) ?? "main") }
    for name in names { try run("PRAGMA \(name.sqlName).cache_size = -\(PageCache.limit / 1024 / 32)") }
  }
}

/// A temporary database with the tables of a store.
enum ScratchTables {
  /// Creates a database at `path`, which need not survive a crash, and its tables; `encoding` is that of its texts.
  static func make(
    at path: String,
    encoding: String = "UTF-8",
    _ tables: (Connection) throws(DecantError) -> Void
  ) throws(DecantError) -> Connection {
    let connection = try explaining("cannot create a temporary database") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .create)
      for pragma in ["encoding = \(encoding.sqlText)", "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"]
      {
        try connection.run("PRAGMA \(pragma)")
      }
      try connection.takeCachesForOrder()
      return connection
    }
    try tables(connection)
    return connection
  }
}
