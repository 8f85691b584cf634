internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

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
  /// The store that it has open; `nil` for a connection that changes one.
  let source: SharedSource?
  /// `nil` for a connection whose transactions are somebody else's.
  private let session: CopySession?
  /// Ends its statements when the task that reads is cancelled.
  private let stop = ReadStop()
  /// How long a statement waits while another process has the store locked.
  private static let busyMilliseconds: Int32 = 5_000

  init(_ store: any SourceStore, of source: SharedSource) throws(DecantError) {
    self.source = source
    storage = store.externalStorage
    model = store.model
    schema = CopySession.source
    let session = try CopySession(source: store)
    session.setProgressCheck(stop)
    self.session = session
    statements = KeptStatements(session.connection)
    views = EntityViews(model: model, layout: store.layout)
    setBusyTimeout(Self.busyMilliseconds)
    try views.offer(in: schema, on: session.connection)
  }

  /// Reads `store`, which `connection` has as `main`, in whatever transaction that has open.
  init(_ store: any EditableStore, on connection: Connection) throws(DecantError) {
    (source, session) = (nil, nil)
    storage = store.externalStorage
    model = store.model
    schema = "main"
    statements = KeptStatements(connection)
    views = EntityViews(model: model, layout: store.layout)
    try views.offer(in: schema, on: connection)
  }

  /// Has no statement wait for a lock.
  func neverWaits() { setBusyTimeout(0) }

  private func setBusyTimeout(_ milliseconds: Int32) {
    statements.connection.setBusyTimeout(milliseconds: milliseconds)
    statements.connection.reader(of: schema).setBusyTimeout(milliseconds: milliseconds)
  }

  /// Holds the state that the next statement sees.
  func begin() throws(DecantError) {
    guard let session else { return }
    stop.follow(ReadStop.cancellation)
    try explaining("cannot read the store") { () throws(SQLiteError) in try session.beginReading() }
  }

  /// Lets it go.
  func end() {
    guard let session else { return }
    stop.follow(nil)
    // Nothing was written: where it cannot be committed, SQLite has ended it.
    do throws(SQLiteError) { try session.endReading() } catch { try? session.connection.run("ROLLBACK") }
  }

  /// A number that is another one after each commit of any other connection; asked outside of a transaction.
  func dataVersion() throws(DecantError) -> Int64? {
    try explaining("cannot read the store") { () throws(SQLiteError) in
      try statements.connection.reader(of: schema).integer("PRAGMA \(schema).data_version")
    }
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
