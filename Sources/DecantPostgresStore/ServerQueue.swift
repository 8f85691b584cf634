internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite

/// Statements that a server runs one after the other on a connection of their own, while other connections are used.
///
/// No thread waits for them: `proceed` looks whether the next can begin, `finish` waits until all are done.
final class ServerQueue {
  /// Statements that are sent together.
  struct Work {
    let statements: [String]
    /// The context of an error.
    let context: String
    /// Called when they have succeeded.
    var done: () throws(DecantError) -> Void = {}
    /// Called when they have failed; throws, or does what is left to do in another way.
    var failed: (PostgresError) throws(DecantError) -> Void
  }

  let connection: PostgresConnection
  private let server: Server
  private var waiting: [Work] = []
  private var current: Work?

  init(_ server: Server, _ stop: ProgressCheck?) throws(DecantError) {
    self.server = server
    connection = try server.connect()
    if let stop { connection.isStopped = { stop.isStopped() } }
  }

  /// Adds statements, which explain an error by their context unless `failed` does otherwise.
  func add(
    _ statements: [String],
    _ context: String,
    done: @escaping () throws(DecantError) -> Void = {},
    failed: ((PostgresError) throws(DecantError) -> Void)? = nil
  ) throws(DecantError) {
    let server = server
    let explain = { (error: PostgresError) throws(DecantError) -> Void in throw server.error(error, context) }
    waiting.append(Work(statements: statements, context: context, done: done, failed: failed ?? explain))
    try proceed()
  }

  /// Begins the next statements if the server has done the last ones.
  func proceed() throws(DecantError) {
    if current != nil {
      guard !connection.isWorking else { return }
      try settle()
    }
    guard current == nil, !waiting.isEmpty else { return }
    let work = waiting.removeFirst()
    try server.explaining(work.context) { () throws(PostgresError) in
      try connection.begin(work.statements.joined(separator: ";\n"))
    }
    current = work
  }

  /// Waits until all statements are done.
  func finish() throws(DecantError) {
    while current != nil || !waiting.isEmpty {
      try settle()
      try proceed()
    }
  }

  /// Forgets what runs and what waits, as the session will be ended.
  func forget() {
    waiting = []
    current = nil
  }

  /// Stops what runs and forgets what waits; an open transaction is rolled back.
  ///
  /// A server that does not answer for ten seconds rolls it back when it notices that the connection is gone.
  func abandon() {
    connection.isStopped = { false }
    if current != nil { connection.cancel() }
    forget()
    guard connection.settle(within: .seconds(10)) else { return }
    _ = try? connection.run("ROLLBACK")
  }

  private func settle() throws(DecantError) {
    guard let work = current else { return }
    current = nil
    do throws(PostgresError) { try connection.settle() } catch { return try work.failed(error) }
    try work.done()
  }
}
