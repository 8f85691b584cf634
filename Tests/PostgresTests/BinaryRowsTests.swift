import DecantPostgres
import Foundation
import TestSupport
import Testing

/// Rows from a server that stops sending them.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct BinaryRowsTests {
  /// Waits at the third row, when the first one is sent: a part of the second waits with it.
  private static let stalling = """
    SELECT repeat('x', 100000), CASE WHEN i = 3 THEN pg_sleep(100)::text END FROM generate_series(1, 5) AS i
    """

  /// The ways to read rows: by COPY, and without it.
  private static let ways: [Set<ServerAbilities.Ability>] = [[], [.copyOut]]

  private func connect(_ place: PostgresFolder, without: Set<ServerAbilities.Ability>) throws -> PostgresConnection {
    let connection = try PostgresConnection(PostgresParameters(String(place.location.dropFirst("postgres:".count))))
    connection.abilities = ServerAbilities(without: without)
    return connection
  }

  /// Reads a row, has `stall` done, and expects the next ones to end with the request to stop.
  private func expectStop(_ connection: PostgresConnection, _ stall: () throws -> Void) throws {
    let rows = try BinaryRows(Self.stalling, on: connection)
    #expect(try rows.next())
    try stall()
    connection.isStopped = { true }
    // What has waited with the third row comes first.
    let error = #expect(throws: PostgresError.self) { while try rows.next() {} }
    #expect(error?.state == "57014")
  }

  @Test(.timeLimit(.minutes(1)), arguments: ways)
  func `a request to stop ends the wait for a row`(without: Set<ServerAbilities.Ability>) throws {
    let connection = try connect(PostgresFolder(), without: without)
    try expectStop(connection) {}
    connection.isStopped = { false }
    #expect(try connection.text("SELECT 1") == "1")
  }

  @Test(.timeLimit(.minutes(1)), arguments: ways)
  func `a server that does not answer is not waited for`(without: Set<ServerAbilities.Ability>) throws {
    let server = try PostgresServer()
    let connection = try connect(PostgresFolder(server), without: without)
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

  @Test(arguments: ways) func `values and errors are the same`(without: Set<ServerAbilities.Ability>) throws {
    let connection = try connect(PostgresFolder(), without: without)
    let query =
      "SELECT i, NULL::text, 0.5::float8, ''::text, repeat('é', i)::bytea, i::int2 FROM generate_series(1, 3) AS i"
    let rows = try BinaryRows(query, on: connection)
    for number in 1...3 {
      #expect(try rows.next())
      #expect(rows.integer(0) == number && rows.isNull(1) && rows.double(2) == 0.5 && rows.integer(5) == number)
      #expect(!rows.isNull(3) && rows.bytes(3).isEmpty && rows.bytes(4).count == 2 * number)
    }
    #expect(try !rows.next())
    let error = #expect(throws: PostgresError.self) {
      let rows = try BinaryRows("SELECT 1 / (3 - i) FROM generate_series(1, 5) AS i", on: connection)
      while try rows.next() {}
    }
    #expect(error?.state == "22012")
    // A reader that stops early leaves a connection that can be used.
    do { #expect(try BinaryRows("SELECT generate_series(1, 1000000)", on: connection).next()) }
    #expect(try connection.text("SELECT 1") == "1")
  }
}
