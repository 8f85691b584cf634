internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import DecantTransfer
internal import Dispatch
internal import Synchronization

/// The connections that read a store, each used by one read at a time and kept for the next.
final class StoreReaders: Sendable {
  let model: Model
  private let source: SharedSource
  private let idle = Mutex<[StoreReader]>([])
  /// How many connections are kept.
  private static let idleLimit = 4
  /// Where reads that are waited for run: SQLite blocks, and Swift's own threads must not be blocked.
  private let queue = DispatchQueue(label: "decant.store", attributes: .concurrent)

  init(_ location: StoreLocation, _ options: CopyOptions) throws(DecantError) {
    source = SharedSource(try StoreKinds.known.openSource(location, options: options))
    let first = try source.reader()
    model = first.model
    idle.withLock { $0.append(first) }
  }

  /// Has `body` read one state of the store.
  func reading<Result>(_ body: (StoreReader) throws(DecantError) -> Result) throws(DecantError) -> Result {
    let reader = try take()
    let result: Result
    do throws(DecantError) {
      try reader.begin()
      result = try body(reader)
    } catch {
      reader.end()
      giveBack(reader)
      throw error
    }
    reader.end()
    giveBack(reader)
    return result
  }

  /// A connection that nobody else uses.
  func take() throws(DecantError) -> StoreReader {
    if let reader = idle.withLock({ $0.popLast() }) { return reader }
    return try source.reader()
  }

  /// Keeps a connection for the next read.
  func giveBack(_ reader: StoreReader) {
    idle.withLock { idle in if idle.count < Self.idleLimit { idle.append(reader) } }
  }

  /// Does `body` on a thread that may be blocked.
  func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws(DecantError) -> Result)
    async throws(DecantError)
    -> Result
  {
    let result: Swift.Result<Result, DecantError> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Swift.Result { () throws(DecantError) in try body() }) }
    }
    return try result.get()
  }
}

/// The store that all connections attach, opened once: an archive is unpacked for that.
///
/// `@unchecked Sendable`: `source` is private, and asked under the lock alone, while a connection is made.
private final class SharedSource: @unchecked Sendable {
  private let source: any SourceStore
  private let making = Mutex(())

  init(_ source: any SourceStore) { self.source = source }

  func reader() throws(DecantError) -> StoreReader {
    try making.withLock { _ throws(DecantError) in try StoreReader(source) }
  }
}

/// A connection that reads a store.
///
/// `@unchecked Sendable`: `StoreReaders` lends it to one read at a time, which may be on any thread; that of a write
/// block is used by the block alone.
final class StoreReader: @unchecked Sendable {
  let model: Model
  let views: EntityViews
  /// Where values lie in files of their own.
  let storage: (any ExternalStorage)?
  /// The name under which the store is attached.
  let schema: String
  let statements: KeptStatements
  /// `nil` for a connection whose transactions are somebody else's.
  private let session: CopySession?

  init(_ source: any SourceStore) throws(DecantError) {
    storage = source.externalStorage
    model = source.model
    schema = CopySession.source
    let session = try CopySession(source: source)
    self.session = session
    statements = KeptStatements(session.connection)
    views = EntityViews(model: model, layout: source.layout)
    try views.offer(in: schema, on: session.connection)
  }

  /// Reads `store`, which `connection` has as `main`, in whatever transaction that has open.
  init(_ store: any EditableStore, on connection: Connection) throws(DecantError) {
    storage = store.externalStorage
    model = store.model
    schema = "main"
    session = nil
    statements = KeptStatements(connection)
    views = EntityViews(model: model, layout: store.layout)
    try views.offer(in: schema, on: connection)
  }

  /// Holds the state that the next statement sees.
  func begin() throws(DecantError) {
    guard let session else { return }
    try explaining("cannot read the store") { () throws(SQLiteError) in try session.beginReading() }
  }

  /// Lets it go.
  func end() {
    guard let session else { return }
    // Nothing was written: where it cannot be committed, SQLite has ended it.
    do throws(SQLiteError) { try session.endReading() } catch { try? session.connection.run("ROLLBACK") }
  }

  /// A request as SQL, for this connection.
  var newStatement: ObjectStatement { ObjectStatement(views, model, schema: schema) }

  /// Steps through the rows of a statement; `body` returns whether it wants more.
  func forEachRow(
    _ sql: String,
    _ bindings: [Binding],
    _ body: (Statement) throws(DecantError) -> Bool
  ) throws(DecantError) {
    let statement = try open(sql, bindings)
    defer { statement.reset() }
    while try step(statement) {
      guard try body(statement) else { return }
    }
  }

  /// The statement with its values, before its first row; whoever opens it resets it.
  func open(_ sql: String, _ bindings: [Binding]) throws(DecantError) -> Statement {
    try explaining("cannot read the objects") { () throws(SQLiteError) in
      let statement = try statements.prepared(sql)
      try statement.bind(bindings)
      return statement
    }
  }

  /// Goes on to the next row; returns whether there is one.
  func step(_ statement: Statement) throws(DecantError) -> Bool {
    try explaining("cannot read the objects") { () throws(SQLiteError) in try statement.step() }
  }
}

/// The statements of a connection, each compiled once.
final class KeptStatements {
  let connection: Connection
  private var statements: [String: Statement] = [:]
  /// How many are kept.
  private static let limit = 256

  init(_ connection: Connection) { self.connection = connection }

  /// The statement, compiled once.
  func prepared(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    if statements.count >= Self.limit { statements.removeAll() }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs a statement to its end.
  func run(_ sql: String, _ bindings: [Binding] = []) throws(SQLiteError) {
    try prepared(sql).run(bindings)
  }

  /// The first column of the first row as an integer; `nil` where there is none.
  func integer(_ sql: String, _ bindings: [Binding] = []) throws(SQLiteError) -> Int64? {
    let statement = try prepared(sql)
    try statement.bind(bindings)
    defer { statement.reset() }
    return try statement.step() ? statement.integerOrNil(at: 0) : nil
  }

  /// Calls `body` with every row.
  func forEachRow(
    _ sql: String,
    _ bindings: [Binding] = [],
    _ body: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    try statement.bind(bindings)
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }
}
