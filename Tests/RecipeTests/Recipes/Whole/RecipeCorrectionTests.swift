import Decant
import Foundation
import TestSupport
import Testing

/// A file that was corrected since it was imported: what only the file has changed arrives, what the cook has changed stays.
@Suite struct RecipeCorrectionTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// A recipe file whose ingredients and other values are given.
  private func write(
    _ ingredients: [String] = ["200 g flour", "2 teaspoons sugar", "3 eggs", "300 ml milk"],
    steps: [String] = ["Whisk everything.", "Fry thin."],
    more: [String: Any] = [:]
  ) throws {
    var recipe: [String: Any] = [
      "@context": "https://schema.org", "@type": "Recipe", "name": "Pancakes", "url": "https://example.org/pancakes",
      "recipeYield": "4", "recipeIngredient": ingredients,
      "recipeInstructions": steps.map { ["@type": "HowToStep", "text": $0] },
    ]
    recipe.merge(more) { $1 }
    try shelf.write(try JSONSerialization.data(withJSONObject: recipe, options: .sortedKeys), "soup.json")
  }

  private func lines(_ table: String = "Ingredient", of key: Int = 1) throws -> String {
    try shelf.value(
      "SELECT group_concat(text, '|') FROM (SELECT text FROM \(table) WHERE recipe_id = \(key) ORDER BY recipe_position, id)"
    )
  }

  /// What the cook does, what the file becomes, and what the recipe is then.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    var mine = ""
    var theirs: [String]
    let lines: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "an amount", theirs: ["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"],
      lines: "200 g flour|3 teaspoons sugar|3 eggs|300 ml milk"),
    Case(
      name: "another line is mine", mine: "UPDATE Ingredient SET text = '4 eggs' WHERE text = '3 eggs'",
      theirs: ["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"],
      lines: "200 g flour|3 teaspoons sugar|4 eggs|300 ml milk"),
    Case(
      name: "a line before all", mine: "UPDATE Ingredient SET text = '4 eggs' WHERE text = '3 eggs'",
      theirs: ["1 pinch salt", "200 g flour", "2 teaspoons sugar", "3 eggs", "300 ml milk"],
      lines: "1 pinch salt|200 g flour|2 teaspoons sugar|4 eggs|300 ml milk"),
    Case(
      name: "both insert",
      mine: "INSERT INTO Ingredient (recipe_id, recipe_position, text, isHeading) VALUES (1, 1536, 'my own', 0)",
      theirs: ["1 pinch salt", "200 g flour", "2 teaspoons sugar", "3 eggs", "butter", "300 ml milk"],
      lines: "1 pinch salt|200 g flour|my own|2 teaspoons sugar|3 eggs|butter|300 ml milk"),
    Case(
      name: "I delete", mine: "DELETE FROM Ingredient WHERE text = '3 eggs'",
      theirs: ["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"],
      lines: "200 g flour|3 teaspoons sugar|300 ml milk"),
    Case(
      name: "they delete", mine: "UPDATE Ingredient SET text = '4 eggs' WHERE text = '3 eggs'",
      theirs: ["200 g flour", "3 eggs", "300 ml milk"], lines: "200 g flour|4 eggs|300 ml milk"),
    Case(
      name: "an order", theirs: ["3 eggs", "200 g flour", "2 teaspoons sugar", "300 ml milk"],
      lines: "3 eggs|200 g flour|2 teaspoons sugar|300 ml milk"),
    Case(
      name: "both change to the same", mine: "UPDATE Ingredient SET text = '4 eggs', amount = 4 WHERE text = '3 eggs'",
      theirs: ["200 g flour", "2 teaspoons sugar", "4 eggs", "300 ml milk"],
      lines: "200 g flour|2 teaspoons sugar|4 eggs|300 ml milk"),
    Case(
      name: "all at once", mine: "UPDATE Ingredient SET text = 'oat milk' WHERE text = '300 ml milk'",
      theirs: ["rye", "honey", "3 eggs", "300 ml milk"], lines: "rye|honey|3 eggs|oat milk"),
  ])
  func `ingredients, line by line`(_ example: Case) throws {
    try write()
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET rating = 5, notes = 'Grandma liked it'")
    if !example.mine.isEmpty { _ = try shelf.value(example.mine) }
    try write(example.theirs, more: ["recipeYield": "6"])
    for _ in 1...2 {
      try shelf.import("soup.json")
      #expect(try lines() == example.lines)
      #expect(try shelf.value("SELECT rating || notes || yield FROM Recipe") == "5.0Grandma liked it6")
      #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    }
    // Back to what it was: that is a correction as well.
    try write()
    try shelf.import("soup.json")
    #expect(try shelf.value("SELECT rating || notes || yield FROM Recipe") == "5.0Grandma liked it4")
  }

  @Test func `steps, and the report says what differs`() throws {
    try write()
    try shelf.import("soup.json")
    try write(
      ["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk", "1 pinch salt"],
      steps: ["Whisk everything.", "Fry thin in butter.", "Serve."],
      more: ["recipeYield": "6", "prepTime": "PT20M"]
    )
    let notes = try shelf.import("soup.json").notes.filter { $0.kind == .corrected }.map(\.message)
    #expect(notes.count == 1)
    for words in [
      "“Pancakes” has changed in its file", "sugar: 2 → 3 teaspoons", "yield: 4 → 6", "new ingredient: 1 pinch salt",
      "step 2: Fry thin. → Fry thin in butter.", "new step 3: Serve.", "preparation: PT20M",
    ] { #expect(notes[0].contains(words), "\(words) is not in \(notes)") }
    #expect(try lines("Step") == "Whisk everything.|Fry thin in butter.|Serve.")
    #expect(try shelf.import("soup.json").notes.filter { $0.kind == .corrected } == [])
  }

  /// What is in its file as it was is not even looked at: the cook's values stay, whatever they are.
  @Test func `a file that has not changed changes nothing`() throws {
    try write()
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET title = 'Mine'")
    _ = try shelf.value("DELETE FROM Step")
    let before = try shelf.content()
    let report = try shelf.import("soup.json")
    #expect(report["Recipe"]?.merge?.same == 1 && report.copiedCount == 0)
    #expect(try shelf.content() == before)
  }

  /// Both versions stay; whichever the cook deletes, the next correction finds the other one.
  @Test(arguments: [1, 2])
  func `a conflict keeps both, and the one that is left is corrected`(_ deleted: Int) throws {
    try write()
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET servings = 5")
    try write(more: ["recipeYield": "8"])
    let report = try shelf.import("soup.json")
    #expect(report.conflictCount == 1)
    #expect(try shelf.value("SELECT group_concat(title, '|') FROM Recipe") == "Pancakes|Pancakes (2)")
    #expect(try shelf.value("SELECT group_concat(servings, '|') FROM Recipe") == "5.0|8.0")
    // The same once more is no third one.
    try shelf.import("soup.json")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "2")
    _ = try shelf.value("DELETE FROM Recipe WHERE id = \(deleted)")
    for table in ["Ingredient", "Step"] {
      _ = try shelf.value("DELETE FROM \(table) WHERE recipe_id = \(deleted)")
    }
    try write(["200 g flour", "7 teaspoons sugar", "3 eggs", "300 ml milk"], more: ["recipeYield": "8"])
    let next = try shelf.import("soup.json")
    #expect(next.conflictCount == 0)
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    #expect(try shelf.value("SELECT servings FROM Recipe") == (deleted == 1 ? "8.0" : "5.0"))
    #expect(try shelf.value("SELECT text FROM Ingredient WHERE text LIKE '%sugar'") == "7 teaspoons sugar")
  }

  @Test func `conflicts are listed and decided as elsewhere`() throws {
    try write()
    try shelf.import("soup.json")
    _ = try shelf.value("UPDATE Recipe SET servings = 5")
    try write(more: ["recipeYield": "8"])
    let list = shelf.path("conflicts.jsonl")
    try shelf.import("soup.json") {
      $0.options.merge?.conflictsFile = list
    }
    let lines = try String(contentsOfFile: list, encoding: .utf8)
    #expect(lines.contains(#""attribute":"servings","base":4,"mine":5,"theirs":8"#), "\(lines)")
    #expect(try shelf.value("SELECT yield FROM Recipe") == "4")
    try shelf.write(lines.replacing(#""take":null"#, with: #""take":"theirs""#), "decided.jsonl")
    try shelf.import("soup.json") { $0.options.merge?.decisionsFile = shelf.path("decided.jsonl") }
    #expect(try shelf.value("SELECT yield || servings FROM Recipe") == "88.0")
  }

  /// Fields of a file of a name are no sign: its lines have to be those of the recipe.
  @Test func `another file of the same name is another recipe`() throws {
    try shelf.make("one/r.json", Self.bare("Brownies", ["100 g sugar", "2 eggs"]), inFolder: true)
    try shelf.make("two/r.json", Self.bare("Brownies", ["1 tin of beans", "chili"]), inFolder: true)
    try shelf.import("one/r.json")
    try shelf.import("two/r.json")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "2")
    // One that has the lines is a new version, though it has neither ID nor address.
    try shelf.make("one/r.json", Self.bare("Brownies", ["120 g sugar", "2 eggs"]))
    try shelf.import("one/r.json")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "2")
    #expect(try lines() == "120 g sugar|2 eggs")
  }

  private static func bare(_ title: String, _ lines: [String], page: String = "") -> String {
    "json.dump({'@type': 'Recipe', 'name': '\(title)', 'url': '\(page)', 'recipeIngredient': \(lines), 'recipeInstructions': 'Bake.'}, open(place, 'w'))"
  }

  /// What may be a damaged file, or half of a page, takes nothing away.
  @Test(arguments: [
    ([], ["Whisk everything.", "Fry thin."]), (["200 g flour", "2 teaspoons sugar", "3 eggs", "300 ml milk"], []),
    (["Subscribe to see the recipe"], ["Log in."]),
  ])
  func `a version without most of the lines is left alone, and named`(ingredients: [String], steps: [String]) throws {
    try write()
    try shelf.import("soup.json")
    let before = try shelf.content()
    try write(ingredients, steps: steps, more: ["recipeYield": "9"])
    for _ in 1...2 {
      let notes = try shelf.import("soup.json").notes
      #expect(notes.contains { $0.kind == .differentContent && $0.message.contains("Pancakes") }, "\(notes)")
      #expect(try shelf.content() == before)
    }
    // It was no version of the store: the next one is compared with the last that was.
    try write(["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"])
    try shelf.import("soup.json")
    #expect(try lines() == "200 g flour|3 teaspoons sugar|3 eggs|300 ml milk")
  }

  @Test func `a picture that the file does not deliver any more stays`() throws {
    let pixel = try #require(
      Data(
        base64Encoded:
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
    try shelf.write(pixel, "pic.png")
    try write(more: ["image": "pic.png"])
    try shelf.import("soup.json")
    #expect(try shelf.value("SELECT count(*) FROM Image") == "1")
    try FileManager.default.removeItem(atPath: shelf.path("pic.png"))
    try write(["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"], more: ["image": "pic.png"])
    try shelf.import("soup.json")
    #expect(try shelf.value("SELECT count(*) FROM Image WHERE length(data) > 0") == "1")
    #expect(try lines() == "200 g flour|3 teaspoons sugar|3 eggs|300 ml milk")
  }

  /// A recipe of which no version is known, as in a library of an earlier decant, is left alone whatever else is corrected.
  @Test func `a recipe without a known version is left alone beside a correction`() throws {
    try write()
    let page = "https://example.org/brownies"
    try shelf.make("one/r.json", Self.bare("Brownies", ["100 g sugar", "2 eggs"], page: page), inFolder: true)
    try shelf.import("soup.json", "one/r.json")
    _ = try shelf.value(
      "DELETE FROM decant_imported WHERE recipe = (SELECT uuid FROM Recipe WHERE title = 'Brownies')")
    try write(["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"])
    try shelf.make("one/r.json", Self.bare("Brownies", ["120 g sugar", "2 eggs"], page: page))
    for _ in 1...2 {
      try shelf.import("soup.json", "one/r.json")
      #expect(
        try shelf.value("SELECT group_concat(title) FROM (SELECT title FROM Recipe ORDER BY 1)") == "Brownies,Pancakes")
      #expect(
        try shelf.value(
          "SELECT group_concat(text, '|') FROM Ingredient AS i JOIN Recipe AS r ON r.id = i.recipe_id WHERE r.title = 'Brownies'"
        ) == "100 g sugar|2 eggs")
      #expect(try lines() == "200 g flour|3 teaspoons sugar|3 eggs|300 ml milk")
    }
    #expect(
      try shelf.value(
        "SELECT count(*) FROM decant_imported WHERE recipe = (SELECT uuid FROM Recipe WHERE title = 'Brownies')") == "0"
    )
  }

  /// A page that was shared before a correction is older than that.
  @Test func `a page that was shared before takes no correction back`() throws {
    try write()
    try shelf.import("soup.json")
    try shelf.page("Sent.html")
    try write(["200 g flour", "3 teaspoons sugar", "3 eggs", "300 ml milk"])
    for _ in 1...3 {
      try shelf.import("soup.json", "Sent.html")
      #expect(try lines() == "200 g flour|3 teaspoons sugar|3 eggs|300 ml milk")
      #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    }
  }

  @Test func `uniting keeps the lines of both`() throws {
    try shelf.make("a/a.json", Self.bare("Carrot soup", ["3 carrots", "1 onion", "salt"]), inFolder: true)
    try shelf.make("b/b.json", Self.bare("Carrot soup", ["3 carrots", "1 onion", "nutmeg"]), inFolder: true)
    try shelf.import("a/a.json", "b/b.json")
    _ = try shelf.value(
      "INSERT INTO Ingredient (recipe_id, recipe_position, text, isHeading) VALUES (2, 9999, 'my own secret', 0)")
    try shelf.import("a/a.json", "b/b.json") { $0.options.merge?.duplicates = .merge }
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    let all = try shelf.value("SELECT notes || (SELECT group_concat(text) FROM Ingredient) FROM Recipe")
    for line in ["3 carrots", "1 onion", "salt", "nutmeg", "my own secret"] { #expect(all.contains(line), "\(all)") }
  }

  /// Of two versions in one folder the later one counts, on the first day as well.
  @Test(arguments: [("a", "b"), ("b", "a")])
  func `a folder with two versions gives the same every day`(_ old: String, _ new: String) throws {
    for (name, eggs, age) in [(old, 2, 86_400.0), (new, 3, 0)] {
      try shelf.make(
        "in/\(name).paprikarecipes", "library([('1', packed(recipe('Bread', ingredients='\(eggs) eggs')))])",
        inFolder: true)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: shelf.path("in/\(name).paprikarecipes"))
    }
    for _ in 1...3 {
      let report = try shelf.import("in")
      #expect(!report.notes.contains { $0.kind == .corrected }, "\(report.notes)")
      #expect(try shelf.value("SELECT group_concat(text, '|') FROM Ingredient") == "3 eggs")
      #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    }
  }

  /// Of two exports of one app the later one counts, however they are called.
  @Test func `an older export beside the new one takes nothing back`() throws {
    try shelf.make("b.paprikarecipes", "library([('1', packed(recipe('Bread', ingredients='2 eggs')))])")
    try shelf.import("b.paprikarecipes")
    try shelf.make("a.paprikarecipes", "library([('1', packed(recipe('Bread', ingredients='3 eggs')))])")
    for _ in 1...3 {
      try shelf.import("a.paprikarecipes", "b.paprikarecipes")
      #expect(try lines() == "3 eggs")
    }
  }

  /// A store with a model of its own keeps no versions: the recipe is left alone, and that is said.
  @Test func `a Core Data store leaves a corrected recipe alone, and says so`() throws {
    try write()
    let store = "coredata:" + shelf.path("Core.sqlite")
    func run() throws -> CopyReport {
      let reports = try Import([shelf.path("soup.json")], into: store).run()
      return try #require(reports.first)
    }
    _ = try run()
    try write(more: ["recipeYield": "9"])
    let report = try run()
    #expect(report.entities.allSatisfy { $0.updated == 0 })
    #expect(
      report.notes.contains { $0.kind == .differentContent && $0.commandLine.contains("--base") }, "\(report.notes)")
  }
}
