import Foundation
import TestSupport
import Testing

/// A copy of many batches to a server that ends early, and is resumed: each row is there exactly once.
struct InterruptedCopy {
  let place: PostgresFolder
  private let options: [String]
  var copy: [String] { ["copy", "Kitchen.sqlite", place.location] + options }

  init(_ place: PostgresFolder, workers: Int = 1) {
    self.place = place
    options = ["--batch-size", "7", "--workers", "\(workers)"]
  }

  /// Returns the arguments of a copy through a proxy.
  func through(_ proxy: FailingProxy) -> [String] {
    ["copy", "Kitchen.sqlite", proxy.location(place.database)] + options
  }

  /// Expects the whole store, as psql counts it and as decant reads it.
  func expectAll(_ what: Comment) throws {
    #expect(
      try place.psql(
        """
        SELECT concat_ws(',', (SELECT count(*) FROM recipe), (SELECT count(*) FROM ingredient), (SELECT count(*) FROM step),
          (SELECT count(DISTINCT id) FROM ingredient), (SELECT count(*) FROM recipe_tags))
        """)
        == Program.sqlite3(
          place.folder.path("Kitchen.sqlite"),
          """
          SELECT (SELECT count(*) FROM ZRECIPE) || ',' || (SELECT count(*) FROM ZINGREDIENT) || ',' ||
          (SELECT count(*) FROM ZSTEP) || ',' || (SELECT count(*) FROM ZINGREDIENT) || ',' || (SELECT count(*) FROM Z_6TAGS)
          """), what)
    #expect(try place.expect("diff", "Kitchen.sqlite", place.location).contains("equal"), what)
    #expect(try !place.visible().contains("decant_build"), what)
  }

  /// Copies through a proxy that fails, and resumes; returns the number of rows that were there, `nil` if it never failed.
  func rowsThere(
    _ moment: FailingProxy.Moment,
    _ count: Int,
    _ fault: FailingProxy.Fault
  ) throws -> Int? {
    let what: Comment = "\(moment) \(count) \(fault)"
    let proxy = try FailingProxy(place.server, moment, count, fault)
    let run = try place.run(through(proxy))
    guard proxy.hasFailed else {
      #expect(run.status == 0, what)
      return nil
    }
    if fault == .server { try place.server.recover() }
    if fault == .backend || fault == .server { try place.server.waitUntilReady() }
    if try place.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "7" {
      try expectAll(what)
      return 0
    }
    #expect(run.status != 0, what)
    let resumed = try place.run(copy + ["--resume"])
    #expect(resumed.status == 0, "\(what): \(resumed.errors)")
    try expectAll(what)
    let words = try #/of which ([0-9]+) rows? were there/#.firstMatch(in: resumed.output)
    return words.flatMap { Int($0.1) } ?? 0
  }

  /// Empties the database.
  func empty() throws {
    try place.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA decant CASCADE")
  }
}
