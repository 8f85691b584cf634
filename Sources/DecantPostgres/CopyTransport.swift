internal import CDecantPostgres

/// The connection's side of a COPY to the server; it ends without its rows if it is released before `finish`.
public final class CopyTransport {
  /// Does some work that uses the connection, at once or later.
  public typealias Performer = (@escaping () throws -> Void) throws -> Void

  /// Bytes that are sent together.
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

  deinit {
    guard isOpen else { return }
    PQputCopyEnd(connection.handle, "stopped")
    while let result = PQgetResult(connection.handle) { PQclear(result) }
  }

  /// Begins the statement.
  func begin(_ sql: String) throws(PostgresError) {
    guard PQsendQuery(connection.handle, sql) == 1 else { throw PostgresError(connection.handle, nil) }
    let result = try connection.lastResult()
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_IN else {
      throw PostgresError(state: nil, message: "the server does not accept rows")
    }
    isOpen = true
  }

  /// Sends bytes.
  func send(_ piece: Piece) throws(PostgresError) {
    let bytes = piece.bytes.bindMemory(to: CChar.self).baseAddress
    guard PQputCopyData(connection.handle, bytes, Int32(piece.count)) == 1 else {
      isOpen = false
      throw PostgresError(connection.handle, nil)
    }
  }

  /// Ends the statement, which must have got `rowCount` rows.
  func finish(_ rowCount: Int64) throws(PostgresError) {
    isOpen = false
    guard PQputCopyEnd(connection.handle, nil) == 1 else { throw PostgresError(connection.handle, nil) }
    let result = try connection.lastResult()
    defer { PQclear(result) }
    let count = PQcmdTuples(result).flatMap { Int64(String(cString: $0)) }
    guard count == rowCount else {
      throw PostgresError(state: "XX000", message: "the server has \(count ?? 0) of \(rowCount) rows")
    }
  }
}
