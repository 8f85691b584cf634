import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Pages with more than one recipe, with one twice, and pages that are damaged.
@Suite struct RecipePageFileTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  /// A recipe in JSON-LD with what `more` adds.
  private func recipe(_ name: String, _ more: String = "", ingredient: String = "1 cup water") -> String {
    #"{"@type":"Recipe","name":"\#(name)","recipeIngredient":["\#(ingredient)"],"recipeInstructions":"Boil."\#(more)}"#
  }

  private func script(_ texts: String...) -> String {
    texts.map { #"<script type="application/ld+json">\#($0)</script>"# }.joined()
  }

  /// A recipe in microdata, with the same content where nothing else is said.
  private func item(_ name: String, _ more: String = "", ingredient: String = "1 cup water") -> String {
    #"<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">\#(name)</h1>\#(more)"#
      + #"<p itemprop="recipeIngredient">\#(ingredient)</p><p itemprop="recipeInstructions">Boil.</p></div>"#
  }

  /// Imports a page, and returns the titles and how many pictures each recipe has.
  private func read(_ page: String, _ name: String = "a.html") throws -> (
    CopyReport, titles: [String], pictures: [Int]
  ) {
    try shelf.write(page, name)
    let report = try shelf.import(name)
    let content = try shelf.content()
    #expect(content.faults == [])
    return (report, content.titles, content.recipes.map { RecipeContent.texts($0["pictures"]).count })
  }

  @Test(arguments: ["[%]", #"{"@graph":[%]}"#, #"{"@type":"WebPage","hasPart":[%]}"#])
  func `all recipes of a script keep their pictures`(_ around: String) throws {
    let image = #","image":"data:image/png;base64,\#(Self.png)""#
    let broken = #","image":"data:image/png;base64,AAAA""#
    let list = [recipe("A", image), recipe("B", image), recipe("C", broken), recipe("D", image)]
    let text = around.replacingOccurrences(of: "%", with: list.joined(separator: ","))
    let (report, titles, pictures) = try read("<html>\(script(text))</html>")
    #expect(titles == ["A", "B", "C", "D"])
    #expect(pictures == [1, 1, 0, 1])
    let remarks = report.notes.commandLine.filter { $0.contains("a picture ") }
    #expect(remarks.count == 1 && remarks[0].contains("C: a picture has an unknown format"), "\(report.notes)")
  }

  /// An SEO plugin and a recipe plugin write a script each, in any order.
  @Test(arguments: ["NR", "RN", "GR", "RG", "NRG", "NXR", "RXN"])
  func `a recipe refers to nodes in other scripts of its page`(_ order: String) throws {
    let nodes = [
      #"{"@type":"Person","@id":"x:me","name":"Ann"}"#,
      #"{"@type":"ImageObject","@id":"x:img","url":"data:image/png;base64,\#(Self.png)"}"#,
    ]
    let references =
      #","author":{"@id":"x:me"},"image":{"@id":"x:img"},"mainEntityOfPage":{"@id":"x:nowhere"}"#
    let scripts = [
      "N": script(nodes[0], nodes[1]), "G": script(#"{"@graph":[\#(nodes.joined(separator: ","))]}"#),
      "R": script(recipe("Soup", references)), "X": script(recipe("Stew", ingredient: "2 onions")),
    ]
    let page = order.map { scripts[String($0)] ?? "" }.joined()
    let (_, titles, pictures) = try read("<html>\(page)</html>")
    #expect(titles == (order.contains("X") ? order.first == "R" ? ["Soup", "Stew"] : ["Stew", "Soup"] : ["Soup"]))
    #expect(pictures.reduce(0, +) == 1)
    #expect(try shelf.value("SELECT author FROM Recipe WHERE title = 'Soup'") == "Ann")
  }

  // MARK: Twice

  @Test func `a recipe that a page says twice is one`() throws {
    let (_, titles, _) = try read(
      "<html>\(script(recipe("Soup"), recipe("Soup"), recipe("Stew")))\(item("Soup for all"))</html>"
    )
    // The stew has the soup's ingredients and steps, and is called otherwise in the same way.
    #expect(titles == ["Soup", "Stew"])
  }

  @Test func `a recipe in JSON-LD and in other words in microdata is one with what both have`() throws {
    let more =
      #"<i itemprop="author">Ann</i><i itemprop="recipeCuisine">French</i><i itemprop="keywords">hot</i>"#
      + #"<div itemprop="nutrition" itemscope><i itemprop="calories">5 kcal</i></div>"#
    let other = item("SOUP", more, ingredient: "a cup of water")
      .replacingOccurrences(of: "Boil.", with: "Let it boil.")
    let (report, titles, _) = try read("<html>\(script(recipe("Soup", #","author":"Bob""#)))\(other)</html>")
    #expect(titles == ["Soup"])
    let content = try shelf.content()
    #expect(content.field("author", of: "Soup") == ["Bob"])
    #expect(content.field("tags", of: "Soup") == ["hot"])
    #expect(content.field("ingredients", of: "Soup") == ["1 cup water"])
    #expect(content.recipes[0]["nutrition"] == #"[["calories", "5 kcal"]]"#)
    #expect(content.recipes[0]["extra"]?.contains("French") == true)
    #expect(
      report.notes.commandLine.contains { $0.contains("with different ingredients and steps") }, "\(report.notes)")
  }

  @Test(arguments: [false, true])
  func `a recipe that is told once without lines is one`(_ isFirst: Bool) throws {
    let card = #"{"@type":"Recipe","name":"Soup","recipeCuisine":"French","keywords":"hot"}"#
    let scripts = isFirst ? script(card, recipe("Soup")) : script(recipe("Soup"), card)
    let (report, titles, _) = try read("<html>\(scripts)</html>")
    #expect(titles == ["Soup"])
    let content = try shelf.content()
    #expect(content.field("ingredients", of: "Soup") == ["1 cup water"])
    #expect(content.field("tags", of: "Soup") == ["hot"])
    #expect(content.recipes[0]["extra"]?.contains("French") == true)
    #expect(report.notes.commandLine.contains("read: 1 recipe of HTML with schema.org"), "\(report.notes)")
  }

  @Test(arguments: [false, true])
  func `a division of the class recipe-details is no recipe by that alone`(_ isAround: Bool) throws {
    let details = #"<div class="comp recipe-details"><p>Prep Time: 10 mins</p>"#
    let inside = isAround ? details + item("Soup") + "</div>" : details + "</div>" + item("Soup")
    let (report, titles, _) = try read("<html><body>\(script(recipe("Soup")))\(inside)</body></html>")
    #expect(titles == ["Soup"])
    #expect(report.notes.commandLine.contains("read: 1 recipe of HTML with schema.org"), "\(report.notes)")
  }

  @Test func `what a division of that class holds is read`() throws {
    let (_, titles, _) = try read(
      #"<html><div class="recipe-details">\#(item("A"))\#(item("B", ingredient: "b"))</div></html>"#
    )
    #expect(titles == ["A", "B"])
  }

  @Test func `two recipes of one title are two`() throws {
    let (_, titles, _) = try read(
      "<html>\(script(recipe("Soup"), recipe("Soup", ingredient: "2 eggs")))"
        + "\(item("Soup", ingredient: "3 leeks").replacingOccurrences(of: "Boil.", with: "Fry."))"
        + "\(item("Soup", ingredient: "2 eggs"))</html>"
    )
    #expect(titles == ["Soup", "Soup", "Soup"])
  }

  @Test(arguments: [false, true])
  func `a recipe gets the pictures that it has elsewhere on the page`(_ isZip: Bool) throws {
    let image = #"<img itemprop="image" src="data:image/png;base64,\#(Self.png)">"#
    let file = #"<img itemprop="image" src="a_files/x.png">"#
    let page =
      "<html>\(script(recipe("A"), recipe("B", ingredient: "b")))\(item("A", image + file))"
      + "\(item("C", ingredient: "c"))</html>"
    try shelf.write(page, "in/a.html")
    try shelf.make("in/a_files/x.png", "open(place, 'wb').write(png + b'1')", inFolder: true)
    if isZip {
      try shelf.make(
        "in.zip",
        """
        library([(n, open(place[:-4] + "/" + n, "rb").read()) for n in ("a.html", "a_files/x.png")])
        """
      )
    }
    let report = try shelf.import(isZip ? "in.zip" : "in")
    let content = try shelf.content()
    #expect(content.titles == ["A", "B", "C"])
    let pictures = content.recipes.map { RecipeContent.texts($0["pictures"]).count }
    #expect(pictures == [2, 0, 0], "\(report.notes)")
    #expect(!report.notes.commandLine.contains { $0.hasPrefix("skipped") }, "\(report.notes)")
  }

  // MARK: Damage

  private static let broken =
    #"{"@type":"Recipe","name":"Lost","recipeIngredient":["1 cup "quoted" water"]}"#

  @Test func `a page whose only script is broken is rejected`() throws {
    try shelf.write("<html>\(script(Self.broken))</html>", "in/a.html")
    try shelf.write("<html>\(script(recipe("Fine"), Self.broken))</html>", "in/b.html")
    try shelf.write(recipe("Next", ingredient: "n"), "in/c.json")
    let report = try shelf.import("in")
    #expect(try shelf.content().titles == ["Fine", "Next"])
    #expect(report.unread.map(\.entry) == ["a.html"])
    #expect(report.unread.first?.reason.contains("cannot be read: byte ") == true)
    let remarks = report.notes.commandLine.filter { $0.contains("cannot be read") }
    #expect(remarks.count == 1 && remarks[0].contains("b.html: a JSON-LD script"), "\(remarks)")
  }

  @Test(arguments: [
    "section", "article", "table", "span", "h1", "main", "!-- saved -->\n<section",
  ])
  func `a part of a page is one`(_ start: String) throws {
    let tag = start.split(separator: "<").last.map(String.init) ?? start
    let (_, titles, _) = try read(
      "<\(start)>\(item("A").replacingOccurrences(of: "itemtype", with: "ItemType"))"
        + "\(script(recipe("B", ingredient: "b")))</\(tag)>"
    )
    #expect(titles == ["A", "B"])
  }
}
