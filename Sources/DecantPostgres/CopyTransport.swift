internal import CDecantPostgres
internal import DecantSystem

/// The connection's side of a COPY to the server; if it is released before `finish`, no rows are copied.
package final class CopyTransport {
  /// Runs a closure that uses the connection, immediately or later.
  package typealias Performer = (@escaping () throws -> Void) throws -> Void

  /// A block of bytes that are sent together.
  final class Piece {
    let bytes: UnsafeMutableRawBufferPointer
    /// The number of bytes to be sent.
    var count = 0

    init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { bytes.deallocate() }
  }

  private let connection: PostgresConnection
  private var isOpen = false

  init(_ connection: PostgresConnection) { self.connection = connection }

  deinit { if isOpen { connection.drain() } }

  /// Begins the statement.
  func begin(_ sql: String) throws(PostgresError) {
    try connection.beginCopy(sql, PGRES_COPY_IN, "the server does not accept rows")
    isOpen = true
    // Sending must be cancellable even if the server receives nothing.
    PQsetnonblocking(connection.handle, 1)
  }

  /// Sends bytes; throws if the connection's `isStopped` returns true while the server receives none.
  func send(_ piece: Piece) throws(PostgresError) {
    let bytes = piece.bytes.bindMemory(to: CChar.self).baseAddress
    guard PQputCopyData(connection.handle, bytes, Int32(piece.count)) == 1 else { throw failure() }
    try flush()
  }

  private func flush() throws(PostgresError) {
    while true {
      let state = PQflush(connection.handle)
      guard state != 0 else { return }
      guard state > 0 else { throw failure() }
      var poll = pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN | POLLOUT), revents: 0)
      let count = DecantSystem.poll(&poll, 1, 200)
      if count > 0, poll.revents & Int16(POLLIN) != 0, PQconsumeInput(connection.handle) == 0 { throw failure() }
      if count <= 0, connection.isStopped() { throw PostgresError.stopped }
    }
  }

  private func failure() -> PostgresError {
    let error = PostgresError(connection.handle, nil)
    isOpen = PQstatus(connection.handle) == CONNECTION_OK
    return error
  }

  /// Ends the statement, which must have received `rowCount` rows.
  func finish(_ rowCount: Int64) throws(PostgresError) {
    guard PQputCopyEnd(connection.handle, nil) == 1 else { throw failure() }
    try flush()
    isOpen = false
    PQsetnonblocking(connection.handle, 0)
    let result = try connection.lastResult()
    defer { PQclear(result) }
    let count = PQcmdTuples(result).flatMap { Int64(String(cString: $0)) }
    guard count == rowCount else {
      throw PostgresError(state: "XX000", message: "the server has \(count ?? 0) of \(rowCount) rows")
    }
  }
}
