internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite

/// Work of a server on a separate connection, one task after the other, while other connections are used.
///
/// A second thread waits for the server. It owns the connection until `finish` or `abandon` returns.
final class ServerQueue {
  let connection: PostgresConnection
  private let server: Server
  private let work = OrderedWork("server")
  private let cancellation = Cancellation()

  init(_ server: Server, _ stop: ProgressCheck?) throws(DecantError) {
    self.server = server
    connection = try server.connect()
    connection.isStopped = { [cancellation] in cancellation.isCancelled || stop?.isStopped() == true }
  }

  /// Adds `body` after all earlier tasks; `context` is used to report its errors.
  ///
  /// After an error no further tasks are run, and `finish` throws the error.
  func add(_ context: String, _ body: @escaping (PostgresConnection) throws -> Void) throws(DecantError) {
    try server.explainingBoth(context) {
      try work.add { [self] in
        try cancellation.check()
        try server.explainingBoth(context) { try body(connection) }
      }
    }
  }

  /// Throws the first error so far.
  func check() throws(DecantError) { try server.explainingBoth("cannot complete the tables") { try work.check() } }

  /// Waits until all tasks are done.
  func finish() throws(DecantError) { try server.explainingBoth("cannot complete the tables") { try work.finish() } }

  /// Discards the waiting tasks, as the session will be ended.
  func forget() { cancellation.cancel() }

  /// Stops the current task and discards the waiting ones; an open transaction is rolled back.
  ///
  /// A server that does not answer rolls it back when it notices that the connection is lost.
  func abandon() {
    cancellation.cancel()
    work.wait()
    connection.allowLastStatements()
    if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
  }
}
