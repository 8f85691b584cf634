import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Rejected objects of Core Data stores, in the file from which they come back.
@Suite struct RejectedStoreTests {
  let kitchens: Kitchens
  private var file: String { kitchens.folder.path("rejects.decant") }

  init() throws {
    kitchens = try Kitchens()
    // One recipe is in both; what it owns would count as there already when it is imported.
    _ = try Program.sqlite3(
      kitchens.guests,
      "UPDATE ZRECIPE SET ZUUID = x'00112233445566778899AABBCCDDEEFF' WHERE ZTITLE = 'Carrot Cake Loaf'"
    )
  }

  private func lines() throws -> [[String: Any]] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// Has the kitchen take one name of each length among the ingredients that are added.
  private func obstruct() throws {
    let last = try Program.sqlite3(kitchens.kitchen, "SELECT max(Z_PK) FROM ZINGREDIENT")
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "CREATE UNIQUE INDEX one ON ZINGREDIENT (length(ZNAME)) WHERE Z_PK > \(last)"
    )
  }

  @Test func `objects of a Core Data store come back with places, links and values`() throws {
    let clean = kitchens.folder.path("clean.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: clean)
    try obstruct()
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.onError = .reject
      $0.rejectsFile = file
    }
    let rejected = report["Ingredient"]?.rejected ?? 0
    #expect(rejected > 2)
    #expect(report.rejectedByCode == [.unique: rejected])
    #expect(try lines().count { $0["reject"] != nil } == Int(rejected))
    _ = try Program.sqlite3(kitchens.kitchen, "DROP INDEX one")
    try Import([file], into: kitchens.kitchen).run()
    try kitchens.copy(kitchens.guests, to: clean) { $0.appends = true }
    #expect(try Kitchens.content(of: kitchens.kitchen) == Kitchens.content(of: clean))
  }

  @Test func `an object that has no line of its own is named all the same`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2")
    try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      $0.onError = .reject
      $0.rejectsFile = file
    }
    let lines = try lines()
    #expect(lines.first?["rejects"] as? Int == 1)
    let named = lines.filter { $0["entity"] != nil }
    #expect(named.count == 1)
    #expect(named.first?["entity"] as? String == "Tag")
    #expect(named.first?["id"] as? Int == 2)
    #expect(named.first?["code"] as? String == "contract")
    #expect((named.first?["reason"] as? String)?.contains("entity number 77") == true)
    #expect(lines.last?["end"] as? Bool == true)
    #expect(!lines.contains { $0["e"] != nil })
  }

  @Test func `what of an archive is rejected comes back as well`() throws {
    let archive = kitchens.folder.path("guests.decant")
    try Export(from: kitchens.guests, to: archive).run()
    let clean = kitchens.folder.path("clean.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: clean)
    try obstruct()
    var work = Import([archive], into: kitchens.kitchen)
    work.options.onError = .reject
    work.options.rejectsFile = file
    let reports = try work.run()
    #expect((reports.first?["Ingredient"]?.rejected ?? 0) > 0)
    #expect(reports.first?.rejectsFile == file)
    _ = try Program.sqlite3(kitchens.kitchen, "DROP INDEX one")
    try Import([file], into: kitchens.kitchen).run()
    try Import([archive], into: clean).run()
    #expect(try Kitchens.content(of: kitchens.kitchen) == Kitchens.content(of: clean))
  }
}
