import Decant
import Foundation
import TestSupport
import Testing

/// The law of exports: what is written for another app and comes back changes nothing.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RecipeReturnTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let places = [
    "out.paprikarecipes", "out.melarecipes", "out.json", "nextcloud:folders", "cooklang:texts", "out.mmf",
  ]

  private func path(_ place: String) -> String { place.split(separator: ":").last.map(String.init) ?? place }

  @Test func `an export of all files that comes back changes nothing`() throws {
    let folder = try RecipeShelf.fixture("")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let files = try names.filter { !$0.contains(".") }.flatMap { name in
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)").map { "\(folder)/\(name)/\($0)" }
    }
    // Without the file of a thousand recipes, which would take minutes.
    try shelf.import(files.sorted().filter { !$0.hasSuffix("1000.mmf") && !$0.hasSuffix(".yaml") })
    let before = try dump()
    for place in Self.places {
      let export = try shelf.export(to: place)
      let report = try shelf.import(path(place))
      #expect(report["Recipe"]?.source == export["Recipe"]?.copied, "\(place)")
      #expect(report["Recipe"]?.merge?.same == export["Recipe"]?.copied, "\(place)")
      for entity in report.entities {
        #expect(entity.copied == 0 && entity.merge?.changed ?? 0 == 0, "\(place), \(entity.name): \(report.notes)")
      }
      #expect(try dump() == before, "\(place)")
    }
  }

  private func edit(_ statements: String) throws {
    _ = try Program.sqlite3(shelf.path("kitchen.sqlite"), statements)
  }

  /// Every row of the recipes, as `sqlite3` prints it; which files they were in is kept beside them.
  private func dump() throws -> String {
    try Program.sqlite3(shelf.path("kitchen.sqlite"), ".dump").split(separator: "\n")
      .filter { !$0.contains("decant_imported") }.joined(separator: "\n")
  }

  @Test func `Meal-Master gives amounts without unit and names with several blanks back`() throws {
    let lines = [
      "4     burger buns", "1  lb  ground   beef", "salt", "½ cup milk", "2-3 tomatoes, sliced", "1 1/2 tsp  paprika",
      "-and legs)", "12345678 grains", "3/4 To 1 lb. pkg couscous", "10  - 12 olives", "1 (14 oz) can beans",
    ]
    let list = lines.map { "\"\($0)\"" }.joined(separator: ", ")
    try shelf.write(
      #"{"@type": "Recipe", "name": "Burger", "recipeIngredient": [\#(list)], "recipeInstructions": ["Fry."]}"#,
      "in.json"
    )
    try shelf.import("in.json")
    let notes = try shelf.export(to: "out.mmf").notes.commandLine
    #expect(
      notes == [
        "Meal-Master cannot hold: ingredients (1 recipe)"
      ]
    )
    try shelf.import("out.mmf", into: "back.sqlite")
    let back = try shelf.content("back.sqlite").field("ingredients", of: "Burger")
    #expect(back == ["4 burger buns", "1 lb  ground   beef"] + lines[2..<6] + ["–and legs)"] + lines[7...])
  }

  @Test func `tags are categories, and an author the source, where a format has neither`() throws {
    try shelf.write(
      """
      {"@type": "Recipe", "name": "Soup", "recipeIngredient": ["1 leek"], "recipeInstructions": ["Boil."],
       "author": "Ada", "recipeCategory": ["Soups"], "keywords": ["quick", "Soups"]}
      """,
      "in.json"
    )
    try shelf.import("in.json")
    for (place, title) in [("out.paprikarecipes", "Paprika"), ("out.melarecipes", "Mela")] {
      let report = try shelf.export(to: place)
      #expect(
        report.notes.commandLine == [
          "\(title) cannot hold: tags, which are written as categories (1 recipe)",
          "\(title) cannot hold: author, who is written as the source (1 recipe)",
        ]
      )
      #expect(report["Tag"]?.copied == 2)
      try shelf.import(place, into: "\(title).sqlite")
      let content = try shelf.content("\(title).sqlite")
      #expect(content.field("categories", of: "Soup").sorted() == ["Soups", "quick"])
      #expect(content.recipes[0]["source"] == "\"Ada\"")
    }
  }

  @Test(arguments: ["out.json", "nextcloud:out"]) func `own notes are a comment`(_ place: String) throws {
    try shelf.write(
      #"{"@type": "Recipe", "name": "Soup", "recipeIngredient": ["1 leek"], "recipeInstructions": ["Boil."]}"#,
      "in.json"
    )
    try shelf.import("in.json")
    let text = "Too salt & dull.\n\nLess < 2 g."
    try edit("UPDATE Recipe SET notes = '\(text)'; UPDATE Step SET text = 'By <source unknown>.'")
    let notes = try shelf.export(to: place).notes.commandLine
    #expect(notes.filter { $0.contains("notes") } == [])
    try shelf.import(path(place), into: "back.sqlite")
    let content = try shelf.content("back.sqlite")
    #expect(content.field("notes", of: "Soup") == [text])
    // What a reader would take for a tag stays readable.
    #expect(content.field("steps", of: "Soup") == ["By < source unknown>."])
  }

  @Test(arguments: ["out.paprikarecipes", "out.melarecipes", "cooklang:out", "out.mmf"])
  func `a time is written as people read it`(_ place: String) throws {
    try shelf.write(
      """
      {"@type": "Recipe", "name": "Soup", "recipeIngredient": ["1 leek"], "recipeInstructions": ["Boil."],
       "prepTime": "PT15M", "cookTime": "PT1H30M", "totalTime": "P0DT1H45M"}
      """,
      "in.json"
    )
    try shelf.import("in.json")
    try shelf.export(to: place)
    try shelf.import(path(place), into: "back.sqlite")
    let times = try shelf.value(
      "SELECT prepTime || ', ' || cookTime || ', ' || coalesce(totalTime, '-') FROM Recipe", of: "back.sqlite")
    #expect(times == "15 min, 1 h 30 min, 1 h 45 min")
  }

  @Test func `what has no place is counted as left out in its table`() throws {
    try shelf.import([RecipeShelf.fixture("mela/jphastings-mela-recipes-a+b.melarecipes")])
    let report = try shelf.export(to: "out.mmf")
    #expect(report.links.cut >= 3)
    for entity in ["NativeID", "Image"] {
      let counts = try #require(report[entity])
      #expect(counts.copied == 0 && counts.filtered == counts.source && counts.source > 0, "\(entity)")
    }
    #expect(report.notes.commandLine.contains("Meal-Master cannot hold: IDs of other apps (2 recipes)"))
  }
}
