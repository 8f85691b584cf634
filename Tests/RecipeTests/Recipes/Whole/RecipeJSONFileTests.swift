import Decant
import Foundation
import TestSupport
import Testing

/// JSON files with more than one value, and with graphs.
@Suite struct RecipeJSONFileTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private func recipe(_ name: String, _ more: String = "") -> String {
    #"{"@type":"Recipe","name":"\#(name)","recipeIngredient":["\#(name)"],"recipeInstructions":"x"\#(more)}"#
  }

  private func read(_ text: String) throws -> (CopyReport, titles: [String]) {
    try shelf.write(text, "a.json")
    let report = try shelf.import("a.json")
    return (report, try shelf.content().titles)
  }

  // MARK: Values behind each other

  @Test(arguments: ["\n", "", " , ", ";\n", "\u{1e}", "\n// and\n"])
  func `all values of a file are read`(_ separator: String) throws {
    let (report, titles) = try read(
      [
        recipe("A"), "[\(recipe("B")),\(recipe("C"))]", recipe("D"),
        #"{"@graph":[\#(recipe("E"))]}"#,
      ]
      .joined(separator: separator)
    )
    #expect(titles == ["A", "B", "C", "D", "E"])
    #expect(report.unread == [])
    #expect(!report.notes.commandLine.contains { $0.contains("byte") }, "\(report.notes)")
  }

  @Test func `gzips behind each other are read`() throws {
    try shelf.make("a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')) + packed(recipe('B')))")
    try shelf.import("a.paprikarecipe")
    #expect(try shelf.content().titles == ["A", "B"])
  }

  @Test(arguments: [
    ("and more", "byte 80: expected a value, found “and”"),
    (#""text""#, "from byte 80 on, is not a recipe"), ("}", "byte 80: "),
    ("/ x", "byte 81: expected a comment"), ("/", "byte 81: "),
  ])
  func `what is no JSON behind a recipe is told`(_ rest: String, _ expected: String) throws {
    #expect(recipe("A").utf8.count == 79)
    let (report, titles) = try read("\(recipe("A"))\n\(rest)")
    #expect(titles == ["A"])
    #expect(report.unread == [])
    #expect(report.notes.commandLine.contains { $0.contains(expected) }, "\(report.notes)")
  }

  @Test func `a recipe that breaks off behind another is rejected`() throws {
    let (report, titles) = try read("\(recipe("A"))\n\(recipe("B").dropLast(9))")
    #expect(titles == ["A"])
    #expect(report.unread.count == 1)
  }

  // MARK: Graphs

  /// Recipes in a graph that need nothing of it are taken one by one; it may be longer than what memory allows.
  @Test func `a graph is read node by node`() throws {
    try shelf.make(
      "a.json",
      """
      import random
      random.seed(1)
      def node(n): return {"@type": "Recipe", "@id": f"#{n}", "name": f"R{n}", "recipeIngredient": [f"{n} eggs"],
          "image": "data:image/png;base64," + base64.b64encode(png + random.randbytes(20_000)).decode()}
      with open(place, "w") as file:
          file.write('{"@context": "https://schema.org", "@graph": [')
          file.write(",".join(json.dumps(node(n)) for n in range(2600)))
          file.write("]}")
      """
    )
    let report = try shelf.import("a.json")
    #expect(report.unread == [])
    #expect(report["Recipe"]?.copied == 2600)
    let content = try shelf.content()
    #expect(content.counts["Image"] == 2600 && Set(content.pictures).count == 2600)
    #expect(content.titles.first == "R0" && content.titles.last == "R2599")
  }

  /// Wherever in the graph the nodes are that a recipe refers to.
  @Test(arguments: [false, true], [false, true])
  func `recipes find what they refer to`(_ isReversed: Bool, _ isBare: Bool) throws {
    let long = String(repeating: "long ", count: 10_000)
    var nodes = [
      recipe("A", #","@id":"id:a","author":{"@id":"id:p"},"description":"\#(long)""#),
      #"{"@type":"WebPage","@id":"id:w","mainEntity":{"@id":"id:a"}}"#,
      recipe("B", #","author":{"@id":"id:p","@type":"Person","name":"Ann"}"#),
      recipe("C", #","author":{"@type":"Person","@id":"id:q"}"#),
      #"{"@type":"Person","@id":"id:q","name":"Bob"}"#,
      recipe("D", #","author":{"@id":"id:none"}"#),
    ]
    if isReversed { nodes.reverse() }
    let list = "[\(nodes.joined(separator: ","))]"
    let (report, titles) = try read(isBare ? list : #"{"@graph":\#(list)}"#)
    #expect(titles.sorted() == ["A", "B", "C", "D"])
    let content = try shelf.content()
    #expect(content.field("author", of: "A") == ["Ann"], "\(report.notes)")
    #expect(content.field("author", of: "B") == ["Ann"])
    #expect(content.field("author", of: "C") == ["Bob"])
    #expect(content.field("summary", of: "A").first?.utf8.count == 49_999)
    #expect(report.unread == [])
  }
}
