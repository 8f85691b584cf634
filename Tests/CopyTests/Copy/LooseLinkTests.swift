import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Links that lead nowhere, halves of links, and what stands beside none.
@Suite struct LooseLinkTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test func `a key that a dangling link speaks for is given to nobody`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZSTEP SET ZRECIPE = 16 WHERE Z_PK = 1")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(report.isVerified)
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT ZRECIPE FROM ZSTEP WHERE Z_PK = 1") == "16")
    let owner = "SELECT count(*) FROM ZRECIPE WHERE Z_PK = 16"
    #expect(try Program.sqlite3(kitchens.kitchen, owner) == "0")
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZRECIPE") == "17")
  }

  @Test func `half a link that was there before is left alone`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "INSERT INTO Z_6TAGS (Z_6RECIPES) VALUES (1)")
    _ = try Program.sqlite3(kitchens.guests, "INSERT INTO Z_6TAGS VALUES (1, 999)")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(report.isVerified)
    #expect(report.links.dangling == 1)
    let halves = "SELECT Z_6RECIPES, Z_8TAGS IS NULL FROM Z_6TAGS WHERE Z_8TAGS IS NULL"
    #expect(try Program.sqlite3(kitchens.kitchen, halves) == "1|1")
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM Z_6TAGS") == "31")
  }

  @Test(arguments: [
    "UPDATE ZSTEP SET ZRECIPE = NULL, Z_FOK_RECIPE = 2048 WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZCOVER = NULL, Z2_COVER = 3 WHERE Z_PK = 1",
    "UPDATE ZRECIPE SET Z2_COVER = 99 WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE WHERE ZCOVER)",
    "INSERT INTO Z_6TAGS (Z_6RECIPES) VALUES (1)",
    "INSERT INTO Z_6TAGS (Z_8TAGS) VALUES (1)",
    "INSERT INTO Z_6TAGS VALUES (NULL, NULL)",
  ])
  func `what stands beside no link is no reason to refuse a store`(change: String) throws {
    _ = try Program.sqlite3(kitchens.kitchen, change)
    for rowByRow in [false, true] {
      let place = kitchens.folder.path("out-\(rowByRow).sqlite")
      let report = try kitchens.copy(kitchens.kitchen, to: place, rowByRow: rowByRow)
      #expect(report.isVerified)
      #expect(try Verify(kitchens.kitchen, against: place).run().isEqual)
      let count = "SELECT count(*) FROM ZSTEP UNION ALL SELECT count(*) FROM ZRECIPE"
      #expect(try Program.sqlite3(place, count) == Program.sqlite3(kitchens.kitchen, count))
      let half = "SELECT count(*) FROM Z_6TAGS WHERE Z_8TAGS IS NULL OR Z_6RECIPES IS NULL"
      #expect(try Program.sqlite3(place, half) == "0")
    }
  }
}
