import Foundation
import TestSupport
import Testing

/// Connections that are lost, and programs that are killed, at any moment.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct LostConnectionTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// Copies through a proxy that fails; expects that nothing is half visible and that the same command works.
  ///
  /// - Returns: Whether the proxy failed.
  @discardableResult
  private func expectAllOrNothing(
    _ moment: FailingProxy.Moment,
    _ count: Int,
    _ fault: FailingProxy.Fault
  ) throws -> Bool {
    let what: Comment = "\(moment) \(count) \(fault)"
    let proxy = try FailingProxy(place.server, moment, count, fault)
    let run = try place.run(["copy", "Kitchen.sqlite", proxy.location(place.database)])
    guard proxy.hasFailed else {
      #expect(run.status == 0, "\(what): \(run.errors)")
      return false
    }
    let tables = try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    #expect(tables == "0" || tables == "7", what)
    switch fault {
    case .cut:
      // The connection on which a copy is published may be cut when all is done.
      #expect(run.status == (tables == "0" ? 1 : 0), "\(what): \(run.errors)")
      if run.status != 0 {
        #expect(run.errors.contains(/when the server answers|check the host/), "\(what): \(run.errors)")
      }
    default: #expect(run.isCrash || run.status == 0, what)
    }
    if tables == "0" { try place.expect("copy", "Kitchen.sqlite", place.location) }
    #expect(try place.psql("SELECT count(*) FROM public.ingredient") == "73", what)
    #expect(try !place.visible().contains("decant_build"), what)
    return true
  }

  @Test(
    arguments: [
      (.up, 30_000, .cut), (.down, 5_000, .cut), (.commit, 1, .cut), (.commit, 5, .cut), (.commit, 1, .client),
      (.commit, 9, .client), (.commit, 11, .client),
    ] as [(FailingProxy.Moment, Int, FailingProxy.Fault)])
  func `a failure leaves all or nothing`(moment: FailingProxy.Moment, count: Int, fault: FailingProxy.Fault) throws {
    #expect(try expectAllOrNothing(moment, count, fault))
  }

  @Test func `whether a copy is published is asked when the answer is lost`() throws {
    // The new tables, and of each of seven its rows and its keys; the references, their checks in five tables, their
    // record, what was read, and the publication.
    let proxy = try FailingProxy(place.server, .commit, 24)
    let output = try place.expect("copy", "Kitchen.sqlite", proxy.location(place.database))
    #expect(proxy.hasFailed)
    #expect(output.contains("the connection was lost while the tables were published; a new one found them there"))
    try place.expect("verify", "Kitchen.sqlite", place.location)
  }

  @Test(arguments: [6_000, 30_000]) func `a store that is read through a lost connection is not made`(count: Int) throws
  {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let proxy = try FailingProxy(place.server, .down, count)
    try place.expect(["copy", proxy.location(place.database), "back.sqlite"], 1, "closed the connection")
    let left = try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path).sorted()
    #expect(left == ["Guests.sqlite", "Kitchen.sqlite"])
    try place.expect("copy", place.location, "back.sqlite")
  }

  @Test(
    .enabled(if: Effort.isThorough),
    arguments: [
      (.up, .cut, 3_001), (.up, .client, 3_001), (.down, .cut, 2_003), (.down, .client, 4_003), (.commit, .cut, 1),
      (.commit, .client, 1),
    ] as [(FailingProxy.Moment, FailingProxy.Fault, Int)]
  )
  func `every moment of a copy is one to fail at`(
    moment: FailingProxy.Moment,
    fault: FailingProxy.Fault,
    step: Int
  ) throws {
    var count = step
    while try expectAllOrNothing(moment, count, fault) {
      count += step
      try place.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA decant CASCADE")
    }
    #expect(count > 3 * step)
  }
}
