import Decant
import TestSupport
import Testing

/// What becomes of two that are one recipe and do not hold the same, and what is no sign that they are one.
@Suite struct RecipeSamenessTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private func count(_ report: CopyReport) -> Int64 { report["Recipe"]?.copied ?? 0 }

  @Test(arguments: [["poor", "rich"], ["rich", "poor"]])
  func `whichever comes first, nothing of a recipe stays behind in one run`(_ order: [String]) throws {
    try shelf.make("poor.paprikarecipe", #"paprika(recipe("Pie", uid="1"))"#)
    try shelf.make(
      "rich.paprikarecipe",
      """
      paprika(recipe("Pie", uid="1", notes="Grandma's", rating=5, categories=["Sweet"], photo="p.png",
          photo_data=base64.b64encode(png).decode()))
      """
    )
    let report = try shelf.import(order.map { "\($0).paprikarecipe" })
    #expect(count(report) == 1)
    #expect(try shelf.value("SELECT notes || rating FROM Recipe") == "Grandma's5.0")
    #expect(try shelf.value("SELECT count(*) FROM Image") == "1")
    #expect(try shelf.value("SELECT name FROM Category") == "Sweet")
  }

  @Test func `what the store lacks is told, and kept beside once`() throws {
    try shelf.make("poor.paprikarecipe", #"paprika(recipe("Pie"))"#)
    try shelf.make(
      "rich.paprikarecipe",
      #"paprika(recipe("Pie", photo="p.png", photo_data=base64.b64encode(png).decode()))"#
    )
    try shelf.import("poor.paprikarecipe")
    let report = try shelf.import("rich.paprikarecipe") { $0.rules = MergeRules(.skip) }
    #expect(count(report) == 0)
    #expect(report.notes.commandLine.contains { $0.contains("with different values in the source") })
    func keepBoth() throws -> Int64 {
      count(
        try shelf.import("rich.paprikarecipe") {
          $0.rules = MergeRules(.keepBoth)
        }
      )
    }
    #expect(try keepBoth() == 1)
    #expect(try keepBoth() == 0)
    #expect(try shelf.value("SELECT count(*) FROM Image") == "1")
  }

  @Test(arguments: [
    (MergePolicy.skip, "3 eggs|flour|salt", "old"), (.update, "3 eggs|rye|oil", "new"),
    (.replace, "3 eggs|rye|oil", "new"), (.fill, "3 eggs|flour|salt", "old"),
    (.newest, "3 eggs|flour|salt", "old"),
  ])
  func `each policy for an edited recipe`(_ policy: MergePolicy, _ lines: String, _ notes: String) throws {
    for (name, ingredients, text) in [
      ("a", "3 eggs\\nflour\\nsalt", "old"), ("b", "3 eggs\\nrye\\noil", "new"),
    ] {
      try shelf.make(
        "\(name).paprikarecipe",
        #"paprika(recipe("Bread", uid="1", ingredients="\#(ingredients)", notes="\#(text)"))"#
      )
    }
    #expect(count(try shelf.import("a.paprikarecipe")) == 1)
    for _ in 0..<2 {
      let report = try shelf.import("b.paprikarecipe") { $0.rules = MergeRules(policy) }
      #expect(count(report) == 0)
      #expect(
        try shelf.value(
          "SELECT group_concat(text, '|') FROM (SELECT text FROM Ingredient ORDER BY recipe_position)"
        ) == lines
      )
      #expect(try shelf.value("SELECT group_concat(notes) FROM Recipe") == notes)
    }
  }

  @Test func `a title is no content`() throws {
    let bare = #"ingredients="", directions="""#
    for (name, notes) in [("a", "one"), ("b", "two")] {
      try shelf.make(
        "\(name).paprikarecipe",
        #"paprika(recipe("Card", \#(bare), uid="\#(name)", notes="\#(notes)"))"#
      )
    }
    #expect(count(try shelf.import("a.paprikarecipe")) == 1)
    #expect(count(try shelf.import("b.paprikarecipe")) == 1)
    #expect(count(try shelf.import("b.paprikarecipe")) == 0)
  }

  @Test(arguments: [
    ("1.5 kg flour", "15 kg flour"), ("1/2 cup salt", "12 cup salt"), ("1 1/2 cups", "11/2 cups"),
    ("2-3 eggs", "23 eggs"),
  ])
  func `other amounts are another content`(_ one: String, _ other: String) throws {
    try shelf.make("a.paprikarecipe", #"paprika(recipe("Bread", uid="1", ingredients="\#(one)"))"#)
    try shelf.make(
      "b.paprikarecipe",
      #"paprika(recipe("Bread", uid="2", ingredients="\#(other)"))"#
    )
    #expect(count(try shelf.import("a.paprikarecipe")) == 1)
    #expect(count(try shelf.import("b.paprikarecipe")) == 1)
  }

  @Test(arguments: ["https://www.chefkoch.de/", "http://chefkoch.de"])
  func `a site as a whole is no page`(_ address: String) throws {
    try shelf.make(
      "a.paprikarecipe",
      #"paprika(recipe("Goulash", source_url="https://chefkoch.de/"))"#
    )
    try shelf.make("b.paprikarecipe", #"paprika(recipe("Carbonara", source_url="\#(address)"))"#)
    #expect(count(try shelf.import("a.paprikarecipe")) == 1)
    #expect(count(try shelf.import("b.paprikarecipe")) == 1)
  }

  @Test func `what decant wrote goes by the identifier in the store`() throws {
    try shelf.makeLibraries()
    try shelf.import("c.json")
    for place in ["out.paprikarecipes", "out.melarecipes", "out.json"] {
      try shelf.export(to: place)
      let edit = """
        UPDATE Ingredient SET text = text || ' of another kind' WHERE recipe_position = 1024
        """
      _ = try shelf.value(edit)
      let report = try shelf.import(place)
      #expect(count(report) == 0, "\(place): \(report.notes)")
    }
  }
}
