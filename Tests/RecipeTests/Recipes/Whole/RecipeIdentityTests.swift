import Decant
import Foundation
import TestSupport
import Testing

/// When two recipes are one: by their own ID, by the page they come from, by what they hold; never by the title.
@Suite struct RecipeIdentityTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private func titles() throws -> [String] { try shelf.content().titles }

  private func count(_ report: CopyReport) -> Int64 { report["Recipe"]?.copied ?? 0 }

  /// By what the recipes were found in the store that were there, and how many.
  private func ways(_ report: CopyReport) -> [String: Int64] {
    let pairings = report["Recipe"]?.merge?.pairings ?? []
    return Dictionary(pairings.map { ($0.names.joined(), $0.count) }, uniquingKeysWith: +)
  }

  @Test(arguments: [
    ["a.paprikarecipes", "b.melarecipes", "c.json"],
    ["c.json", "b.melarecipes", "a.paprikarecipes"],
  ])
  func `one library in several formats is there once`(_ files: [String]) throws {
    try shelf.makeLibraries()
    #expect(count(try shelf.import(files[0])) == 3)
    let first = try shelf.content()
    for file in files.dropFirst() {
      let report = try shelf.import(file)
      #expect(report.copiedCount == 0, "\(report.notes)")
      #expect(ways(report) == ["page": 1, "content": 2])
      #expect(try shelf.content() == first)
    }
    // All at once it is the same.
    #expect(count(try shelf.import(files, into: "other.sqlite")) == 3)
    #expect(try shelf.content("other.sqlite").recipes == first.recipes)
  }

  @Test func `the same file is known by its IDs`() throws {
    try shelf.makeLibraries()
    try shelf.import("a.paprikarecipes")
    let report = try shelf.import("a.paprikarecipes") { $0.rules = MergeRules(.skip) }
    #expect(ways(report) == ["own ID": 3])
    #expect(report["Recipe"]?.merge?.pairings.map(\.rank) == [1])
  }

  @Test func `recipes of one title are all there`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([(f"{n}", packed(recipe("Pancakes", uid=f"id {n}", ingredients=f"{n} eggs"))) for n in range(1, 4)])
      """
    )
    try shelf.make(
      "b.json",
      """
      json.dump({"@type": "Recipe", "name": "Pancakes", "recipeIngredient": ["9 eggs"],
          "recipeInstructions": "Fry."}, open(place, "w"))
      """
    )
    #expect(count(try shelf.import("a.paprikarecipes", "b.json")) == 4)
    #expect(try titles() == ["Pancakes", "Pancakes", "Pancakes", "Pancakes"])
    #expect(count(try shelf.import("b.json", "a.paprikarecipes")) == 0)
  }

  @Test func `recipes of one page are told apart by their titles`() throws {
    let script = """
      json.dump([{"@type": "Recipe", "name": n, "url": "https://example.org/menu", "recipeIngredient": [n],
          "recipeInstructions": "Mix."} for n in NAMES], open(place, "w"))
      """
    try shelf.make("a.json", "NAMES = ['Starter', 'Main', 'Dessert']\n" + script)
    try shelf.make("b.json", "NAMES = ['dessert', 'Drinks']\n" + script)
    #expect(count(try shelf.import("a.json")) == 3)
    #expect(count(try shelf.import("a.json")) == 0)
    #expect(count(try shelf.import("b.json")) == 1)
    // The page writes a title otherwise now.
    #expect(try titles() == ["Starter", "Main", "dessert", "Drinks"])
    #expect(count(try shelf.import("a.json", "b.json")) == 0)
  }

  /// A page with one recipe is that recipe, whatever the site calls it today.
  @Test(arguments: [
    "http://example.org/a", "https://www.example.org/a/", "HTTPS://Example.ORG/a#comments",
    "https://example.org/a?utm_source=mail&utm_medium=x", "https://example.org:443/a?fbclid=1",
  ])
  func `a page has one address`(_ address: String) throws {
    try shelf.make(
      "a.paprikarecipe",
      "open(place, 'wb').write(packed(recipe('A', source_url='https://example.org/a')))"
    )
    try shelf.make(
      "b.json",
      """
      json.dump({"@type": "Recipe", "name": "A, revised", "url": "\(address)", "recipeIngredient": ["1 cup flour", "x"],
          "recipeInstructions": ["Mix.", "y"]}, open(place, "w"))
      """
    )
    try shelf.import("a.paprikarecipe")
    let report = try shelf.import("b.json")
    #expect(count(report) == 0)
    #expect(ways(report) == ["page": 1])
    #expect(
      report.notes.commandLine.contains {
        $0.contains("with different values in the source, not copied: “A, revised”")
      }
    )
    #expect(try titles() == ["A"])
  }

  @Test func `of many recipes that stay out five are named`() throws {
    for (name, notes) in [("a", "Mix."), ("b", "Fry.")] {
      try shelf.make(
        "\(name).paprikarecipes",
        """
        library([(f"{n}", packed(recipe(f"R{n}", uid=f"id {n}", directions="\(notes)"))) for n in range(1, 8)])
        """
      )
    }
    try shelf.import("a.paprikarecipes")
    let report = try shelf.import("b.paprikarecipes") { $0.rules = MergeRules(.skip) }
    let notes = report.notes.commandLine.filter {
      $0.contains("with different values in the source, not copied: ")
    }
    let names = notes.first?.split(separator: ": ").last?.split(separator: ";").first
    #expect(notes.count == 1 && names == "“R1”, “R2”, “R3”, “R4”, “R5”, …", "\(notes)")
  }

  @Test(arguments: [
    "https://example.org/b", "https://example.org/a?id=2", "https://other.example.org/a",
    "https://example.org/A",
  ])
  func `another page is another recipe`(_ address: String) throws {
    for (name, url) in [("a", "https://example.org/a"), ("b", address)] {
      try shelf.make("\(name).paprikarecipe", "open(place, 'wb').write(packed(recipe('\(name)', source_url='\(url)')))")
    }
    #expect(count(try shelf.import("a.paprikarecipe", "b.paprikarecipe")) == 2)
  }

  /// What is there stays; it is said; and what came can stay beside it, once.
  @Test func `a recipe that has changed is reported, and kept beside when that is asked for`() throws {
    for (name, notes) in [("a", "Mix."), ("b", "Mix well.\\n\\nServe.")] {
      try shelf.make(
        "\(name).paprikarecipes",
        """
        library([("1", packed(recipe("Bread", directions="\(notes)", photo_data=base64.b64encode(png).decode()))),
            ("2", packed(recipe("Soup")))])
        """
      )
    }
    try shelf.import("a.paprikarecipes")
    let before = try shelf.content()
    let report = try shelf.import("b.paprikarecipes") { $0.rules = MergeRules(.skip) }
    #expect(report.copiedCount == 0)
    #expect(report["Recipe"]?.merge?.changed == 1)
    #expect(report["Recipe"]?.merge?.same == 1)
    #expect(
      report.notes.commandLine.contains {
        $0.contains("with different values in the source, not copied: “Bread”")
      }
    )
    #expect(try shelf.content() == before)
    for round in 1...3 {
      let kept = try shelf.import("b.paprikarecipes") { $0.rules = MergeRules(.keepBoth) }
      #expect(count(kept) == (round == 1 ? 1 : 0), "round \(round): \(kept.notes)")
      let content = try shelf.content()
      #expect(content.titles == ["Bread", "Soup", "Bread (2)"])
      #expect(content.pictures.count == 2)
      #expect(content.counts["Step"] == 1 + 2 + 2)
      #expect(content.faults == [])
    }
    // Neither is a third when the first file comes once more.
    let first = try shelf.import("a.paprikarecipes") { $0.rules = MergeRules(.keepBoth) }
    #expect(count(first) == 0, "\(first.notes)")
    #expect(try titles().count == 3)
  }

  @Test func `a page that has changed is kept beside once`() throws {
    for (name, text) in [("a", "one egg"), ("b", "two eggs")] {
      try shelf.make(
        "\(name).json",
        """
        json.dump({"@type": "Recipe", "name": "Omelette", "url": "https://example.org/o",
            "recipeIngredient": ["\(text)"], "recipeInstructions": "Fry."}, open(place, "w"))
        """
      )
    }
    try shelf.import("a.json")
    for round in 1...3 {
      let report = try shelf.import("b.json") { $0.rules = MergeRules(.keepBoth) }
      #expect(count(report) == (round == 1 ? 1 : 0), "round \(round): \(report.notes)")
    }
    let again = try shelf.import("a.json", "b.json") { $0.rules = MergeRules(.keepBoth) }
    #expect(count(again) == 0, "\(again.notes)")
    // Without being asked for, nothing is changed.
    let before = try shelf.content()
    let skipped = try shelf.import("b.json")
    #expect(skipped.copiedCount == 0)
    #expect(try shelf.content() == before)
    #expect(try titles() == ["Omelette", "Omelette (2)"])
  }

  @Test func `three-way needs what both sides had`() throws {
    try shelf.makeLibraries()
    try shelf.import("a.paprikarecipes")
    let error = #expect(throws: DecantError.self) {
      try shelf.import("a.paprikarecipes") { $0.rules = MergeRules(.threeWay) }
    }
    #expect(error?.family == .usage)
  }

  /// The identifier follows from the recipe: whoever imports it has the same.
  @Test func `identifiers are the same in every store`() throws {
    try shelf.makeLibraries()
    try shelf.import("a.paprikarecipes", into: "one.sqlite")
    try shelf.import("a.paprikarecipes", into: "two.sqlite")
    let sql = "SELECT uuid FROM Recipe ORDER BY 1"
    let (one, two) = (
      try Program.sqlite3(shelf.path("one.sqlite"), sql),
      try Program.sqlite3(shelf.path("two.sqlite"), sql)
    )
    #expect(one == two)
    #expect(one.split(separator: "\n").count == 3)
  }
}
