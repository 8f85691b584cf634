import DecantPostgres
import Foundation
import TestSupport
import Testing

/// Requests to end a statement that arrive when it has ended.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct LateRequestTests {
  @Test(.timeLimit(.minutes(1))) func `a late request does not end the next statement`() throws {
    let place = try PostgresFolder()
    let proxy = try FailingProxy(place.server, .cancel, 2_800)
    let location = proxy.location(place.database)
    let connection = try PostgresConnection(PostgresParameters(String(location.dropFirst("postgres:".count))))
    connection.isStopped = { true }
    #expect(try connection.text("SELECT 'first' FROM pg_sleep(2.5)") == "first")
    connection.isStopped = { false }
    #expect(try connection.text("SELECT 'second' FROM pg_sleep(1)") == "second")
  }

  @Test(.timeLimit(.minutes(1))) func `what is not answered is not followed by another statement`() throws {
    let place = try PostgresFolder()
    let proxy = try FailingProxy(place.server, .cancel, 40_000)
    let location = proxy.location(place.database)
    let connection = try PostgresConnection(PostgresParameters(String(location.dropFirst("postgres:".count))))
    connection.isStopped = { true }
    #expect(try connection.text("SELECT 'first' FROM pg_sleep(1)") == "first")
    connection.isStopped = { false }
    let error = #expect(throws: PostgresError.self) { try connection.run("SELECT 1") }
    #expect(error?.isOfConnection == true)
  }
}
