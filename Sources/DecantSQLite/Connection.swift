internal import CDecantSQLite

/// An open database, owned by one task.
///
/// Every connection starts out distrustful, as its file may come from anybody: extensions off,
/// the schema untrusted, double-quoted strings off.
public final class Connection {
  /// How a database file is opened.
  public enum Mode: Sendable {
    /// For reading, for writing what is there, or for writing and making what is not.
    case readOnly, readWrite, create
  }

  @usableFromInline let handle: OpaquePointer
  /// Functions by their names; they live as long as the connection that calls them.
  var slots: [String: AnyObject] = [:]
  /// The connections whose tables are bridged to this one, by the schema they are found in.
  private var readers: [String: Connection] = [:]
  /// The text encoding, once it was asked for: from then on it stays.
  var knownEncoding: TextEncoding?
  /// Whether triggers run.
  public private(set) var hasTriggersEnabled = true
  /// What ends a step in which no progress check is asked.
  var interrupter: Interrupter?
  /// How long a statement waits for a lock, in milliseconds, and whether the last wait was stopped.
  var wait = (milliseconds: Int32(0), isStopped: false)
  /// What else is asked while statements run.
  private var companions: [AnyObject] = []

  /// The version of SQLite that runs, such as `3.40.1`.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Opens the database at `path`, or at a `file:` URI; `:memory:` opens one in memory.
  public init(_ path: String, mode: Mode) throws(SQLiteError) {
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
    // A schema written by anybody may name its strings with double quotes in an index; only
    // statements of our own are held to the stricter rule.
    sqlite3_busy_timeout(opened, 0)
    try registerJSONFunctions()
  }

  deinit {
    setProgressCheck(nil)
    sqlite3_close_v2(handle)
  }

  /// Bounds on what a file or a condition may have SQLite do, far above what any real one needs.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000), (SQLITE_LIMIT_COMPOUND_SELECT, 200),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 20), (SQLITE_LIMIT_SQL_LENGTH, 16 << 20),
  ]

  /// Sets one of SQLite's `SQLITE_DBCONFIG_…` switches.
  func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    try check(decant_sqlite_db_config(handle, option, isOn ? 1 : 0))
  }

  /// Turns the triggers of every attached database on or off.
  public func setTriggersEnabled(_ isOn: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn)
    hasTriggersEnabled = isOn
  }

  /// Says whether a write-ahead log is taken into the file when its last user closes it.
  package func setCheckpointsOnClose(_ isOn: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !isOn)
  }

  /// Compiles the one statement in `sql`; anything after it is an error.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self)
  }

  /// Runs the one statement in `sql` to its end, with `bindings` for its parameters.
  public func run(_ sql: String, _ bindings: Binding...) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    while try statement.step() {}
  }

  /// Returns the first column of the first row as an integer, or `nil` if there is none.
  ///
  /// It may be the number of all rows of a table, which SQLite counts in one step.
  public func integer(_ sql: String, _ bindings: Binding...) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    guard try longStep({ () throws(SQLiteError) in try statement.step() }), statement.type(at: 0) != .null else {
      return nil
    }
    return statement.integer(at: 0)
  }

  /// Returns the first column of the first row as text, or `nil` if there is none.
  public func text(_ sql: String, _ bindings: Binding...) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    guard try statement.step() else { return nil }
    return statement.text(at: 0)
  }

  /// Returns the first column of the first row as bytes, or `nil` if there is none.
  public func bytes(_ sql: String, _ bindings: Binding...) throws(SQLiteError) -> [UInt8]? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    guard try statement.step(), statement.type(at: 0) != .null else { return nil }
    return statement.bytes(at: 0)
  }

  /// Calls `body` once for every row.
  public func forEachRow(
    _ sql: String,
    _ bindings: Binding...,
    do body: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    while try statement.step() { try body(statement) }
  }

  /// Runs `body` in a transaction: committed when it returns, undone when it throws.
  public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try run("BEGIN")
    do throws(SQLiteError) {
      try body()
      try run("COMMIT")
    } catch {
      // SQLite has undone it already where the failure was a full disk or a damaged file.
      if !isAutocommit { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Sets whether the schemas of files may use functions and virtual tables that are not marked as
  /// harmless; SQLite marks few.
  public func setSchemasTrusted(_ areTrusted: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, areTrusted)
  }

  /// Lets statements write to the tables in which virtual tables keep what they hold.
  public func allowShadowTables() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, false)
  }

  /// Enters a virtual table into the schema of `main` whose own tables are there already.
  ///
  /// Its module is not asked, and need not be known. Only a connection that opens the file afterwards
  /// sees the table.
  public func enterVirtualTable(_ name: String, sql: String) throws(SQLiteError) {
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
  public func attach(_ path: String, as schema: String) throws(SQLiteError) {
    try run("ATTACH ?1 AS \(schema.sqlName)", .text(path))
    try takeCacheForReading(schema)
  }

  /// Takes `schema` off this connection again.
  public func detach(_ schema: String) throws(SQLiteError) {
    try run("DETACH \(schema.sqlName)")
  }

  /// The connection that has the file behind `schema` open under this name: another one where its tables
  /// are bridged to this one, and usually this one itself.
  ///
  /// What asks for a file rather than for rows asks there: pages, structure, the bytes of a value.
  public func reader(of schema: String) -> Connection { readers[schema] ?? self }

  /// Has the file behind `schema` be looked for on `reader`.
  func setReader(_ reader: Connection, of schema: String) { readers[schema] = reader }

  /// Whether the file behind `main` is no longer at the place where it was opened: what is written goes
  /// where nobody finds it.
  public var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  public var changeCount: Int64 { sqlite3_changes64(handle) }

  /// The number of the row that was inserted last.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Whether no transaction is open.
  public var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

  /// Whether a function called `name` can be called.
  public func hasFunction(_ name: String) throws(SQLiteError) -> Bool {
    try integer("SELECT count(*) FROM pragma_function_list WHERE name = ?1", .text(name)) != 0
  }

  /// Keeps `companion` alive as long as this connection.
  func keep(_ companion: AnyObject) { companions.append(companion) }

  /// Throws what SQLite says about `code`, unless it is success.
  func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Returns the error that SQLite reported last.
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
    // A full disk is no code of its own where it is a log's index that finds no room.
    if error.isInputOutput { error.systemCode = sqlite3_system_errno(handle) }
    return error
  }
}
