import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A destination in which another program was killed while it wrote.
@Suite struct HotJournalTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test func `a cut-off change in the destination is undone and added to at once`() throws {
    let both = try Kitchens.content(of: kitchens.kitchen) + Kitchens.content(of: kitchens.guests)
    try HotJournal.leave(at: kitchens.kitchen)
    let journal = Kitchens.bytes(of: kitchens.kitchen + "-journal")
    #expect(journal?.prefix(4) == Data([0xD9, 0xD5, 0x05, 0xF9]))
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(report.isVerified)
    #expect(try Kitchens.content(of: kitchens.kitchen) == both)
    #expect(try Program.sqlite3(kitchens.kitchen, "PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [true, false])
  func `a cut-off change in the destination stays where nothing is added`(isDryRun: Bool) throws {
    let expected = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.isDryRun = true
    }
    try HotJournal.leave(at: kitchens.kitchen)
    let files = [kitchens.kitchen, kitchens.kitchen + "-journal"]
    let before = files.map(Kitchens.bytes(of:))
    if isDryRun {
      let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.isDryRun = true
      }
      // The plan is that for the store as it is once the change is undone.
      #expect(report.plan == expected.plan && report.copiedCount == expected.copiedCount)
    } else {
      let error = #expect(throws: DecantError.self) {
        try kitchens.copy(kitchens.guests, to: kitchens.kitchen)
      }
      #expect(error?.message.contains("already holds") == true, "\(error?.message ?? "")")
    }
    #expect(files.map(Kitchens.bytes(of:)) == before)
  }
}

/// A journal that a killed process left beside its store.
private enum HotJournal {
  /// Has the `sqlite3` program write a part of a large change into `path`, and kills it.
  static func leave(at path: String) throws {
    let process = try RunningProgram(["sqlite3", "-batch", path], errors: .inherited)
    let change = """
      PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
      UPDATE ZINGREDIENT SET ZNOTE = hex(randomblob(2000)), ZRECIPE = NULL;
      UPDATE ZSTEP SET ZTEXT = hex(randomblob(2000)); DELETE FROM ZRECIPE;
      .print held

      """
    process.write(change)
    process.wait(for: "held")
    process.kill()
  }
}
