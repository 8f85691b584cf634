internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite

/// Work of a server on separate connections, while other connections are used.
///
/// Each connection does one task after the other, on a thread that owns it until `finish` or `abandon` returns.
final class ServerQueue {
  private struct Lane {
    let connection: PostgresConnection
    let work = OrderedWork("server")
  }

  private let server: Server
  private let lanes: [Lane]
  private let cancellation = Cancellation()

  /// The sessions of the connections; `nil` for one whose session is unknown.
  var sessions: [PostgresConnection.Session?] { lanes.map(\.connection.session) }

  /// Opens `count` connections.
  init(_ server: Server, count: Int, _ stop: ProgressCheck?) throws(DecantError) {
    self.server = server
    lanes = try (0..<count).map { [cancellation] _ throws(DecantError) in
      let lane = Lane(connection: try server.connect())
      lane.connection.isStopped = { cancellation.isCancelled || stop?.isStopped() == true }
      return lane
    }
  }

  /// Adds `body`, which must not depend on a task that was added since the last `finish`.
  ///
  /// Tasks run at the same time: they may use only values that do not change, or that have a lock. `context` is used to
  /// report errors. After an error its connection runs no further tasks, and `finish` throws the error.
  func add(_ context: String, _ body: @escaping (PostgresConnection) throws -> Void) throws(DecantError) {
    let lane = lanes.min { $0.work.waitingCount < $1.work.waitingCount } ?? lanes[0]
    try server.explainingBoth(context) {
      try lane.work.add { [self] in
        try cancellation.check()
        try server.explainingBoth(context) { try body(lane.connection) }
      }
    }
  }

  /// Whether a task has failed.
  var hasFailed: Bool { lanes.contains { $0.work.hasFailed } }

  /// Throws the first error so far.
  func check() throws(DecantError) {
    try server.explainingBoth("cannot complete the tables") { for lane in lanes { try lane.work.check() } }
  }

  /// Waits until all tasks are done.
  func finish() throws(DecantError) {
    for lane in lanes { lane.work.wait() }
    try check()
  }

  /// Discards the waiting tasks, as the sessions will be ended.
  func forget() { cancellation.cancel() }

  /// Stops the current tasks and discards the waiting ones; open transactions are rolled back.
  ///
  /// A server that does not answer rolls them back when it notices that the connections are lost.
  func abandon() {
    cancellation.cancel()
    for lane in lanes { lane.work.wait() }
    for lane in lanes {
      lane.connection.allowLastStatements()
      if lane.connection.isInTransaction { _ = try? lane.connection.run("ROLLBACK") }
    }
  }
}
