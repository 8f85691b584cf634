import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct DiffTests {
  let kitchens: Kitchens

  init() throws {
    kitchens = try Kitchens()
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
  }

  private func change(_ sql: String) throws { _ = try Program.sqlite3(kitchens.out, sql) }

  private func diff(_ configure: (inout Diff) -> Void = { _ in }) throws -> DiffReport {
    var diff = Diff(kitchens.kitchen, kitchens.out)
    configure(&diff)
    return try diff.run()
  }

  @Test func `a store and its copy do not differ, nor a store and itself`() throws {
    for other in [kitchens.out, kitchens.kitchen] {
      let report = try Diff(kitchens.kitchen, other).run()
      #expect(report.isEqual && report.differences.isEmpty && !report.isCutOff)
      #expect(report.entities.reduce(0) { $0 + $1.same } == 147)
      #expect(report.entities.allSatisfy { $0.matchedBy == .key || $0.matchedBy == .identity })
    }
  }

  @Test(arguments: [
    ("UPDATE ZRECIPE SET ZTITLE = ZTITLE || ' ' WHERE Z_PK = 2", ["Recipe p2 differs in title"]),
    (
      "UPDATE ZRECIPE SET ZTITLE = 'a', ZRATING = NULL, ZCATEGORY = NULL WHERE Z_PK = 2",
      ["Recipe p2 differs in rating, title, category"]
    ),
    ("UPDATE ZINGREDIENT SET ZRECIPE = 3 WHERE Z_PK = 1", ["Ingredient p1 differs in recipe"]),
    // A link that leads nowhere is none.
    ("UPDATE ZINGREDIENT SET ZRECIPE = 999 WHERE Z_PK = 1", ["Ingredient p1 differs in recipe"]),
    ("UPDATE ZSTEP SET Z_FOK_RECIPE = 1 WHERE Z_PK = 4", ["Step p4 differs in the place in the list of recipe"]),
    ("UPDATE ZIMAGE SET ZDATA = ZDATA || x'00' WHERE Z_PK = 2", ["RecipeImage p2 differs in data"]),
    ("DELETE FROM ZSTEP WHERE Z_PK = 7", ["Step p7 only in A"]),
    ("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (70, 8, 'new')", ["Tag p70 only in B"]),
    // What only one store has takes its links with it; who loses a link to one object differs.
    (
      "DELETE FROM ZCATEGORY WHERE Z_PK = 2; UPDATE ZRECIPE SET ZCATEGORY = NULL WHERE ZCATEGORY = 2",
      ["Category p2 only in A", "Recipe p7 differs in category", "Recipe p8 differs in category"]
    ),
    ("DELETE FROM Z_6TAGS WHERE Z_6RECIPES = 1 AND Z_8TAGS = 1", ["Recipe.tags p1 → p1 only in A"]),
    ("DELETE FROM ZTAG WHERE Z_PK = 6; DELETE FROM Z_6TAGS WHERE Z_8TAGS = 6", ["Tag p6 only in A"]),
    ("UPDATE ZIMAGE SET Z_ENT = 4 WHERE Z_PK = 1", ["p1 only in A", "p1 only in B"]),
  ])
  func `what is changed is named, and nothing else, from either side`(change: String, differences: [String]) throws {
    try self.change(change)
    let report = try diff()
    #expect(!report.isEqual)
    let named = report.differences.map(\.description)
    for difference in differences {
      #expect(named.contains { $0.hasSuffix(difference) }, "\(named)")
    }
    let changed = report.entities.filter { $0.changed + $0.onlyInA + $0.onlyInB > 0 }
    let rows = report.rows.filter { $0.changed + $0.onlyInA + $0.onlyInB > 0 }
    #expect(Set(report.differences.map(\.entity)) == Set(changed.map(\.name) + rows.map(\.name)))
    let back = try Diff(kitchens.out, kitchens.kitchen).run()
    #expect(back.entities.map(\.changed).reduce(0, +) == changed.map(\.changed).reduce(0, +))
    #expect(back.entities.map(\.onlyInB).reduce(0, +) == changed.map(\.onlyInA).reduce(0, +))
    #expect(back.rows.map(\.onlyInB).reduce(0, +) == rows.map(\.onlyInA).reduce(0, +))
  }

  @Test func `counts and names are of all that differs, as far as was asked`() throws {
    try change("UPDATE ZINGREDIENT SET ZNAME = ZNAME || '!'; DELETE FROM ZSTEP WHERE Z_PK > 40")
    let expected = try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZINGREDIENT")
    var report = try diff { $0.differenceLimit = 3 }
    let ingredients = try #require(report.entities.first { $0.name == "Ingredient" })
    #expect(ingredients.changed == Int64(expected) && ingredients.same == 0)
    #expect(report.differences.filter { $0.entity == "Ingredient" }.count == 3)
    #expect(report.entities.first { $0.name == "Step" }?.onlyInA == 2)
    #expect(report.isCutOff)
    report = try diff { $0.entities = ["Step"] }
    #expect(report.entities.map(\.name) == ["Step"] && report.differences.count == 2)
    report = try diff { $0.entities = ["Image", "Tag"] }
    #expect(report.isEqual)
    #expect(Set(report.entities.map(\.name)) == ["RecipeImage", "StepImage", "Tag"])
    let error = #expect(throws: DecantError.self) { try diff { $0.entities = ["Reciep"] } }
    #expect(error?.family == .usage && error?.remedy == "did you mean Recipe?")
  }

  @Test func `values are told only where they are asked for`() throws {
    try change("UPDATE ZRECIPE SET ZTITLE = 'Toast', ZCATEGORY = 3, ZCREATEDAT = 0, ZNUTRITION = x'00' WHERE Z_PK = 2")
    let title = try Program.sqlite3(kitchens.kitchen, "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 2")
    let silent = try diff()
    #expect(silent.differences.flatMap(\.changes).allSatisfy { $0.valueInA == nil })
    let changes = try diff { $0.showsValues = true }.differences.flatMap(\.changes)
    let values = Dictionary(uniqueKeysWithValues: changes.map { ($0.property, $0) })
    #expect(values["title"]?.valueInA == "“\(title)”" && values["title"]?.valueInB == "“Toast”")
    #expect(values["category"]?.valueInB == "p3")
    #expect(values["createdAt"]?.valueInB == "2001-01-01T00:00:00Z")
    #expect(values["nutrition"]?.valueInB == "1 byte")
  }

  @Test func `tables of an app's own are compared row by row, both ways`() throws {
    for path in [kitchens.kitchen, kitchens.out] {
      _ = try Program.sqlite3(path, "CREATE TABLE notes (text); INSERT INTO notes VALUES (1), (1), (2)")
    }
    #expect(try diff().isEqual)
    try change("DELETE FROM notes WHERE rowid = 1; INSERT INTO notes VALUES (3), (4)")
    try change("CREATE TABLE more (text); INSERT INTO more VALUES (7)")
    let rows = try diff().rows.filter { $0.name.hasPrefix("table") }
    #expect(rows.map(\.name) == ["table notes", "table more"])
    #expect(rows.map(\.same) == [2, 0])
    #expect(rows.map(\.onlyInA) == [1, 0] && rows.map(\.onlyInB) == [2, 1])
  }

  @Test func `a column that only one store has is no difference that could be named`() throws {
    _ = try Program.sqlite3(kitchens.out, "ALTER TABLE ZTAG ADD COLUMN ZMORE; UPDATE ZTAG SET ZMORE = 1")
    #expect(throws: DecantError.self) { try diff() }
    #expect(throws: DecantError.self) { try Diff(kitchens.out, kitchens.kitchen).run() }
  }

  @Test func `objects are matched by a kept ID table where there is one`() throws {
    let ids = kitchens.folder.path("ids.sqlite")
    try kitchens.copy(kitchens.guests, to: kitchens.out) {
      $0.appends = true
      $0.idTableFile = ids
    }
    try change("UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = (SELECT max(Z_PK) FROM ZRECIPE)")
    var diff = Diff(kitchens.guests, kitchens.out)
    diff.idTableFile = ids
    let report = try diff.run()
    let recipes = try #require(report.entities.first { $0.name == "Recipe" })
    #expect(recipes.matchedBy == .ids)
    #expect((recipes.same, recipes.changed, recipes.onlyInA, recipes.onlyInB) == (4, 1, 0, 12))
    #expect(report.differences.contains { $0.description == "Recipe p5 (p20 in B) differs in title" })
  }
}
