import Foundation
import TestSupport
import Testing

/// Copies that connect again by themselves when a connection is lost.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ReconnectTests {
  @Test(
    arguments: [(.commit, 1), (.commit, 9), (.commit, 26), (.up, 20_000), (.down, 30_000), (.publish, 1)]
      as [(FailingProxy.Moment, Int)])
  func `a lost connection is made again`(_ when: (FailingProxy.Moment, Int)) throws {
    let interrupted = InterruptedCopy(try PostgresFolder())
    let proxy = try FailingProxy(interrupted.place.server, when.0, when.1, .cut)
    let run = try interrupted.place.run(interrupted.through(proxy) + ["--reconnect", "1m"])
    #expect(proxy.hasFailed)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("the connection was lost and restored 1 time"), "\(run.output)")
    try interrupted.expectAll("\(when)")
  }

  @Test(arguments: [FailingProxy.Moment.lock, .schema])
  func `a connection that is lost before the first table is made again`(_ when: FailingProxy.Moment) throws {
    let interrupted = InterruptedCopy(try PostgresFolder())
    let first = try FailingProxy(interrupted.place.server, when, 1, .cut)
    let run = try interrupted.place.run(interrupted.through(first))
    #expect(first.hasFailed && run.status == 1, "\(run.output)\(run.errors)")
    #expect(try !interrupted.place.visible().contains("public.recipe"))
    let proxy = try FailingProxy(interrupted.place.server, when, 1, .cut)
    let again = try interrupted.place.run(interrupted.through(proxy) + ["--reconnect", "1m"])
    #expect(proxy.hasFailed && again.status == 0, "\(again.errors)")
    #expect(again.output.contains("the connection was lost and restored 1 time"), "\(again.output)")
    try interrupted.expectAll("\(when)")
  }

  @Test func `notes of before are kept, and each is told once`() throws {
    let interrupted = InterruptedCopy(try PostgresFolder())
    let place = interrupted.place
    _ = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "UPDATE ZTAG SET ZNAME = NULL WHERE Z_PK = 1")
    let first = try FailingProxy(place.server, .commit, 9, .client)
    _ = try place.run(interrupted.through(first))
    let proxy = try FailingProxy(place.server, .publish, 1, .cut)
    let run = try place.run(interrupted.through(proxy) + ["--reconnect", "1m"])
    #expect(proxy.hasFailed && run.status == 0, "\(run.errors)")
    let report = run.output + run.errors
    #expect(report.contains("restored 1 time"), "\(report)")
    for note in ["removed the leftovers", "without NOT NULL", "continued an"] {
      #expect(report.components(separatedBy: note).count == (note == "continued an" ? 1 : 2), "\(report)")
    }
  }

  @Test(arguments: [(.commit, 9), (.up, 30_000), (.keys, 1), (.keys, 3)] as [(FailingProxy.Moment, Int)])
  func `a server that keeps the lost session is freed of it`(_ when: (FailingProxy.Moment, Int)) throws {
    let interrupted = InterruptedCopy(try PostgresFolder())
    let proxy = try FailingProxy(interrupted.place.server, when.0, when.1, .half)
    let run = try interrupted.place.run(interrupted.through(proxy) + ["--reconnect", "1m"])
    #expect(proxy.hasFailed)
    #expect(run.status == 0, "\(run.errors)")
    try interrupted.expectAll("\(when)")
  }

  @Test func `a lost session is freed whatever the time zone of the database`() throws {
    let interrupted = InterruptedCopy(try PostgresFolder())
    let place = interrupted.place
    try place.psql("ALTER DATABASE \(place.database) SET timezone = 'Asia/Tokyo'")
    try place.psql("ALTER DATABASE \(place.database) SET datestyle = 'German'")
    let proxy = try FailingProxy(place.server, .commit, 9, .half)
    let run = try place.run(interrupted.through(proxy) + ["--reconnect", "1m"])
    #expect(proxy.hasFailed)
    #expect(run.status == 0, "\(run.errors)")
    try interrupted.expectAll("another time zone")
  }

  @Test func `a server that starts anew is waited for`() throws {
    let interrupted = InterruptedCopy(try PostgresFolder(PostgresServer()))
    let server = interrupted.place.server
    // Unchecked, but safe: it only reads a file.
    nonisolated(unsafe) let proxy = try FailingProxy(server, .commit, 20, .server)
    let recovered = DispatchSemaphore(value: 0)
    let recovery = Thread {
      for _ in 0..<600 where !proxy.hasFailed { usleep(50_000) }
      usleep(1_500_000)
      try? server.recover()
      recovered.signal()
    }
    recovery.start()
    let run = try interrupted.place.run(interrupted.through(proxy) + ["--reconnect", "60"])
    recovered.wait()
    #expect(run.status == 0, "\(run.errors)")
    try interrupted.expectAll("server")
  }

  @Test func `the time ends, and what is no time is told`() throws {
    let interrupted = InterruptedCopy(try PostgresFolder(PostgresServer()))
    let place = interrupted.place
    let proxy = try FailingProxy(place.server, .commit, 20, .server)
    try place.expect(interrupted.through(proxy) + ["--reconnect", "2s"], 1, "--resume")
    try place.server.recover()
    try place.expect("copy", "Kitchen.sqlite", place.location, "--batch-size", "7", "--resume")
    try interrupted.expectAll("resumed")
    try place.expect(interrupted.copy + ["--reconnect", "soon"], 64, "write it as 60s or 5m")
    try place.expect(
      ["copy", "Kitchen.sqlite", "new.sqlite", "--reconnect", "5s"], 64, "--reconnect is for new tables")
  }
}
