internal import CDecantSQLite

/// An open database, owned by one task.
///
/// Every connection is opened with strict settings, as its file may be malicious: extensions off, schema untrusted,
/// double-quoted strings off.
package final class Connection {
  /// How a database file is opened.
  package enum Mode: Sendable {
    /// For reading, for reading and writing, or for writing with creation of a missing file.
    case readOnly, readWrite, create
  }

  @usableFromInline let handle: OpaquePointer
  /// The registered functions by name; they live as long as the connection.
  var slots: [String: AnyObject] = [:]
  /// The connections whose tables are bridged to this one, by schema.
  private var readers: [String: Connection] = [:]
  /// The text encoding, cached on first use: it does not change any more.
  var knownEncoding: TextEncoding?
  /// Whether triggers run.
  package private(set) var hasTriggersEnabled = true
  /// The interrupter for a long step that calls no progress check.
  var interrupter: Interrupter?
  /// How long a statement waits for a lock, in milliseconds, and whether the last wait was stopped.
  var wait = (milliseconds: Int32(0), isStopped: false)
  /// Objects that live as long as the connection.
  private var companions: [AnyObject] = []

  /// The version of SQLite in use, such as `3.40.1`.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Makes SQLite not count the memory that it uses, which would take a lock for each piece.
  ///
  /// For a program whose only user of SQLite is decant, before the first connection is opened.
  package static func countNoMemory() { _ = decant_sqlite_count_no_memory() }

  /// Opens the database at `path`, or at a `file:` URI; `:memory:` opens one in memory.
  package init(_ path: String, mode: Mode) throws(SQLiteError) {
    let flags: Int32 =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path,
      &opened,
      flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nil
    )
    guard let opened else {
      throw SQLiteError(code: code, message: "out of memory")
    }
    guard code == SQLITE_OK else {
      let error = SQLiteError(code: code, message: String(cString: sqlite3_errmsg(opened)))
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    for (limit, value) in Connection.limits { sqlite3_limit(opened, limit, value) }
    // A foreign schema may use double-quoted strings in an index; only decant's own statements must follow the stricter
    // rule.
    sqlite3_busy_timeout(opened, 0)
    try registerJSONFunctions()
  }

  deinit {
    setProgressCheck(nil)
    sqlite3_close_v2(handle)
  }

  /// Sets the maximum size of values to `byteCount` bytes; larger ones are rejected from now on.
  package func refuseValues(over byteCount: Int64) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: byteCount))
  }

  /// Limits on the work that a file or a condition may cause, far above real needs.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000), (SQLITE_LIMIT_COMPOUND_SELECT, 200),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 20), (SQLITE_LIMIT_SQL_LENGTH, 16 << 20),
  ]

  /// Sets one of SQLite's `SQLITE_DBCONFIG_…` options.
  func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    try check(decant_sqlite_db_config(handle, option, isOn ? 1 : 0))
  }

  /// Enables or disables the triggers of all attached databases.
  package func setTriggersEnabled(_ isOn: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn)
    hasTriggersEnabled = isOn
  }

  /// Sets whether closing the last connection checkpoints the write-ahead log.
  package func setCheckpointsOnClose(_ isOn: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !isOn)
  }

  /// Compiles the one statement in `sql`; anything after it is an error.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self)
  }

  /// Runs the only statement in `sql` to its end, with `bindings` for its parameters.
  package func run(_ sql: String, _ bindings: Binding...) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    while try statement.step() {}
  }

  /// Returns the first column of the first row as an integer, or `nil` if there is none.
  ///
  /// Can be interrupted while SQLite counts the rows of a table, which is a single step.
  package func integer(_ sql: String, _ bindings: Binding...) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    guard try longStep({ () throws(SQLiteError) in try statement.step() }), statement.type(at: 0) != .null else {
      return nil
    }
    return statement.integer(at: 0)
  }

  /// Returns the first column of the first row as text, or `nil` if there is none.
  package func text(_ sql: String, _ bindings: Binding...) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    guard try statement.step() else { return nil }
    return statement.text(at: 0)
  }

  /// Returns the first column of the first row as bytes, or `nil` if there is none.
  package func bytes(_ sql: String, _ bindings: Binding...) throws(SQLiteError) -> [UInt8]? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    guard try statement.step(), statement.type(at: 0) != .null else { return nil }
    return statement.bytes(at: 0)
  }

  /// Calls `body` once for every row.
  package func forEachRow(
    _ sql: String,
    _ bindings: Binding...,
    do body: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    while try statement.step() { try body(statement) }
  }

  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
  package func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try run("BEGIN")
    do throws(SQLiteError) {
      try body()
      try run("COMMIT")
    } catch {
      // SQLite has already rolled back after a full disk or a damaged file.
      if !isAutocommit { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Sets whether schemas may use functions and virtual tables that are not marked as innocuous; SQLite marks few.
  package func setSchemasTrusted(_ areTrusted: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, areTrusted)
  }

  /// Allows statements to write to the shadow tables of virtual tables.
  package func allowShadowTables() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, false)
  }

  /// Adds a virtual table, whose shadow tables exist already, to the schema of `main`.
  ///
  /// The module is not called, and may be unknown. Only a connection that is opened afterwards sees the table.
  package func enterVirtualTable(_ name: String, sql: String) throws(SQLiteError) {
    try allowShadowTables()
    try run("PRAGMA main.writable_schema = ON")
    try run(
      "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) "
        + "VALUES ('table', ?1, ?1, 0, ?2)",
      .text(name),
      .text(sql)
    )
    try run("PRAGMA main.writable_schema = OFF")
  }

  /// Attaches the database at `path`, or at a `file:` URI, under `schema`.
  package func attach(_ path: String, as schema: String) throws(SQLiteError) {
    try run("ATTACH ?1 AS \(schema.sqlName)", .text(path))
    try takeCacheForReading(schema)
  }

  /// Detaches `schema`.
  package func detach(_ schema: String) throws(SQLiteError) {
    try run("DETACH \(schema.sqlName)")
  }

  /// Returns the connection that has the file of `schema` open: another one if its tables are bridged, otherwise this
  /// one.
  ///
  /// Use it for access to the file instead of rows: pages, structure, the bytes of a value.
  package func reader(of schema: String) -> Connection { readers[schema] ?? self }

  /// Sets the connection that has the file of `schema` open.
  func setReader(_ reader: Connection, of schema: String) { readers[schema] = reader }

  /// Whether the file of `main` was moved after it was opened, so that writes would be lost.
  package var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changeCount: Int64 { sqlite3_changes64(handle) }

  /// The rowid of the row inserted last.
  package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Whether no transaction is open.
  package var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

  /// Returns whether a function called `name` exists.
  package func hasFunction(_ name: String) throws(SQLiteError) -> Bool {
    try integer("SELECT count(*) FROM pragma_function_list WHERE name = ?1", .text(name)) != 0
  }

  /// Keeps `companion` alive as long as this connection.
  func keep(_ companion: AnyObject) { companions.append(companion) }

  /// Throws SQLite's error for `code`, unless it is success.
  func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Returns the last error of SQLite.
  @usableFromInline
  func error(_ code: Int32, sql: String?) -> SQLiteError {
    let isStopped = wait.isStopped
    wait.isStopped = false
    let extended = sqlite3_extended_errcode(handle)
    var error = SQLiteError(
      code: isStopped && code & 0xff == SQLITE_BUSY ? SQLITE_INTERRUPT : extended == SQLITE_OK ? code : extended,
      message: String(cString: sqlite3_errmsg(handle)),
      sql: sql
    )
    // A full disk has no code of its own if the index of the log cannot grow.
    if error.isInputOutput { error.systemCode = sqlite3_system_errno(handle) }
    return error
  }
}
