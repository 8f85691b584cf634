import Foundation
import TestSupport
import Testing

/// What `decant recipes` changes in the stores of apps, by a mapping.
extension RecipesCommandTests {
  private func kitchen(_ sql: String) throws -> String {
    try Program.sqlite3(place.folder.path("Kitchen.sqlite"), sql)
  }

  @Test func `an app's recipes are edited by a mapping, in their own attributes`() throws {
    let key = try kitchen("SELECT Z_PK FROM ZRECIPE WHERE ZTITLE = 'Red Lentil Dal'")
    let others = try kitchen("SELECT * FROM ZRECIPE WHERE Z_PK <> \(key); SELECT * FROM ZINGREDIENT")
    let version = try #require(Int(kitchen("SELECT Z_OPT FROM ZRECIPE WHERE Z_PK = \(key)")))
    let edit = ["recipes", "Kitchen.sqlite", "edit", "Red Lentil Dal"]
    let values = ["rating", "4.5", "title", "Dal", "summary", "", "servings", "6", "prepTime", "1 h 20 min"]
    let dry = try place.run(edit + values + ["--dry-run"] + Self.mapping)
    #expect(dry.status == 0 && dry.output.contains("would be changed"), "\(dry.errors)")
    let run = try place.run(edit + values + Self.mapping)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try kitchen(
        "SELECT ZRATING, ZTITLE, ZSUBTITLE IS NULL, ZSERVINGS, ZPREPMINUTES, Z_OPT FROM ZRECIPE WHERE Z_PK = \(key)")
        == "4.5|Dal|1|6|80|\(version + 1)")
    #expect(
      try kitchen("SELECT abs(ZMODIFIEDAT + 978307200 - unixepoch()) < 600 FROM ZRECIPE WHERE Z_PK = \(key)") == "1")
    #expect(try kitchen("SELECT * FROM ZRECIPE WHERE Z_PK <> \(key); SELECT * FROM ZINGREDIENT") == others)
    #expect(try list(["Kitchen.sqlite"] + Self.mapping).contains { $0.title == "Dal" && "\($0.id)" == key })
    // The mapping reads no servings from 0.
    let cleared = try place.run(["recipes", "Kitchen.sqlite", "edit", "Dal", "servings", ""] + Self.mapping)
    #expect(cleared.status == 0, "\(cleared.errors)")
    #expect(["0", ""].contains(try kitchen("SELECT ZSERVINGS FROM ZRECIPE WHERE Z_PK = \(key)")))
    #expect(try place.run(["doctor", "Kitchen.sqlite"]).status == 0)
  }

  @Test(
    arguments: [
      (["rating", "4.25"], "round(rating, 1)"), (["servings", "2.5"], "of type int16"),
      (["yield", "a bowl"], "a bowl"),
      (["ingredients", "1 egg"], "objects of their own"), (["categories", "Soups"], "objects of their own"),
      (["notes", "Mine"], "no attribute of Recipe"), (["title", "Dal", "tags", "quick"], "objects of their own"),
    ]
  )
  func `what a mapping cannot say is refused, and nothing is changed`(_ values: [String], _ reason: String) throws {
    let before = place.content("Kitchen.sqlite")
    let edit = ["recipes", "Kitchen.sqlite", "edit", "Red Lentil Dal"] + values + Self.mapping
    try place.expect(edit, 64, reason)
    try place.expect(edit + ["--dry-run"], 64, reason)
    #expect(place.content("Kitchen.sqlite") == before)
  }

  @Test func `a recipe of an app is deleted by the delete rules of its model`() throws {
    let key = try kitchen("SELECT Z_PK FROM ZRECIPE WHERE ZTITLE = 'Red Lentil Dal'")
    func count(_ table: String, _ condition: String) throws -> Int {
      try #require(Int(kitchen("SELECT count(*) FROM \(table) WHERE \(condition)")))
    }
    let (others, recipes) = (try count("ZINGREDIENT", "ZRECIPE <> \(key)"), try count("ZRECIPE", "1"))
    let shared = try kitchen("SELECT count(*) FROM ZCATEGORY; SELECT count(*) FROM ZTAG")
    #expect(try count("ZINGREDIENT", "ZRECIPE = \(key)") > 0)
    let run = try place.run(["recipes", "Kitchen.sqlite", "delete", key, "--yes"] + Self.mapping)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try count("ZRECIPE", "1") == recipes - 1)
    #expect(try count("ZRECIPE", "Z_PK = \(key)") == 0)
    #expect(try count("ZINGREDIENT", "1") == others)
    #expect(try count("ZSTEP", "ZRECIPE = \(key)") == 0)
    #expect(try kitchen("SELECT count(*) FROM ZCATEGORY; SELECT count(*) FROM ZTAG") == shared)
    #expect(try place.run(["doctor", "Kitchen.sqlite"]).status == 0)
  }

  @Test(arguments: [["prepTime", "ca. eine Weile"], ["servings", "90000"], ["servings", "90000", "--dry-run"]])
  func `a value that the app's attribute cannot hold changes nothing`(_ edit: [String]) throws {
    let before = try kitchen("SELECT * FROM ZRECIPE")
    try place.expect(["recipes", "Kitchen.sqlite", "edit", "8"] + edit + Self.mapping, 64, "cannot become")
    #expect(try kitchen("SELECT * FROM ZRECIPE") == before)
  }

  @Test func `a date without a time is that day of an app's attribute`() throws {
    let run = try place.run(["recipes", "Kitchen.sqlite", "edit", "8", "created", "2025-01-31"] + Self.mapping)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try kitchen("SELECT date(ZCREATEDAT + 978307200, 'unixepoch') FROM ZRECIPE WHERE Z_PK = 8") == "2025-01-31")
  }

  /// How recipes of Apple's sample app are read.
  private static let appleMapping = """
    decant: 1
    contract: { entities: discard, attributes: discard }
    entities:
      Recipe:
        set: { uuid: "'apple-' || _id", title: name, summary: overview, format: "'apple'", fingerprint: "''" }
      Step:
        from: Recipe
        where: "instructions IS NOT NULL"
        set: { text: instructions, isHeading: 0, recipe: $self }
      Ingredient:
        set: { text: "coalesce(amount || ' ', '') || name", isHeading: 0, recipe_position: displayOrder }
        drop: [amount, name]
      Image:
        where: "0"
        set: { data: image, sha256: "''", type: "''" }
    """

  @Test(.enabled(if: Fixtures.areAvailable))
  func `recipes of Apple's sample app are edited and deleted`() throws {
    let store = try Fixtures.copyStore("apple-recipes/Recipes.sqlite", into: place.url).path
    try Self.appleMapping.write(toFile: place.folder.path("apple.yaml"), atomically: true, encoding: .utf8)
    let mapping = ["--mapping", "apple.yaml"]
    func sql(_ text: String) throws -> String { try Program.sqlite3(store, text) }
    let images = try sql("SELECT group_concat(Z_PK || hex(ZTHUMBNAILIMAGE)) FROM ZRECIPE; SELECT * FROM ZINGREDIENT")
    let edit = try place.run(
      ["recipes", store, "edit", "2", "title", "Soup", "prepTime", "20 min", "summary", "Hot"] + mapping)
    #expect(edit.status == 0, "\(edit.errors)")
    #expect(try sql("SELECT ZNAME, ZPREPTIME, ZOVERVIEW FROM ZRECIPE WHERE Z_PK = 2") == "Soup|20 min|Hot")
    #expect(
      try sql("SELECT group_concat(Z_PK || hex(ZTHUMBNAILIMAGE)) FROM ZRECIPE; SELECT * FROM ZINGREDIENT") == images)
    try place.expect(["recipes", store, "edit", "2", "rating", "3"] + mapping, 64, "no attribute of Recipe")
    try place.expect(["recipes", store, "edit", "2", "steps", "Boil."] + mapping, 64, "objects of their own")
    let others = try sql("SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE <> 2; SELECT count(*) FROM ZRECIPETYPE")
    let deletion = try place.run(["recipes", store, "delete", "2", "--yes"] + mapping)
    #expect(deletion.status == 0, "\(deletion.errors)")
    #expect(try sql("SELECT count(*) FROM ZINGREDIENT; SELECT count(*) FROM ZRECIPETYPE") == others)
    #expect(try sql("SELECT Z_PK FROM ZRECIPE ORDER BY Z_PK; SELECT count(*) FROM ZIMAGE") == "1\n3\n2")
    #expect(try place.run(["doctor", store]).status == 0)
  }
}
