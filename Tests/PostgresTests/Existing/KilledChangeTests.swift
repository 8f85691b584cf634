import Foundation
import TestSupport
import Testing

/// Changes of tables on a server that are killed or lose their connection at any moment: all of it is there, or nothing.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct KilledChangeTests {
  private let place: PostgresFolder

  init() throws {
    place = try PostgresFolder()
    try place.expect("copy", "Kitchen.sqlite", place.location)
  }

  private func counts() throws -> String {
    try place.psql(
      "SELECT (SELECT count(*) FROM recipe) || ' ' || (SELECT count(*) FROM ingredient) || ' ' || (SELECT count(*) FROM step)"
    )
  }

  /// Merges through a proxy that fails; returns whether it failed.
  @discardableResult
  private func expectAllOrNothing(_ moment: FailingProxy.Moment, _ count: Int, _ fault: FailingProxy.Fault) throws
    -> Bool
  {
    let what: Comment = "\(moment) \(count) \(fault)"
    let before = try counts()
    let proxy = try FailingProxy(place.server, moment, count, fault)
    let run = try place.run(["copy", "Guests.sqlite", proxy.location(place.database), "--append"])
    // A session that lost its client ends a moment later.
    for _ in 0..<100 {
      let others =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'decant' AND datname = current_database()"
      guard try place.psql(others) != "0" else { break }
      usleep(50_000)
    }
    let after = try counts()
    let report: Comment = "\(what): \(run.errors)"
    if fault == .cut { #expect((run.status == 0) == (after != before), report) }
    if !proxy.hasFailed { #expect(run.status == 0, report) }
    try place.expect("copy", "Guests.sqlite", place.location, "--append")
    let next = try counts()
    #expect(next != after, what)
    try place.expect("verify", place.location, place.location)
    return proxy.hasFailed
  }

  @Test(
    arguments: [
      (.up, 2_000, .cut), (.up, 6_000, .client), (.up, 12_000, .cut), (.down, 5_000, .client), (.down, 30_000, .cut),
      (.commit, 1, .cut), (.commit, 1, .client),
    ] as [(FailingProxy.Moment, Int, FailingProxy.Fault)])
  func `a failure leaves all or nothing`(moment: FailingProxy.Moment, count: Int, fault: FailingProxy.Fault) throws {
    try expectAllOrNothing(moment, count, fault)
  }

  @Test func `whether the changes were committed is asked when the answer is lost`() throws {
    let proxy = try FailingProxy(place.server, .commit, 1)
    let output = try place.expect("copy", "Guests.sqlite", proxy.location(place.database), "--append")
    #expect(proxy.hasFailed)
    #expect(output.contains("the connection was lost while the changes were committed; a new one found them there"))
  }

  @Test func `a run that waits for a lock can be stopped`() throws {
    let before = try counts()
    let lock = try PostgresSession(place)
    try lock.run("BEGIN; UPDATE step SET text = text")
    let process = try RunningProgram(
      [DecantProgram.path, "copy", "Guests.sqlite", place.location, "--append"], in: place.folder.url, output: .null)
    usleep(2_000_000)
    process.send(SIGINT)
    #expect(process.waitUntilExit() == .exited(130))
    try lock.run("ROLLBACK")
    #expect(try counts() == before)
  }

  @Test(.enabled(if: Effort.isThorough), arguments: [FailingProxy.Fault.cut, .client])
  func `every moment is one to fail at`(fault: FailingProxy.Fault) throws {
    var count = 500
    while try expectAllOrNothing(.up, count, fault) { count += 1_511 }
    #expect(count > 5_000)
  }
}
