import DecantPostgres
import Foundation
import TestSupport
import Testing

/// Rows from a server that stops sending them.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct CopyOutTests {
  /// Waits at the third row, when the first one is sent: a part of the second waits with it.
  private static let stalling = """
    COPY (SELECT repeat('x', 100000), CASE WHEN i = 3 THEN pg_sleep(100)::text END FROM generate_series(1, 5) AS i)
    TO STDOUT (FORMAT binary)
    """

  private func connect(_ place: PostgresFolder) throws -> PostgresConnection {
    try PostgresConnection(PostgresParameters(String(place.location.dropFirst("postgres:".count))))
  }

  /// Reads a row, has `stall` done, and expects the next ones to end with the request to stop.
  private func expectStop(_ connection: PostgresConnection, _ stall: () throws -> Void) throws {
    let rows = try CopyOut(Self.stalling, on: connection)
    #expect(try rows.next())
    try stall()
    connection.isStopped = { true }
    // What has waited with the third row comes first.
    let error = #expect(throws: PostgresError.self) { while try rows.next() {} }
    #expect(error?.state == "57014")
  }

  @Test(.timeLimit(.minutes(1))) func `a request to stop ends the wait for a row`() throws {
    let connection = try connect(PostgresFolder())
    try expectStop(connection) {}
    connection.isStopped = { false }
    #expect(try connection.text("SELECT 1") == "1")
  }

  @Test(.timeLimit(.minutes(1))) func `a server that does not answer is not waited for`() throws {
    let server = try PostgresServer()
    let connection = try connect(PostgresFolder(server))
    let processes = [
      try String(contentsOfFile: "\(server.socket)/data/postmaster.pid", encoding: .utf8).split(separator: "\n").first,
      try connection.text("SELECT pg_catalog.pg_backend_pid()").map { $0[...] },
    ].compactMap { $0.flatMap { Int32($0) } }
    try #require(processes.count == 2)
    defer { for process in processes { kill(process, SIGCONT) } }
    try expectStop(connection) { for process in processes { kill(process, SIGSTOP) } }
    connection.isStopped = { false }
    let error = #expect(throws: PostgresError.self) { try connection.run("SELECT 1") }
    #expect(error?.message == "the server does not answer")
  }
}
