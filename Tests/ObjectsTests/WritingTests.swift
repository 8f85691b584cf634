import Decant
import Examples
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe
private typealias Step = Examples.Step
private typealias Tag = Examples.Tag

/// What a write block leaves in a Core Data store, read with SQLite alone.
@Suite struct WritingTests {
  private let kitchens: Kitchens
  private let store: Store

  init() throws {
    kitchens = try Kitchens()
    store = try Store(StoreKinds.location(kitchens.kitchen))
  }

  private static let uuid = StoreUUID([UInt8](repeating: 7, count: 16))

  @discardableResult
  private static func recipe(
    _ block: WriteBlock,
    _ title: String,
    _ body: (inout ObjectDraft<Recipe>) throws -> Void = { _ in }
  ) throws -> ObjectID<Recipe> {
    try block.insert(Recipe.self) {
      $0.title = title
      $0.uuid = uuid
      ($0.cookMinutes, $0.prepMinutes, $0.servings, $0.viewCount) = (1, 2, 3, 4)
      ($0.createdAt, $0.modifiedAt, $0.isFavorite) = (StoreDate(10), StoreDate(20.5), false)
      try body(&$0)
    }
  }

  @discardableResult
  private static func step(_ block: WriteBlock, _ text: String, _ body: (inout ObjectDraft<Step>) -> Void = { _ in })
    throws -> ObjectID<Step>
  {
    try block.insert(Step.self) {
      ($0.text, $0.uuid) = (text, uuid)
      body(&$0)
    }
  }

  private static let cases: [WriteCase] = [
    WriteCase(
      "a new object has its key, entity, version and values",
      "SELECT Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATEDAT, ZSERVINGS, ZISFAVORITE, ZRATING, hex(ZUUID) FROM ZRECIPE WHERE Z_PK > 15",
      "16|6|1|Borscht|10|3|0||07070707070707070707070707070707"
    ) { try recipe($0, "Borscht") },
    WriteCase("its key is allocated", "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'", "17") {
      try recipe($0, "Borscht")
      try recipe($0, "Okroshka")
    },
    WriteCase(
      "an entity below another shares its table and keys",
      """
      SELECT Z_PK = (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Image'), Z_ENT, hex(ZDATA), ZCAPTION1, ZCAPTION
      FROM ZIMAGE ORDER BY Z_PK DESC LIMIT 1
      """,
      "1|4|01FFD8|A pot|"
    ) { block in
      try block.insert(Examples.StepImage.self) {
        ($0.caption, $0.data, $0.mimeType, $0.uuid) = ("A pot", [0xFF, 0xD8], "image/jpeg", uuid)
        ($0.byteCount, $0.width, $0.height) = (2, 1, 1)
      }
    },
    WriteCase("a to-one relationship leads to its object", "SELECT ZCATEGORY FROM ZRECIPE WHERE Z_PK = 1", "2") {
      try $0.update(ObjectID<Recipe>(1)) { $0.category = ObjectID(2) }
    },
    WriteCase("and to none", "SELECT ZCATEGORY IS NULL, Z_OPT FROM ZRECIPE WHERE Z_PK = 1", "1|4") {
      try $0.update(ObjectID<Recipe>(1)) { $0.category = nil }
    },
    WriteCase(
      "an attribute that has its value already is no change",
      "SELECT Z_OPT FROM ZRECIPE WHERE Z_PK = 1", "3"
    ) { block in
      let title = try block.object(ObjectID<Recipe>(1))?.title
      try block.update(ObjectID<Recipe>(1)) { $0.title = title }
    },
    WriteCase(
      "a list takes new objects at its end",
      "SELECT group_concat(ZTEXT, ',') FROM (SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = 16 ORDER BY Z_FOK_RECIPE)",
      "boil,stir,serve"
    ) { block in
      let soup = try recipe(block, "Borscht")
      for text in ["boil", "stir", "serve"] { try step(block, text) { $0.recipe = soup } }
    },
    WriteCase(
      "a list is put in the order it is set in",
      "SELECT group_concat(ZTEXT || Z_FOK_RECIPE, ',') FROM (SELECT * FROM ZSTEP WHERE ZRECIPE = 16 ORDER BY Z_FOK_RECIPE)",
      "serve2048,boil3072,stir4096"
    ) { block in
      let soup = try recipe(block, "Borscht")
      let steps = try ["boil", "stir", "serve"].map { text in try step(block, text) { $0.recipe = soup } }
      try block.update(soup) { $0.steps = [steps[2], steps[0], steps[1]] }
    },
    WriteCase(
      "links from many to many are there once, whichever side adds them",
      "SELECT group_concat(Z_8TAGS) FROM (SELECT * FROM Z_6TAGS WHERE Z_6RECIPES = 16 ORDER BY 2)", "1,3"
    ) { block in
      let soup = try recipe(block, "Borscht") { $0.tags = [ObjectID(1), ObjectID(2)] }
      try block.update(ObjectID<Tag>(3)) { $0.recipes.append(soup) }
      try block.update(soup) {
        $0.tags.append(ObjectID(3))
        $0.tags.remove(ObjectID(2))
      }
    },
    WriteCase(
      "one to one: both ends lead to each other, with the entity of the other end, and to nobody else",
      """
      SELECT (SELECT count(*) FROM ZRECIPE WHERE ZCOVER = 1), (SELECT ZCOVER || '|' || Z2_COVER FROM ZRECIPE WHERE Z_PK = 16),
        (SELECT ZCOVEROF FROM ZIMAGE WHERE Z_PK = 1), (SELECT count(*) FROM ZIMAGE WHERE ZCOVEROF = 16)
      """,
      "1|1|3|16|1"
    ) { block in try recipe(block, "Borscht") { $0.cover = ObjectID(1) } },
    WriteCase(
      "deleting takes what belongs to an object along and cuts what leads to it",
      """
      SELECT (SELECT count(*) FROM ZRECIPE WHERE Z_PK = 1), (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = 1),
        (SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = 1), (SELECT count(*) FROM ZIMAGE WHERE ZRECIPE = 1 OR ZCOVEROF = 1),
        (SELECT count(*) FROM Z_6TAGS WHERE Z_6RECIPES = 1), (SELECT count(*) FROM ZRECIPE WHERE ZVARIANTOF = 1),
        (SELECT count(*) FROM ZIMAGE WHERE ZSTEP NOT IN (SELECT Z_PK FROM ZSTEP))
      """,
      "0|0|0|0|0|0|0"
    ) { try $0.delete(ObjectID<Recipe>(1)) },
    WriteCase(
      "an object that was made and deleted in one block leaves nothing",
      "SELECT count(*) FROM ZRECIPE", "12"
    ) { block in try block.delete(try recipe(block, "Borscht")) },
    WriteCase(
      "what failed in a block is undone alone",
      "SELECT group_concat(ZTITLE) FROM ZRECIPE WHERE Z_PK > 15", "kept,after"
    ) { block in
      try recipe(block, "kept")
      #expect(throws: DecantError.self) { try recipe(block, "lost") { $0.category = ObjectID(999) } }
      try? block.attempt {
        try recipe(block, "undone")
        throw CancellationError()
      }
      try recipe(block, "after")
    },
    WriteCase(
      "objects of a request get the same values, and are chosen before any is changed",
      "SELECT count(*), min(Z_OPT) > 1 FROM ZRECIPE WHERE ZSERVINGS = 99", "12|1"
    ) { block in
      let count = try block.update(block.objects(Recipe.self).filter { $0.servings < 100 }) { $0.servings = 99 }
      #expect(count == 12)
    },
  ]

  @Test(arguments: cases)
  private func `a block writes what Core Data would`(_ each: WriteCase) throws {
    try store.write { try each.write($0) }
    let found = try Program.sqlite3(kitchens.kitchen, each.sql)
    #expect(found == each.expected)
    try Self.checkSound(kitchens.kitchen)
  }

  /// What must hold in any store of this model.
  static func checkSound(_ path: String) throws {
    let faults = """
      SELECT 'integrity', integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'
      UNION ALL SELECT 'recipe', Z_PK FROM ZRECIPE WHERE ZCATEGORY NOT IN (SELECT Z_PK FROM ZCATEGORY)
        OR ZVARIANTOF NOT IN (SELECT Z_PK FROM ZRECIPE) OR ZCOVER NOT IN (SELECT Z_PK FROM ZIMAGE)
        OR Z2_COVER IS NOT (SELECT Z_ENT FROM ZIMAGE WHERE Z_PK = ZCOVER) OR Z_OPT < 1 OR Z_ENT <> 6
      UNION ALL SELECT 'cover', i.Z_PK FROM ZIMAGE i WHERE ZCOVEROF NOT NULL
        AND (SELECT ZCOVER FROM ZRECIPE WHERE Z_PK = ZCOVEROF) IS NOT i.Z_PK
      UNION ALL SELECT 'cover of', r.Z_PK FROM ZRECIPE r WHERE ZCOVER NOT NULL
        AND (SELECT ZCOVEROF FROM ZIMAGE WHERE Z_PK = ZCOVER) IS NOT r.Z_PK
      UNION ALL SELECT 'image', Z_PK FROM ZIMAGE WHERE ZRECIPE NOT IN (SELECT Z_PK FROM ZRECIPE)
        OR ZSTEP NOT IN (SELECT Z_PK FROM ZSTEP)
      UNION ALL SELECT 'step', Z_PK FROM ZSTEP WHERE ZRECIPE NOT IN (SELECT Z_PK FROM ZRECIPE)
        OR (ZRECIPE IS NULL) <> (Z_FOK_RECIPE IS NULL)
      UNION ALL SELECT 'place', ZRECIPE FROM ZSTEP WHERE ZRECIPE NOT NULL GROUP BY ZRECIPE, Z_FOK_RECIPE HAVING count(*) > 1
      UNION ALL SELECT 'ingredient', Z_PK FROM ZINGREDIENT WHERE ifnull(ZRECIPE, 0) NOT IN (SELECT Z_PK FROM ZRECIPE)
      UNION ALL SELECT 'tag', Z_6RECIPES FROM Z_6TAGS WHERE Z_6RECIPES NOT IN (SELECT Z_PK FROM ZRECIPE)
        OR Z_8TAGS NOT IN (SELECT Z_PK FROM ZTAG)
      UNION ALL SELECT 'counter', Z_NAME FROM Z_PRIMARYKEY WHERE Z_MAX < CASE Z_NAME
        WHEN 'Recipe' THEN (SELECT max(Z_PK) FROM ZRECIPE) WHEN 'Step' THEN (SELECT max(Z_PK) FROM ZSTEP)
        WHEN 'Image' THEN (SELECT max(Z_PK) FROM ZIMAGE) WHEN 'Tag' THEN (SELECT max(Z_PK) FROM ZTAG) END
      """
    #expect(try Program.sqlite3(path, faults) == "")
  }

  private struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: DecantError.Code
    let words: String
    let write: @Sendable (WriteBlock) throws -> Void

    init(
      _ name: String, _ code: DecantError.Code, _ words: String,
      _ write: @escaping @Sendable (WriteBlock) throws -> Void
    ) {
      (testDescription, self.code, self.words, self.write) = (name, code, words, write)
    }
  }

  private static let refusals: [Refusal] = [
    Refusal("a value that the model requires", .constraintViolated, "Step 43 has no text") {
      try $0.insert(Step.self) { $0.uuid = uuid }
    },
    Refusal("is taken away", .constraintViolated, "Recipe 1 has no title") {
      try $0.update(ObjectID<Recipe>(1)) { $0.title = nil }
    },
    Refusal("a link that the model requires", .constraintViolated, "leads to no Recipe by recipe") {
      try $0.update(ObjectID<Examples.Ingredient>(1)) { $0.recipe = nil }
    },
    Refusal("an object that is not there", .objectNotFound, "cannot lead to Category 999") {
      try $0.update(ObjectID<Recipe>(1)) { $0.category = ObjectID(999) }
    },
    Refusal("an object to change that is not there", .objectNotFound, "no Recipe 999") {
      try $0.update(ObjectID<Recipe>(999)) { $0.title = "x" }
    },
    Refusal(
      "a category that has recipes", .constraintViolated, "Category cannot be deleted: recipes still leads to Recipe"
    ) {
      try $0.delete(ObjectID<Examples.Category>(1))
    },
    Refusal("an abstract entity", .unsupportedRequest, "Image is abstract") { try $0.insert("Image") },
    Refusal("an unknown property", .unknownName, "no property “titel”") {
      try $0.insert("Recipe") { $0["titel"] = .text("x") }
    },
    Refusal("a value of another type", .invalidInput, "takes int16, and got a text") {
      try $0.insert("Recipe") { $0["servings"] = .text("four") }
    },
    Refusal("an integer that is too large", .invalidInput, "takes int16, and got the integer 40000") {
      try $0.insert("Recipe") { $0["servings"] = .integer(40_000) }
    },
    Refusal("a block within a block", .unsupportedRequest, "a write block of this store is open") { _ in },
  ]

  @Test(arguments: refusals)
  private func `what the model forbids is refused, and nothing is changed`(_ each: Refusal) throws {
    let before = try Kitchens.rows(of: kitchens.kitchen)
    let error = #expect(throws: DecantError.self) {
      try store.write { block in
        try block.insert(Tag.self) { ($0.name, $0.color, $0.uuid) = ("never", 1, Self.uuid) }
        try each.write(block)
        if each.testDescription.hasPrefix("a block within") { try self.store.write { _ in } }
      }
    }
    #expect(error?.code == each.code)
    #expect(error?.message.contains(each.words) == true, "\(error?.message ?? "")")
    #expect(try Kitchens.rows(of: kitchens.kitchen) == before)
  }

  @Test func `a block reads what it has changed, and nobody else does before the commit`() throws {
    let all = store.objects(Recipe.self)
    let leaked = try store.write { block in
      try Self.recipe(block, "Borscht")
      let soups = block.objects(Recipe.self).filter { $0.title == "Borscht" }
      #expect(try soups.count() == 1)
      #expect(try soups.pages(of: 5).first().objects.count == 1)
      #expect(try all.filter { $0.title == "Borscht" }.count() == 0)
      return soups
    }
    #expect(try all.filter { $0.title == "Borscht" }.count() == 1)
    #expect(throws: DecantError.self) { try leaked.count() }
  }

  @Test func `another writer is waited for, and then named`() throws {
    let other = try Store(StoreKinds.location(kitchens.kitchen))
    var policy = WritePolicy()
    policy.busyTimeout = .milliseconds(50)
    try store.write { block in
      try Self.recipe(block, "Borscht")
      let error = #expect(throws: DecantError.self) { try other.write(policy) { try Self.recipe($0, "Okroshka") } }
      #expect(error?.code == .storeLocked)
    }
    try other.write(policy) { try Self.recipe($0, "Okroshka") }
    #expect(
      try Program.sqlite3(kitchens.kitchen, "SELECT group_concat(ZTITLE) FROM ZRECIPE WHERE Z_PK > 15")
        == "Borscht,Okroshka")
  }

  @Test func `persistent history records what was inserted, updated and deleted`() throws {
    let path = kitchens.syncMetadata
    let mirrored = try Store(StoreKinds.location(path))
    let refused = #expect(throws: DecantError.self) { try mirrored.write { try $0.delete(ObjectID<Recipe>(1)) } }
    #expect(refused?.code == .mirroredStore)
    let before = try Program.sqlite3(path, "SELECT max(Z_PK) FROM ACHANGE")
    let gone = try Program.sqlite3(path, "SELECT hex(ZUUID) FROM ZRECIPE WHERE Z_PK = 1")
    let parts = try Program.sqlite3(path, "SELECT count(*) FROM ZSTEP WHERE ZRECIPE = 1")
    var policy = WritePolicy()
    policy.writesMirroredStores = true
    try mirrored.write(policy) { block in
      try Self.recipe(block, "Borscht")
      try block.update(ObjectID<Recipe>(2)) { $0.title = "Changed" }
      try block.delete(ObjectID<Recipe>(1))
    }
    let changes = "FROM ACHANGE c JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID WHERE c.Z_PK > \(before)"
    #expect(try Program.sqlite3(path, "SELECT count(DISTINCT t.Z_PK) \(changes)") == "1")
    let recipes = "\(changes) AND ZENTITY = 6"
    #expect(try Program.sqlite3(path, "SELECT ZENTITYPK \(recipes) AND ZCHANGETYPE = 0") == "5")
    #expect(
      try Program.sqlite3(path, "SELECT ZCOLUMNS NOT NULL \(recipes) AND ZCHANGETYPE = 1 AND ZENTITYPK = 2") == "1")
    #expect(
      try Program.sqlite3(path, "SELECT ZENTITYPK, hex(ZTOMBSTONE0) \(recipes) AND ZCHANGETYPE = 2") == "1|\(gone)")
    #expect(try Program.sqlite3(path, "SELECT count(*) \(changes) AND ZENTITY = 7 AND ZCHANGETYPE = 2") == parts)
    #expect(
      try Program.sqlite3(
        path, "SELECT Z_MAX = (SELECT max(Z_PK) FROM ACHANGE) FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'") == "1")
  }
}
