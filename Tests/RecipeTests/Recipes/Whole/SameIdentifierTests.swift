import TestSupport
import Testing

/// Nodes of JSON-LD that go by the same `@id`.
@Suite struct SameIdentifierTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private func write(_ name: String, id: String, _ line: String, _ file: String) throws {
    try shelf.write(
      #"{"@type":"Recipe","@id":"\#(id)","name":"\#(name)","recipeIngredient":["\#(line)"],"recipeInstructions":"Stir \#(line)."}"#,
      file)
  }

  @Test func `the front page of a site tells no recipe from another`() throws {
    try write("Porridge", id: "https://example.org/#recipe", "250 g oats", "a.json")
    try write("Loaf", id: "https://example.org/#recipe", "500 g rye", "b.json")
    try shelf.import("a.json", "b.json")
    #expect(
      try shelf.value("SELECT group_concat(title, '|') FROM (SELECT title FROM Recipe ORDER BY title)")
        == "Loaf|Porridge")
    // In two runs as well.
    try shelf.import("a.json", into: "other.sqlite")
    try shelf.import("b.json", into: "other.sqlite")
    #expect(try shelf.value("SELECT count(*) FROM Recipe", of: "other.sqlite") == "2")
  }

  @Test(arguments: [false, true]) func `a recipe in two nodes is one`(_ isSwapped: Bool) throws {
    let nodes = [
      #"{"@type":"Recipe","@id":"https://example.org/p#recipe","name":"Porridge","recipeIngredient":["250 g oats"]}"#,
      #"{"@type":"Recipe","@id":"https://example.org/p#recipe","recipeInstructions":"Boil."}"#,
    ]
    let graph = "{\"@graph\": [\((isSwapped ? nodes.reversed() : nodes).joined(separator: ","))]}"
    try shelf.write(graph, "a.json")
    try shelf.import("a.json")
    try shelf.write("<html><script type=\"application/ld+json\">\(graph)</script></html>", "b.html")
    try shelf.import("b.html", into: "other.sqlite")
    for store in ["kitchen.sqlite", "other.sqlite"] {
      #expect(
        try shelf.value(
          "SELECT count(*) || title || (SELECT text FROM Ingredient) || (SELECT text FROM Step) FROM Recipe", of: store)
          == "1Porridge250 g oatsBoil.")
    }
  }

  @Test func `the name of an author may be a list`() throws {
    try shelf.write(
      #"{"@type":"Recipe","name":"Porridge","author":{"@type":"Person","name":["Ada"]},"recipeIngredient":["oats"],"recipeInstructions":"Boil."}"#,
      "a.json")
    try shelf.import("a.json")
    #expect(try shelf.value("SELECT author FROM Recipe") == "Ada")
  }
}
