internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A connection that reads a store.
///
/// `@unchecked Sendable`: `StoreReaders` gives it to one read at a time, on any thread; the connection of a write block
/// is used only by that block.
final class StoreReader: @unchecked Sendable {
  let model: Model
  let views: EntityViews
  /// The external files that hold values.
  let storage: (any ExternalStorage)?
  /// The schema name under which the store is attached.
  let schema: String
  let statements: KeptStatements
  /// The open store; `nil` for a connection that changes one.
  let source: SharedSource?
  /// `nil` for a connection whose transactions are managed elsewhere.
  private let session: CopySession?
  /// Ends the connection's statements when the reading task is cancelled.
  private let stop = ReadStop()
  /// The time that a statement waits while another process has the store locked.
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

  /// Reads `store`, attached to `connection` as `main`, in whatever transaction is open there.
  init(_ store: any EditableStore, on connection: Connection) throws(DecantError) {
    (source, session) = (nil, nil)
    storage = store.externalStorage
    model = store.model
    schema = "main"
    statements = KeptStatements(connection)
    views = EntityViews(model: model, layout: store.layout)
    try views.offer(in: schema, on: connection)
  }

  /// Makes statements fail at once instead of waiting for a lock.
  func neverWaits() { setBusyTimeout(0) }

  private func setBusyTimeout(_ milliseconds: Int32) {
    statements.connection.setBusyTimeout(milliseconds: milliseconds)
    statements.connection.reader(of: schema).setBusyTimeout(milliseconds: milliseconds)
  }

  /// Starts a read transaction, which sees the state of its first statement.
  func begin() throws(DecantError) {
    guard let session else { return }
    stop.follow(Cancellation.current)
    try explaining("cannot read the store") { () throws(SQLiteError) in try session.beginReading() }
  }

  /// Ends the read transaction.
  func end() {
    guard let session else { return }
    stop.follow(nil)
    // Nothing was written: if the commit fails, SQLite has ended the transaction.
    do throws(SQLiteError) { try session.endReading() } catch { try? session.connection.run("ROLLBACK") }
  }

  /// Returns a number that changes with each commit of another connection; call it outside a transaction.
  func dataVersion() throws(DecantError) -> Int64? {
    try explaining("cannot read the store") { () throws(SQLiteError) in
      try statements.connection.reader(of: schema).integer("PRAGMA \(schema).data_version")
    }
  }

  /// An empty statement for requests on this connection.
  var newStatement: ObjectStatement { ObjectStatement(views, model, schema: schema) }

  /// Steps through the rows of a statement until `body` returns false.
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

  /// Returns the statement with its values bound, before its first row; the caller has to reset it.
  func open(_ sql: String, _ bindings: [Binding]) throws(DecantError) -> Statement {
    try explaining("cannot read the objects") { () throws(SQLiteError) in
      let statement = try statements.prepared(sql)
      try statement.bind(bindings)
      return statement
    }
  }

  /// Advances to the next row; returns whether there is one.
  func step(_ statement: Statement) throws(DecantError) -> Bool {
    try explaining("cannot read the objects") { () throws(SQLiteError) in try statement.step() }
  }
}
