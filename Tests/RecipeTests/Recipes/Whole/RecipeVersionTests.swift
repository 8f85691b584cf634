import Decant
import Foundation
import TestSupport
import Testing

/// Which recipe of a store the next version of a file is: with a new title, beside a kept conflict, after a deletion, and
/// read by another decant.
@Suite struct RecipeVersionTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let lines = ["200 g flour", "2 teaspoons sugar", "3 eggs", "300 ml milk"]

  private func write(
    _ title: String = "Pancakes",
    _ lines: [String] = lines,
    to name: String = "soup.json",
    more: [String: Any] = [:]
  ) throws {
    var recipe: [String: Any] = [
      "@type": "Recipe", "name": title, "recipeIngredient": lines, "recipeYield": "4",
      "recipeInstructions": ["Whisk everything.", "Fry thin."],
    ]
    recipe.merge(more) { $1 }
    try shelf.write(try JSONSerialization.data(withJSONObject: recipe, options: .sortedKeys), name)
  }

  private func titles() throws -> String {
    try shelf.value("SELECT group_concat(title, '|') FROM (SELECT title FROM Recipe ORDER BY id)")
  }

  private func servings() throws -> String {
    try shelf.value("SELECT group_concat(servings, '|') FROM (SELECT servings FROM Recipe ORDER BY id)")
  }

  /// A page has an address, a file of a phone has not.
  @Test(arguments: [[:], ["url": "https://example.org/pancakes"]])
  func `a corrected title is a correction`(_ more: [String: String]) throws {
    try write("Pancaks", more: more)
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET rating = 5")
    try write("Pancakes", more: more)
    let report = try shelf.import("soup.json")
    #expect(
      report.notes.contains { $0.kind == .corrected && $0.message.contains("title: Pancaks → Pancakes") },
      "\(report.notes)")
    #expect(
      report.corrections == [
        CopyReport.Correction(
          entity: "Recipe", title: "Pancakes", field: "title", before: "Pancaks", after: "Pancakes")
      ])
    #expect(report.correctionCount == 1)
    #expect(try titles() == "Pancakes")
    #expect(try shelf.import("soup.json").corrections == [])
    // And back again.
    try write("Pancaks", more: more)
    try shelf.import("soup.json")
    #expect(try titles() == "Pancaks")
    #expect(try shelf.value("SELECT rating FROM Recipe") == "5.0")
  }

  @Test func `a title of one's own stays, and is a conflict where the file has another new one`() throws {
    try write("Pancaks")
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET title = 'Crêpes'")
    try write("Pancakes")
    let report = try shelf.import("soup.json")
    #expect(report.conflictCount == 1)
    #expect(report.conflicts.map(\.title) == ["Crêpes"])
    #expect(try titles() == "Crêpes|Pancakes (2)")
  }

  /// Beside the recipe of the old title, or with other lines, it is another recipe.
  @Test func `another recipe in a file of the same name is no correction`() throws {
    try write("Pancakes", to: "one/recipe.json")
    try shelf.import("one/recipe.json")
    try write("Waffles", ["200 g flour", "2 teaspoons sugar", "1 egg", "beer"], to: "two/recipe.json")
    try shelf.import("two/recipe.json")
    #expect(try titles() == "Pancakes|Waffles")
    try write("Pancakes with milk", to: "two/recipe.json")
    try shelf.import("one/recipe.json", "two/recipe.json")
    #expect(try shelf.value("SELECT count(*) FROM Recipe WHERE title = 'Pancakes'") == "1")
  }

  /// With other titles and other lines, or with other IDs, two recipes in files of one name are two, whenever they are
  /// imported; of one page if they have other IDs.
  @Test(arguments: [
    ("Vanilla cake", "Chocolate cake", "50 g cocoa", "11", "12"),
    ("Vanilla cake", "Chocolate cake", "50 g cocoa", "11", "11"),
    ("Cake", "Cake with cherries", "100 g cherries", "11", "12"), ("Cake", "Cake", "100 g cherries", "11", "12"),
  ])
  func `two recipes of one name of a file, or of one page, are two`(
    _ first: String, _ second: String, _ line: String, _ id: String, _ other: String
  ) throws {
    let common = Self.lines + ["100 g butter"]
    for (place, isPage) in [("recipe.json", false), ("r.json", true)] {
      defer { try? FileManager.default.removeItem(atPath: shelf.path("kitchen.sqlite")) }
      guard !isPage || first != second && id != other else { continue }
      let page = isPage ? ["url": "https://example.org/cakes"] : [:]
      try write(first, common + ["1 tsp vanilla"], to: "1\(place)/\(place)", more: page.merging(["id": id]) { $1 })
      try write(second, common + [line], to: "2\(place)/\(place)", more: page.merging(["id": other]) { $1 })
      for _ in 1...2 {
        try shelf.import("1\(place)")
        try shelf.import("2\(place)")
        #expect(try titles() == "\(first)|\(second)", "\(place)")
      }
      // Each goes on by itself.
      try write(
        second, common + [line, "1 pinch of salt"], to: "2\(place)/\(place)", more: page.merging(["id": other]) { $1 }
      )
      try shelf.import("2\(place)")
      #expect(try titles() == "\(first)|\(second)", "\(place)")
      #expect(
        try shelf.value("SELECT recipe_id FROM Ingredient WHERE text = '1 pinch of salt'")
          == shelf.value("SELECT recipe_id FROM Ingredient WHERE text = '\(line)'"))
    }
  }

  @Test(arguments: [[:], ["url": "https://example.org/pancakes"]])
  func `after a kept conflict the file goes on in the copy that has its version`(_ more: [String: String]) throws {
    try write(more: more)
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET servings = 5")
    for count in [8, 9, 10] {
      try write(more: more.merging(["recipeYield": "\(count)"]) { $1 })
      let report = try shelf.import("soup.json")
      #expect(report.conflictCount == (count == 8 ? 1 : 0))
      #expect(try servings() == "5.0|\(count).0")
    }
    // A version that the file had before is one more correction of the copy.
    try write(more: more.merging(["recipeYield": "8"]) { $1 })
    try shelf.import("soup.json")
    #expect(try servings() == "5.0|8.0")
    #expect(try titles() == "Pancakes|Pancakes (2)")
  }

  @Test func `the same with an app's ID`() throws {
    func write(_ servings: Int) throws {
      try shelf.make("a.paprikarecipes", "library([('1', packed(recipe('Bread', servings='\(servings)')))])")
    }
    try write(4)
    try shelf.import("a.paprikarecipes")
    _ = try shelf.value("UPDATE Recipe SET servings = 5, yield = '5'")
    for count in [8, 9] {
      try write(count)
      try shelf.import("a.paprikarecipes")
      #expect(try servings() == "5.0|\(count).0")
    }
    #expect(try shelf.value("SELECT group_concat(recipe_id) FROM NativeID") == "1")
  }

  /// What an older decant has read of the same bytes is no version of the file.
  @Test func `another reading of an unchanged file corrects nothing`() throws {
    try write()
    try write("Waffles", ["1 waffle", "2 waffles"], to: "waffles.json")
    try shelf.import("soup.json", "waffles.json")
    _ = try shelf.value(
      "UPDATE decant_imported SET content = json_set(content, '$.Recipe.summary', 'less', '$.Ingredient[0].text', '200')"
    )
    _ = try shelf.value("UPDATE Recipe SET summary = 'less'")
    let before = try shelf.content()
    let report = try shelf.import("soup.json", "waffles.json")
    #expect(report.corrections == [] && report["Recipe"]?.merge?.same == 2)
    #expect(try shelf.content() == before)
    // The file itself is corrected: only that one.
    try write(more: ["recipeYield": "6"])
    let next = try shelf.import("soup.json", "waffles.json")
    #expect(Set(next.corrections.map(\.title)) == ["Pancakes"])
    #expect(try servings().hasPrefix("6.0"))
  }

  @Test func `each recipe of a container is a document of its own`() throws {
    func write(_ eggs: Int) throws {
      try shelf.make(
        "a.paprikarecipes",
        "library([('1', packed(recipe('Bread', ingredients='\(eggs) eggs'))), ('2', packed(recipe('Soup')))])")
    }
    try write(2)
    try shelf.import("a.paprikarecipes")
    #expect(try shelf.value("SELECT count(DISTINCT digest) FROM decant_imported") == "2")
    _ = try shelf.value("UPDATE decant_imported SET content = json_set(content, '$.Recipe.summary', 'less')")
    try write(3)
    let report = try shelf.import("a.paprikarecipes")
    #expect(Set(report.corrections.map(\.title)) == ["Bread"])
  }

  /// The table as earlier builds made it.
  @Test func `a table of versions without digests gets them`() throws {
    try write()
    try shelf.import("soup.json")
    let digest = try shelf.value("SELECT digest FROM decant_imported")
    #expect(digest.count > 20)
    _ = try shelf.value("ALTER TABLE decant_imported DROP COLUMN digest")
    #expect(try shelf.import("soup.json").corrections == [])
    #expect(try shelf.value("SELECT digest FROM decant_imported") == digest)
  }

  @Test func `a deleted step stays deleted, and the note names no temporary file`() throws {
    try write()
    try shelf.import("soup.json")
    try shelf.value("DELETE FROM Step WHERE text = 'Fry thin.'")
    try write(more: ["recipeYield": "6"])
    let notes = try shelf.import("soup.json").notes.filter { $0.kind == .notAddedAgain }.map(\.message)
    #expect(notes.count == 1 && notes[0].contains("in the older version") && !notes[0].contains("/"), "\(notes)")
    #expect(try shelf.value("SELECT group_concat(text, '|') FROM Step") == "Whisk everything.")
    #expect(try servings() == "6.0")
  }

  @Test func `a shared recipe that a store without versions has is recorded`() throws {
    try write()
    try shelf.import("soup.json")
    _ = try shelf.export(to: "shared.decant")
    // Another has the recipe, in words of their own, and has imported nothing.
    _ = try shelf.value("DELETE FROM decant_imported")
    _ = try shelf.value("UPDATE Recipe SET title = 'Crêpes', servings = 6, fingerprint = 'another'")
    #expect(try shelf.import("shared.decant").corrections == [])
    #expect(
      try shelf.value(
        "SELECT (recipe = (SELECT uuid FROM Recipe)) || json_extract(content, '$.Recipe.title') FROM decant_imported")
        == "1Pancakes")
  }

  @Test func `a deleted recipe stays deleted, until it is asked for`() throws {
    try write()
    try write("Waffles", ["1 waffle", "2 waffles"], to: "waffles.json")
    try shelf.import("soup.json", "waffles.json")
    for table in ["Ingredient", "Step"] {
      _ = try shelf.value(
        "DELETE FROM \(table) WHERE recipe_id = (SELECT id FROM Recipe WHERE title = 'Pancakes')")
    }
    _ = try shelf.value("DELETE FROM Recipe WHERE title = 'Pancakes'")
    for yield in ["4", "4", "6"] {
      try write(more: ["recipeYield": yield])
      let report = try shelf.import("soup.json", "waffles.json")
      #expect(try titles() == "Waffles")
      #expect(report["Recipe"]?.merge?.notAdded == 1 && report["Recipe"]?.merge?.same == 1)
      let note = try #require(report.notes.first { $0.kind == .notAddedAgain })
      #expect(note.commandLine.contains("1 recipe deleted here") && note.message.contains("“Pancakes”"), "\(note)")
      #expect(note.commandLine.contains("--merge skip"))
    }
    // Nothing of it is kept.
    #expect(try shelf.value("SELECT count(*) FROM decant_imported WHERE content LIKE '%flour%'") == "0")
    try shelf.import("soup.json") { $0.rules = MergeRules(.skip) }
    #expect(
      try shelf.value("SELECT group_concat(title) FROM (SELECT title FROM Recipe ORDER BY 1)") == "Pancakes,Waffles")
    // From then on it is a recipe like others.
    try write(more: ["recipeYield": "7"])
    #expect(try shelf.import("soup.json").corrections.map(\.after).contains("7"))
    #expect(try shelf.value("SELECT yield FROM Recipe WHERE title = 'Pancakes'") == "7")
  }

  /// The way that the report names for a store with a model of its own.
  @Test(arguments: ["old.json", "coredata:Old.sqlite", "kitchen.sqlite"])
  func `a Core Data store takes what has changed since an older version`(_ base: String) throws {
    let parts = base.split(separator: ":").map(String.init)
    let place = StoreLocation(kind: parts.count == 2 ? parts[0] : nil, place: shelf.path(parts[parts.count - 1]))
    let store = shelf.path("Core.sqlite")
    let more = ["url": "https://example.org/pancakes"]
    try write(more: more)
    try write(to: "old.json", more: more)
    try Import([shelf.path("soup.json")], into: "coredata:" + store).run()
    if base != "old.json" { try Import([shelf.path("old.json")], into: place.description).run() }
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZRATING = 4")
    try write("Pancakes", ["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"], more: more)
    var work = Import([shelf.path("soup.json")], into: "coredata:" + store)
    work.rules = MergeRules(.threeWay)
    work.rules.base = place
    guard base != "kitchen.sqlite" else {
      let error = #expect(throws: DecantError.self) { try work.run() }
      #expect(error?.description.contains("older version of the recipe file") == true, "\(error as Any)")
      return
    }
    let report = try #require(try work.run().first)
    #expect(report.conflictCount == 0)
    let now = try Program.sqlite3(
      store, "SELECT ZTEXT FROM ZINGREDIENT WHERE ZTEXT LIKE '%sugar'; SELECT ZRATING FROM ZRECIPE")
    #expect(now == "3 teaspoons sugar\n4.0")
  }
}
