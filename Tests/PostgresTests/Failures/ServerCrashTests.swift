import Foundation
import TestSupport
import Testing

/// A server that is killed, or one of its processes, while a store is copied; it is a server of its own.
@Suite(.enabled(if: PostgresServer.isInstalled && Effort.isThorough)) struct ServerCrashTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder(PostgresServer()) }

  /// Expects all tables or none, and that a repeated copy works; empties the database.
  private func expectAllOrNothing(_ run: Program, _ what: Comment) throws {
    let tables = try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    #expect(tables == (run.status == 0 ? "7" : "0"), what)
    #expect(run.status == 0 || run.status == 1 && !run.isCrash, what)
    if tables == "0" { try place.expect("copy", "Kitchen.sqlite", place.location) }
    try place.expect("verify", "Kitchen.sqlite", place.location)
    #expect(try !place.visible().contains("decant_build"), what)
    try place.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA decant CASCADE")
  }

  @Test(
    arguments: [
      (.up, 10_000), (.up, 40_000), (.down, 4_000), (.down, 30_000), (.commit, 1), (.commit, 2), (.commit, 3),
    ] as [(FailingProxy.Moment, Int)])
  func `a killed process of the server leaves all or nothing`(moment: FailingProxy.Moment, count: Int) throws {
    for offset in 0..<4 {
      let proxy = try FailingProxy(place.server, moment, moment == .commit ? count : count + 701 * offset, .backend)
      let run = try place.run(["copy", "Kitchen.sqlite", proxy.location(place.database)])
      #expect(proxy.hasFailed)
      try place.server.waitUntilReady()
      try expectAllOrNothing(run, "\(moment) \(count) + \(offset): \(run.status) \(run.errors)")
    }
  }

  @Test func `a server that crashes leaves all or nothing`() throws {
    for milliseconds in stride(from: 20, through: 500, by: 40) {
      let server = place.server
      let crashed = DispatchSemaphore(value: 0)
      let crash = Thread {
        usleep(UInt32(milliseconds) * 1_000)
        try? server.crash()
        usleep(300_000)
        try? server.recover()
        crashed.signal()
      }
      crash.start()
      let run = try place.run(["copy", "Kitchen.sqlite", place.location])
      crashed.wait()
      try place.server.waitUntilReady()
      try expectAllOrNothing(run, "\(milliseconds) ms: \(run.status) \(run.errors)")
    }
  }
}

/// A server that crashes as a whole while a store is copied, which is resumed when the server is there again.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ResumeAfterCrashTests {
  private let interrupted: InterruptedCopy

  init() throws { interrupted = InterruptedCopy(try PostgresFolder(PostgresServer())) }

  @Test func `a copy goes on when the server is there again`() throws {
    // The server writes its log within half a second; a crash loses the newest batches with their checkpoint.
    _ = try #require(try interrupted.rowsThere(.commit, 25, .server))
  }

  @Test(.enabled(if: Effort.isThorough)) func `every commit is one at which the server crashes`() throws {
    var (count, rows) = (1, 0)
    while let there = try interrupted.rowsThere(.commit, count, .server) {
      rows += there
      count += 2
      try interrupted.empty()
    }
    #expect(count > 20)
    #expect(rows > 0)
  }
}
