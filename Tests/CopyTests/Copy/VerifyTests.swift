import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct VerifyTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test func `a copy is equal, and stays so when more is added to it`() throws {
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    let ids = kitchens.folder.path("ids.sqlite")
    try kitchens.copy(kitchens.guests, to: kitchens.out) {
      $0.appends = true
      $0.idTableFile = ids
    }
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    var guests = Verify(kitchens.guests, against: kitchens.out)
    let found = try guests.run()
    #expect(found.isEqual && found.matchedBy == .content)
    guests.idTableFile = ids
    let told = try guests.run()
    #expect(told.isEqual && told.matchedBy == .ids)
  }

  @Test(arguments: [
    ("UPDATE ZRECIPE SET ZTITLE = ZTITLE || ' ' WHERE Z_PK = 2", "Recipe p2 differs in title"),
    ("UPDATE ZRECIPE SET ZRATING = ZRATING + 0.5 WHERE Z_PK = 2", "Recipe p2 differs in rating"),
    ("UPDATE ZRECIPE SET ZCREATEDAT = ZCREATEDAT + 1e-6 WHERE Z_PK = 3", "Recipe p3 differs in createdAt"),
    ("UPDATE ZINGREDIENT SET ZRECIPE = 3 WHERE Z_PK = 1", "Ingredient p1 differs in recipe"),
    ("UPDATE ZINGREDIENT SET ZRECIPE = NULL WHERE Z_PK = 1", "Ingredient p1 differs in recipe"),
    ("UPDATE ZSTEP SET Z_FOK_RECIPE = 1 WHERE Z_PK = 4", "Step p4 differs in the place in the list of recipe"),
    ("UPDATE ZIMAGE SET Z_ENT = 4 WHERE Z_PK = 1", "p1 is missing"),
    ("UPDATE ZIMAGE SET ZDATA = ZDATA || x'00' WHERE Z_PK = 2", "Image p2 differs in data"),
    ("UPDATE ZTAG SET Z_PK = 4711 WHERE Z_PK = 6", "Z_MAX of Tag is 6"),
    ("DELETE FROM ZSTEP WHERE Z_PK = 7", "Step p7 is missing"),
    ("DELETE FROM Z_6TAGS WHERE rowid = 1", "Recipe.tags"),
    ("UPDATE ZRECIPE SET ZTITLE = CAST(ZTITLE AS BLOB) WHERE Z_PK = 4", "Recipe p4 differs in title"),
    ("UPDATE ZRECIPE SET ZPRICE = NULL WHERE ZPRICE IS NOT NULL", "price"),
    (
      "UPDATE ZINGREDIENT SET ZNAME = replace(ZNAME, 'ä', 'a' || char(776)) WHERE Z_PK = 37",
      "Ingredient p37 differs in name"
    ),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Tag'", "Z_MAX of Tag is 3"),
    ("DELETE FROM Z_METADATA", "Z_METADATA is empty"),
  ])
  func `whatever is changed after the copy is named`(change: String, difference: String) throws {
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    _ = try Program.sqlite3(kitchens.out, change)
    let report = try Verify(kitchens.kitchen, against: kitchens.out).run()
    #expect(!report.isEqual)
    #expect(report.differences.contains { $0.description.contains(difference) })
  }

  @Test func `a row that was put in beside two copied objects is found`() throws {
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    let free = """
      INSERT INTO Z_6TAGS SELECT r.Z_PK, t.Z_PK FROM ZRECIPE AS r, ZTAG AS t
      WHERE NOT EXISTS (SELECT 1 FROM Z_6TAGS WHERE Z_6RECIPES = r.Z_PK AND Z_8TAGS = t.Z_PK) LIMIT 1
      """
    _ = try Program.sqlite3(kitchens.out, free)
    let report = try Verify(kitchens.kitchen, against: kitchens.out).run()
    #expect(report.differences.map(\.kind) == [.added])
  }

  @Test func `an object of no entity that is known is named where keys are others, too`() throws {
    let ids = kitchens.folder.path("ids.sqlite")
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    try kitchens.copy(kitchens.guests, to: kitchens.out) {
      $0.appends = true
      $0.idTableFile = ids
    }
    _ = try Program.sqlite3(kitchens.out, "UPDATE ZIMAGE SET Z_ENT = 77 WHERE Z_PK = 10")
    var verify = Verify(kitchens.guests, against: kitchens.out)
    verify.idTableFile = ids
    let told = try verify.run().differences.map(\.description)
    #expect(told.contains { $0.contains("Image p1 differs in its entity") }, "\(told)")
    verify.idTableFile = nil
    let found = try verify.run().differences.map(\.description)
    #expect(found.contains { $0.contains("Image p1 is missing") }, "\(found)")
  }

  @Test func `an ID table of another copy is refused`() throws {
    let ids = kitchens.folder.path("ids.sqlite")
    let other = kitchens.folder.path("other.sqlite")
    try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.idTableFile = ids }
    try kitchens.copy(kitchens.kitchen, to: other)
    for (source, destination) in [(kitchens.kitchen, other), (kitchens.guests, kitchens.out)] {
      var verify = Verify(source, against: destination)
      verify.idTableFile = ids
      let error = #expect(throws: DecantError.self) { try verify.run() }
      #expect(error?.family == .usage)
      #expect(error?.message.contains("a different copy") == true)
    }
  }
}
