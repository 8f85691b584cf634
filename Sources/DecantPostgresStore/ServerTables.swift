internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema

/// The tables of a store in PostgreSQL, for reading.
struct ServerTables {
  let server: Server
  let schema: ServerSchema
  let statements: ServerStatements

  private static let context = "cannot read the tables"

  /// Reads the rows of all tables, in one state, into tables with the same names in `scratch`.
  ///
  /// An open transaction of `connection` is used, if any; it must provide one state. If the rows are read back, `sent`
  /// is the database from which they were sent. Rows that `scratch` refuses are left out and recorded in `broken`;
  /// without it, they are an error. Returns which values were rounded.
  @discardableResult
  func fetch(
    into scratch: Connection,
    numberedAs sent: Connection? = nil,
    recordingIn broken: BrokenRules? = nil,
    on connection: PostgresConnection
  ) throws(DecantError) -> RoundedValues {
    var rounded = RoundedValues()
    try inOneState(on: connection) { () throws(DecantError) in
      try explaining(ServerTables.context) { () throws(SQLiteError) in try scratch.run("BEGIN") }
      for table in schema.tables {
        let found = try RowTransfer(server: server, table: table, statements: statements)
          .fetch(into: scratch, numberedAs: sent, recordingIn: broken, on: connection)
        rounded.add(found)
      }
      try explaining(ServerTables.context) { () throws(SQLiteError) in try scratch.run("COMMIT") }
    }
    return rounded
  }

  /// Whether all tables have the rows of `sent`, from which they were filled or, unless they are new, changed.
  ///
  /// `canCompare` must be true. If only some rows of the tables are read, `conditions` are those of theirs on a row `r` of
  /// `sent`, by table.
  func areEqual(
    to sent: Connection, where conditions: [String: String] = [:], areNew: Bool, on connection: PostgresConnection
  ) throws(DecantError) -> Bool {
    var areEqual = true
    try inOneState(on: connection) { () throws(DecantError) in
      for table in schema.tables where areEqual {
        areEqual = try RowTransfer(server: server, table: table, statements: statements)
          .isEqual(to: sent, where: conditions[table.name] ?? "1", isNew: areNew, on: connection)
      }
    }
    return areEqual
  }

  /// Whether no value of `sent` is too large to be compared in memory.
  func canCompare(with sent: Connection) throws(DecantError) -> Bool {
    for table in schema.tables {
      guard try RowTransfer(server: server, table: table, statements: statements).canCompare(with: sent) else {
        return false
      }
    }
    return true
  }

  /// Runs `body` with a consistent view of one state, and with rows in the order in which they are stored.
  private func inOneState(on connection: PostgresConnection, _ body: () throws(DecantError) -> Void)
    throws(DecantError)
  {
    func ordered() throws(DecantError) {
      try server.explaining(ServerTables.context) { () throws(PostgresError) in
        try connection.run("SET LOCAL synchronize_seqscans = off")
        try connection.run("SET LOCAL max_parallel_workers_per_gather = 0")
      }
      try body()
    }
    guard !connection.isInTransaction else { return try ordered() }
    try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ordered) { error in
      server.error(error, ServerTables.context)
    }
  }
}

/// A temporary database with the tables of a store.
enum ScratchTables {
  /// Creates a database at `path`, which need not survive a crash, and its tables; `encoding` is that of its texts.
  ///
  /// One that may become a store has the `pageSize` of stores.
  static func make(
    at path: String,
    encoding: String = "UTF-8",
    pageSize: Int64 = Connection.temporaryPageSize,
    _ tables: (Connection) throws(DecantError) -> Void
  ) throws(DecantError) -> Connection {
    let connection = try explaining("cannot create a temporary database") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .create)
      let settings = [
        "page_size = \(pageSize)", "encoding = \(encoding.sqlText)", "journal_mode = OFF",
        "synchronous = OFF", "foreign_keys = OFF",
      ]
      for pragma in settings {
        try connection.run("PRAGMA \(pragma)")
      }
      try connection.takeCachesForOrder()
      return connection
    }
    try tables(connection)
    return connection
  }
}
