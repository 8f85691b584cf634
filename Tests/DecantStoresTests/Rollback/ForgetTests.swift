import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// A copy that was killed between its batches: put back, or forgotten.
@Suite(.enabled(if: FaultShim.isAvailable)) struct ForgetTests {
  let kitchens: Kitchens
  private let work = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'"
  private let ingredients = "SELECT count(*) FROM ZINGREDIENT"

  init() throws { kitchens = try Kitchens() }

  private func kill(_ source: String, _ destination: String, journal: String) throws {
    let folder = kitchens.folder
    _ = try Program.sqlite3(folder.path(destination), "PRAGMA journal_mode = \(journal)")
    let options = ["--append", "--commit", "batch", "--batch-size", "5"]
    try LeftBehind.part(of: ["copy", source, destination] + options, in: folder.url)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path).sorted()
  }

  @Test(arguments: ["delete", "wal"])
  func `a killed copy is put back to the row`(journal: String) throws {
    let before = try Program.sqlite3(kitchens.guests, ".dump")
    try kill("Kitchen.sqlite", "Guests.sqlite", journal: journal)
    let report = try Rollback(kitchens.guests).run()
    #expect(report.outcome == .exchanged)
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == before)
    #expect(try Program.sqlite3(kitchens.guests, "PRAGMA journal_mode") == journal)
    #expect(try Program.sqlite3(kitchens.guests + ".backup-1", work) != "0")
    #expect(try names().count == 4)
  }

  @Test(arguments: ["delete", "wal"])
  func `a forgotten copy keeps what it had committed, and leaves no tables`(journal: String) throws
  {
    let before = Int(try Program.sqlite3(kitchens.guests, ingredients)) ?? 0
    try kill("Kitchen.sqlite", "Guests.sqlite", journal: journal)
    let left = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: kitchens.folder.url,
      to: left.url.appendingPathComponent("k")
    )
    let found = left.path("k/Guests.sqlite")
    var expected: [String: String] = [:]
    for table in Kitchens.tables {
      expected[table] = try Program.sqlite3(found, "SELECT * FROM \(table)", isQuoted: true)
    }
    let steps = "SELECT step || ' ' || rows FROM decant_checkpoint WHERE rows > 0 ORDER BY 1"
    let counted = try Program.sqlite3(found, steps)
    #expect(!counted.isEmpty)

    var rollback = Rollback(kitchens.guests)
    rollback.forgetsCopy = true
    let report = try rollback.run()
    #expect(report.outcome == .forgotten && report.backup == nil && report.putBack == nil)
    let told = report.rowCounts.filter { $0.value > 0 }.map { "\($0.key) \($0.value)" }.sorted()
    #expect(told.joined(separator: "\n") == counted)
    let now = Int(try Program.sqlite3(kitchens.guests, ingredients)) ?? 0
    #expect(now - before == Int(report.rowCounts["Ingredient"] ?? 0))
    for (table, rows) in expected {
      #expect(
        try Program.sqlite3(kitchens.guests, "SELECT * FROM \(table)", isQuoted: true) == rows
      )
    }
    #expect(try Program.sqlite3(kitchens.guests, work) == "0")
    #expect(try Program.sqlite3(kitchens.guests, "PRAGMA integrity_check") == "ok")
    #expect(try Program.sqlite3(kitchens.guests, "PRAGMA journal_mode") == journal)
    #expect(
      try names() == [
        "Guests.sqlite", "Guests.sqlite.backup-1", "Kitchen.sqlite", "Sediment.sqlite",
      ]
    )
    let again = #expect(throws: DecantError.self) { try rollback.run() }
    #expect(again?.code == .failed)
    #expect(again?.message.contains("nothing to forget") == true)
  }

  @Test func `an app's own tables of these names are not dropped`() throws {
    let tables = ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"]
    let sql = tables.map { "CREATE TABLE \($0) (a)" }.joined(separator: ";")
    _ = try Program.sqlite3(kitchens.guests, sql)
    let before = Kitchens.bytes(of: kitchens.guests)
    var rollback = Rollback(kitchens.guests)
    rollback.forgetsCopy = true
    let error = #expect(throws: DecantError.self) { try rollback.run() }
    #expect(error?.code == .failed)
    #expect(Kitchens.bytes(of: kitchens.guests) == before)
  }

  @Test func `a store that somebody holds is not forgotten anything of`() throws {
    try kill("Kitchen.sqlite", "Guests.sqlite", journal: "delete")
    let holder = try LockHolder(kitchens.guests)
    defer { holder.release() }
    var rollback = Rollback(kitchens.guests)
    rollback.forgetsCopy = true
    let error = #expect(throws: DecantError.self) { try rollback.run() }
    #expect(error?.code == .storeBusy)
  }

  @Test func `without a backup it is said how to go on`() throws {
    try kill("Kitchen.sqlite", "Guests.sqlite", journal: "delete")
    try FileManager.default.removeItem(atPath: kitchens.guests + ".backup-1")
    let error = #expect(throws: DecantError.self) { try Rollback(kitchens.guests).run() }
    #expect(error?.code == .failed)
    #expect(error?.remedy?.contains("--resume") == true)
    #expect(error?.remedy?.contains("--forget") == true)
  }
}
