import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What was deleted before: by somebody else, or by a cleaning that was killed before its vacuum.
@Suite struct CleanVacuumTests {
  let kitchens: Kitchens
  private static let secret = "deleted by somebody else"

  init() throws {
    kitchens = try Kitchens()
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      PRAGMA secure_delete = OFF; CREATE TABLE gone (a);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO gone SELECT '\(Self.secret) ' || i FROM n;
      DROP TABLE gone
      """
    )
  }

  private func isReadable(_ path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(Self.secret.utf8)) != nil
  }

  private var freeCount: String {
    get throws { try Program.sqlite3(kitchens.kitchen, "PRAGMA freelist_count") }
  }

  @Test(arguments: ["delete", "wal"])
  func `free pages are vacuumed away where there is nothing to remove`(journal: String) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode = \(journal)")
    let (before, free) = (try StoredTables(kitchens.kitchen), try freeCount)
    #expect(try Int(free) ?? 0 > 0 && isReadable(kitchens.kitchen))
    let report = try Clean(kitchens.kitchen, of: ["history"]).run()
    #expect(report.removed.isEmpty && report.isVerified)
    #expect(String(report.freePageCount) == free)
    #expect(try freeCount == "0")
    #expect(try !isReadable(kitchens.kitchen))
    #expect(try StoredTables(kitchens.kitchen) == before)
    #expect(try StoredTables(try #require(report.backup)) == before)
    #expect(try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode") == journal)
    // Then there is nothing more to do, and nothing is touched.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen))
    let again = try Clean(kitchens.kitchen, of: ["history"]).run()
    #expect(again.backup == nil && !again.isVerified && again.freePageCount == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == bytes)
  }

  @Test func `a dry run only counts them`() throws {
    let (before, free) = (try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)), try freeCount)
    var clean = Clean(kitchens.kitchen, of: ["history"])
    clean.isDryRun = true
    let report = try clean.run()
    #expect(String(report.freePageCount) == free && report.backup == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.kitchen)) == before)
  }

  @Test(arguments: [("SyncMetadata", true), ("SyncMetadata", false), ("Guests", false)])
  func `a damaged store is called so though nothing is written`(name: String, isDryRun: Bool) throws {
    let store = kitchens.folder.path("\(name).sqlite")
    let page = try Program.sqlite3(store, "SELECT rootpage FROM sqlite_schema WHERE name = 'ZINGREDIENT'")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
    try file.seek(toOffset: (UInt64(page) ?? 0) * 4096 - 4096)
    try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
    try file.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    var clean = Clean(store, of: ["history"])
    clean.isDryRun = isDryRun
    let error = #expect(throws: DecantError.self) { try clean.run() }
    #expect(error?.family == .corruptStore)
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
  }
}
