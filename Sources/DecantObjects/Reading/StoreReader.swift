internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A connection that reads a store.
///
/// `@unchecked Sendable`: `StoreReaders` lends it to one read at a time, which may be on any thread.
final class StoreReader: @unchecked Sendable {
  let model: Model
  let views: EntityViews
  /// Where values lie in files of their own.
  let storage: (any ExternalStorage)?
  /// The store that it has open.
  let source: SharedSource
  private let session: CopySession
  private var statements: [String: Statement] = [:]
  /// How many statements are kept.
  private static let statementLimit = 64
  /// How long a statement waits while another process has the store locked.
  private static let busyMilliseconds: Int32 = 5_000

  init(_ store: any SourceStore, of source: SharedSource) throws(DecantError) {
    self.source = source
    storage = store.externalStorage
    model = store.model
    session = try CopySession(source: store)
    session.setProgressCheck(ReadStop())
    views = EntityViews(model: model, layout: store.layout)
    setBusyTimeout(Self.busyMilliseconds)
    try views.offer(in: CopySession.source, on: session.connection)
  }

  /// Has no statement wait for a lock.
  func neverWaits() { setBusyTimeout(0) }

  private func setBusyTimeout(_ milliseconds: Int32) {
    session.connection.setBusyTimeout(milliseconds: milliseconds)
    session.connection.reader(of: CopySession.source).setBusyTimeout(milliseconds: milliseconds)
  }

  /// Holds the state that the next statement sees.
  func begin() throws(DecantError) {
    try explaining("cannot read the store") { () throws(SQLiteError) in try session.beginReading() }
  }

  /// Lets it go.
  func end() {
    // Nothing was written: where it cannot be committed, SQLite has ended it.
    do throws(SQLiteError) { try session.endReading() } catch { try? session.connection.run("ROLLBACK") }
  }

  /// A number that is another one after each commit of any other connection; asked outside of a transaction.
  func dataVersion() throws(DecantError) -> Int64? {
    try explaining("cannot read the store") { () throws(SQLiteError) in
      try session.connection.reader(of: CopySession.source)
        .integer("PRAGMA \(CopySession.source).data_version")
    }
  }

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
      let statement = try prepared(sql)
      try statement.bind(bindings)
      return statement
    }
  }

  /// Goes on to the next row; returns whether there is one.
  func step(_ statement: Statement) throws(DecantError) -> Bool {
    try explaining("cannot read the objects") { () throws(SQLiteError) in try statement.step() }
  }

  /// The statement, compiled once.
  private func prepared(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    if statements.count >= Self.statementLimit { statements.removeAll() }
    let statement = try session.connection.prepare(sql)
    statements[sql] = statement
    return statement
  }
}
