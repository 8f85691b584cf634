import Decant
import TestSupport
import Testing

/// Laws of importing recipes into a store that has them, over every policy: what is there follows from the policy
/// alone, and the same import again changes nothing.
@Suite struct RecipeMergeLawTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// A policy, and what it makes of a store's recipe that differs from the file's.
  struct Case: CustomTestStringConvertible, Sendable {
    let policy: MergePolicy
    /// The texts of all ingredients, recipe by recipe, and the titles.
    let lines, titles: String
    var testDescription: String { policy.rawValue }
  }

  private func `import`(_ file: String, _ policy: MergePolicy, into store: String = "kitchen.sqlite")
    throws -> CopyReport
  {
    try shelf.import(file, into: store) { $0.rules = MergeRules(policy) }
  }

  private func lines(_ store: String = "kitchen.sqlite") throws -> String {
    try shelf.value(
      """
      SELECT group_concat(l, ' & ') FROM (SELECT (SELECT group_concat(text, '|') FROM
        (SELECT text FROM Ingredient WHERE recipe_id = r.id ORDER BY recipe_position, id)) AS l FROM Recipe AS r ORDER BY id)
      """,
      of: store
    )
  }

  private func titles(_ store: String = "kitchen.sqlite") throws -> String {
    try shelf.content(store).titles.joined(separator: "|")
  }

  private func make(_ name: String, _ values: String) throws {
    try shelf.make("\(name).paprikarecipe", "paprika(recipe('Bread', uid='1', \(values)))")
  }

  /// Imports twice, and expects of each time what the case says, and that the second changes nothing.
  private func check(_ file: String, _ expected: Case) throws {
    for round in 1...2 {
      let before = try shelf.content()
      _ = try `import`(file, expected.policy)
      let after = try shelf.content()
      #expect(try lines() == expected.lines, "round \(round)")
      #expect(try titles() == expected.titles, "round \(round)")
      #expect(after.faults == [])
      if round == 2 { #expect(after == before) }
    }
    // An app's ID is one recipe's, whatever was kept beside it.
    #expect(try shelf.value("SELECT group_concat(value) FROM NativeID") == "1")
  }

  @Test(arguments: [MergePolicy.skip, .update, .replace, .fill, .newest, .keepBoth, .error])
  func `the same file again adds nothing and changes nothing`(_ policy: MergePolicy) throws {
    try shelf.makeLibraries()
    for file in ["a.paprikarecipes", "b.melarecipes", "c.json"] {
      try shelf.import(file, into: "\(file).sqlite")
      let before = try shelf.content("\(file).sqlite")
      let report = try `import`(file, policy, into: "\(file).sqlite")
      #expect(report.copiedCount == 0, "\(file)")
      #expect(report["Recipe"]?.merge?.same == 3, "\(file)")
      #expect(try shelf.content("\(file).sqlite") == before, "\(file)")
    }
  }

  /// The file is what it was: under `update` its line is the recipe's again.
  @Test(arguments: [
    Case(policy: .skip, lines: "3 eggs|flour, mine", titles: "Bread"),
    Case(policy: .update, lines: "3 eggs|flour", titles: "Bread"),
    Case(policy: .replace, lines: "3 eggs|flour", titles: "Bread"),
    Case(policy: .fill, lines: "3 eggs|flour, mine", titles: "Bread"),
    Case(policy: .newest, lines: "3 eggs|flour, mine", titles: "Bread"),
    Case(policy: .keepBoth, lines: "3 eggs|flour, mine & 3 eggs|flour", titles: "Bread|Bread (2)"),
  ])
  func `a line that was edited in the store`(_ expected: Case) throws {
    try make("a", #"ingredients="3 eggs\nflour""#)
    try shelf.import("a.paprikarecipe")
    _ = try shelf.value("UPDATE Ingredient SET text = 'flour, mine' WHERE text = 'flour'")
    try check("a.paprikarecipe", expected)
  }

  @Test(arguments: [
    Case(policy: .skip, lines: "3 eggs|flour", titles: "Bread"),
    Case(policy: .update, lines: "3 eggs|rye|salt", titles: "Bread"),
    Case(policy: .replace, lines: "3 eggs|rye|salt", titles: "Bread"),
    Case(policy: .fill, lines: "3 eggs|flour", titles: "Bread"),
    Case(policy: .newest, lines: "3 eggs|flour", titles: "Bread"),
    Case(policy: .keepBoth, lines: "3 eggs|flour & 3 eggs|rye|salt", titles: "Bread|Bread (2)"),
  ])
  func `a line that was edited in the file`(_ expected: Case) throws {
    try make("a", #"ingredients="3 eggs\nflour""#)
    try make("b", #"ingredients="3 eggs\nrye\nsalt""#)
    try shelf.import("a.paprikarecipe")
    try check("b.paprikarecipe", expected)
  }

  /// Steps are parts as well, though pictures lead to them; and what the file lacks goes under `replace` alone.
  @Test(arguments: [
    (MergePolicy.skip, "Mix.|Rest.|Bake.", "Sweet"), (.update, "Mix.|Bake.|Bake.", "Plain,Sweet"),
    (.replace, "Mix.|Bake.", "Plain"), (.newest, "Mix.|Rest.|Bake.", "Sweet"),
  ])
  func `steps and categories`(_ policy: MergePolicy, _ steps: String, _ categories: String) throws {
    try make("a", #"directions="Mix.\n\nRest.\n\nBake.", categories=["Sweet"]"#)
    try make("b", #"directions="Mix.\n\nBake.", categories=["Plain"]"#)
    try shelf.import("a.paprikarecipe")
    for round in 1...2 {
      _ = try `import`("b.paprikarecipe", policy)
      #expect(
        try shelf.value(
          "SELECT group_concat(text, '|') FROM (SELECT text FROM Step ORDER BY recipe_position)"
        ) == steps,
        "round \(round)"
      )
      #expect(
        try shelf.value(
          """
          SELECT group_concat(name) FROM (SELECT name FROM Category JOIN Category_recipes ON Category_id = id ORDER BY 1)
          """
        ) == categories,
        "round \(round)"
      )
    }
    // What only a recipe leads to that stays as it is does not come.
    if policy == .skip || policy == .newest {
      #expect(try shelf.value("SELECT group_concat(name) FROM Category") == "Sweet")
    }
  }

  /// Many of the file may be one of the store: its lines stand there once.
  @Test(arguments: [MergePolicy.skip, .update, .replace, .fill, .newest, .keepBoth])
  func `two that are alike in one file, and one in the store`(_ policy: MergePolicy) throws {
    let recipe =
      #"{"@type": "Recipe", "name": "Bread", "recipeIngredient": ["3 eggs"], "recipeInstructions": "Mix."}"#
    try shelf.write("[\(recipe)]", "one.json")
    try shelf.write("[\(recipe), \(recipe)]", "two.json")
    try shelf.import("one.json")
    let before = try shelf.content()
    _ = try `import`("two.json", policy)
    #expect(try shelf.content() == before)
  }

  /// The lines are those of the one that is found by the surer way, whichever comes first in the file.
  @Test(arguments: [MergePolicy.update, .replace])
  func `of two that are one of the store, the surer brings its lines`(_ policy: MergePolicy) throws {
    func recipe(_ line: String, _ notes: String) -> String {
      #"{"@type": "Recipe", "name": "Bread", "description": "\#(notes)", "recipeIngredient": ["\#(line)"], "recipeInstructions": "Mix."}"#
    }
    try shelf.write("[\(recipe("3 eggs", "one")), \(recipe("3 eggs", "two"))]", "two.json")
    try shelf.import("two.json")
    _ = try shelf.value("DELETE FROM Ingredient WHERE recipe_id = 1")
    _ = try shelf.value("DELETE FROM Step WHERE recipe_id = 1")
    _ = try shelf.value("DELETE FROM Recipe WHERE id = 1")
    _ = try shelf.value("UPDATE Ingredient SET text = '3 eggs, mine'")
    for _ in 1...2 {
      _ = try `import`("two.json", policy)
      #expect(try lines() == "3 eggs")
      #expect(try shelf.value("SELECT count(*) FROM Step") == "1")
    }
  }

  /// A title alone says nothing, whatever the identifiers follow from.
  @Test func `two cards of one title are two`() throws {
    for (name, notes) in [("a", "one"), ("b", "two")] {
      try shelf.write(
        #"{"@type": "Recipe", "name": "Card", "description": "\#(notes)", "recipeCategory": "x"}"#,
        "\(name).json"
      )
      try shelf.import("\(name).json")
    }
    #expect(try shelf.value("SELECT group_concat(summary) FROM Recipe") == "one,two")
  }

  /// What both had is a file, too.
  @Test func `three ways, with a file as what both had`() throws {
    try make("base", #"ingredients="3 eggs\nflour", notes="old", rating=1"#)
    try make("theirs", #"ingredients="3 eggs\nrye", notes="old", rating=5"#)
    try shelf.import("base.paprikarecipe")
    _ = try shelf.value("UPDATE Recipe SET notes = 'mine'")
    for _ in 1...2 {
      try shelf.import("theirs.paprikarecipe") {
        $0.rules = MergeRules(.threeWay)
        $0.options.merge?.base = StoreKinds.location(shelf.path("base.paprikarecipe"))
      }
      #expect(try lines() == "3 eggs|rye")
      #expect(try shelf.value("SELECT notes || rating FROM Recipe") == "mine5.0")
    }
  }

  /// Another app lacks fields, writes lines otherwise, and has an ID of its own: that is nothing new.
  @Test(arguments: [MergePolicy.skip, .update, .replace, .fill, .newest, .keepBoth, .error])
  func `one recipe of two apps`(_ policy: MergePolicy) throws {
    try make("a", #"ingredients="3 eggs\nflour", directions="Mix.", notes="Mine", rating=4"#)
    try shelf.make(
      "b.melarecipe",
      """
      json.dump({"id": "mela-1", "title": "BREAD", "ingredients": "3 Eggs\\nFlour", "instructions": "1. Mix",
          "categories": ["Other"]}, open(place, "w"))
      """
    )
    try shelf.import("a.paprikarecipe")
    let before = try shelf.content()
    let report = try `import`("b.melarecipe", policy)
    #expect(report["Recipe"]?.merge?.same == 1)
    #expect(try shelf.content() == before)
  }

  /// What the other app has more, or a line that was edited in the store, is a difference.
  @Test(arguments: [
    (MergePolicy.skip, "3 eggs|flour, mine", ""), (.update, "3 Eggs|Flour", "Theirs"),
    (.fill, "3 eggs|flour, mine", "Theirs"),
  ])
  func `another app has more`(_ policy: MergePolicy, _ lines: String, _ notes: String) throws {
    try make("a", #"ingredients="3 eggs\nflour", directions="Mix.""#)
    try shelf.make(
      "b.melarecipe",
      """
      json.dump({"id": "mela-1", "title": "Bread", "ingredients": "3 Eggs\\nFlour", "instructions": "Mix.",
          "notes": "Theirs"}, open(place, "w"))
      """
    )
    try shelf.import("a.paprikarecipe")
    _ = try shelf.value("UPDATE Ingredient SET text = 'flour, mine' WHERE text = 'flour'")
    for round in 1...2 {
      _ = try `import`("b.melarecipe", policy)
      #expect(try self.lines() == lines, "round \(round)")
      #expect(try shelf.value("SELECT coalesce(notes, '') FROM Recipe") == notes, "round \(round)")
      #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    }
  }

  /// Without both dates nothing says which is newer: the store's stays, and a note says so.
  @Test(arguments: [
    ("2020-01-02 10:00:00", "2021-01-02T09:00:00", "new"), ("2021-01-02", "2020-01-02", "old"),
    ("2020-01-02T10:00:00", "2020-01-02 10:00:00", "old"), (nil, "2021-01-02", "old"),
    ("2021-01-02", nil, "old"), (nil, nil, "old"), ("last week", "tomorrow", "old"),
  ])
  func `the newest of two states`(_ there: String?, _ here: String?, _ notes: String) throws {
    try make("a", #"notes="old""#)
    try make("b", #"notes="new""#)
    try shelf.import("a.paprikarecipe")
    func date(_ date: String?) -> String { date.map { "'\($0)'" } ?? "NULL" }
    _ = try shelf.value("UPDATE Recipe SET modified = \(date(there))")
    // Paprika says no date of a change: a store that was made of the file is one that does.
    try shelf.import("b.paprikarecipe", into: "other.sqlite")
    _ = try shelf.value("UPDATE Recipe SET modified = \(date(here))", of: "other.sqlite")
    var options = CopyOptions()
    options.merge = MergeRules(.newest)
    let report = try Copy(from: shelf.path("other.sqlite"), to: shelf.path("kitchen.sqlite"), options: options).run()
    #expect(try shelf.value("SELECT notes FROM Recipe") == notes)
    let isUnreported = there == nil || here == nil || there == "last week"
    let isReported = report.notes.commandLine.contains { $0.contains("no modification time in one of the stores") }
    #expect(isReported == isUnreported, "\(report.notes)")
  }

  /// The merge of stores, and the comparison of two, find what the import finds.
  @Test func `all verbs find the same recipes`() throws {
    try shelf.makeLibraries()
    try shelf.import("a.paprikarecipes")
    var options = CopyOptions()
    options.merge = MergeRules(.skip)
    let report = try Copy(from: shelf.path("b.melarecipes"), to: shelf.path("kitchen.sqlite"), options: options).run()
    #expect(report.copiedCount == 0)
    #expect(report["Recipe"]?.merge?.same == 3)
  }
}
