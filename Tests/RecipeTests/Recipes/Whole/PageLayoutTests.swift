import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Recipes of pages whose structured data lack something, or that have none.
@Suite struct PageLayoutTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// Imports a page, and returns its lines: ingredients, a bar, steps; `#` in front of headings.
  private func lines(_ body: String, data: String = "", title: String = "Soup") throws -> String {
    try read(body, data: data, title: title)
    let text = try shelf.value(
      """
      SELECT (SELECT group_concat(line, '/') FROM
          (SELECT iif(isHeading, '#', '') || text AS line FROM Ingredient ORDER BY recipe_position))
        || '|' || (SELECT group_concat(line, '/') FROM
          (SELECT iif(isHeading, '#', '') || text AS line FROM Step ORDER BY recipe_position))
      """)
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    return text
  }

  @discardableResult
  private func read(_ body: String, data: String = "", title: String = "Soup") throws -> CopyReport {
    let script = data.isEmpty ? "" : #"<script type="application/ld+json">{"@type":"Recipe",\#(data)}</script>"#
    try shelf.write(
      "<!doctype html><html><head><title>\(title)</title>\(script)</head><body>\(body)</body></html>", "a.html")
    return try shelf.import("a.html")
  }

  private static let long = "Boil the water with the salt until it is hot enough for the noodles."

  // MARK: Without structured data

  @Test(arguments: [
    ("Ingredients", "Directions"), ("Zutaten für 4 Personen", "Zubereitung"), ("Ingrédients :", "Préparation"),
    ("Ingredientes", "Modo de preparo"), ("Ingrediënten", "Bereidingswijze"), ("Składniki", "Sposób przygotowania"),
    ("Hozzávalók", "Elkészítés"), ("材料", "作り方"), ("Υλικά", "Εκτέλεση"),
  ])
  func `lists under headings are a recipe`(_ ingredients: String, _ steps: String) throws {
    let read = try lines(
      """
      <h1>Soup</h1><p>My aunt's.</p><h2>\(ingredients)</h2><ul><li>▢ 1 l water<li>Salt</ul>
      <h2>\(steps)</h2><ol><li>\(Self.long)</li><li>2. Serve it hot.</li></ol><h2>Comments</h2><p>Good!</p>
      """)
    #expect(read == "1 l water/Salt|\(Self.long)/Serve it hot.")
    #expect(try shelf.value("SELECT title FROM Recipe") == "Soup")
  }

  @Test func `elements that are called after parts of a recipe are read`() throws {
    let read = try lines(
      """
      <h1>Soup</h1><div class="box-ingredients"><h4>For the stock</h4>
      <div class="ingredient-row"><span class="a">1</span><span class="u">l</span> <span>water</span></div>
      <div class="ingredient-row"><span class="a">2</span><span class="u">g</span> <span>salt</span></div></div>
      <div class="recipe__instructions"><h5>Step 1</h5><p>\(Self.long)</p><h5>Step 2</h5><p>Serve.</p></div>
      """)
    #expect(read == "#For the stock/1 l water/2 g salt|\(Self.long)/Serve.")
  }

  @Test func `it is said what was read from the layout`() throws {
    let report = try read(
      "<h1>Soup</h1><h2>Ingredients</h2><ul><li>1 l water<li>Salt</ul><h2>Method</h2><p>\(Self.long)</p>")
    #expect(report.notes.commandLine.contains { $0.contains("read from the page's layout") }, "\(report.notes)")
  }

  @Test func `how sure it is that a page is a recipe is said`() throws {
    let steps = "<h2>Method</h2><p>\(Self.long)</p>"
    for (list, confidence) in [("<li>1 l water<li>2 g salt", "high"), ("<li>Water<li>Salt<li>Pepper", "medium")] {
      let report = try read("<h1>Soup</h1><h2>Ingredients</h2><ul>\(list)</ul>\(steps)")
      #expect(report.notes.commandLine.contains { $0.contains("with \(confidence) confidence") }, "\(report.notes)")
      #expect(report.remarks.map(\.confidence) == [confidence], "\(report.remarks)")
    }
  }

  @Test func `a list of amounts under the heading of ingredients is a recipe without steps`() throws {
    let rows = (1...5).map { "<li>\($0) kg of flour</li>" }.joined()
    let report = try read("<h1>Bread</h1><h2>Ingredients</h2><h2>Method</h2><ul>\(rows)</ul>")
    #expect(report.notes.commandLine.contains { $0.contains("the page gives no steps") }, "\(report.notes)")
    #expect(try shelf.value("SELECT title || (SELECT count(*) FROM Ingredient) FROM Recipe") == "Bread5")
  }

  @Test func `a page is not read as it is laid out where only structured data are wanted`() throws {
    let body = "<h1>Soup</h1><h2>Ingredients</h2><ul><li>1 l water<li>Salt</ul><h2>Method</h2><p>\(Self.long)</p>"
    try shelf.write("<!doctype html><html><body>\(body)</body></html>", "a.html")
    #expect(throws: DecantError.self) { try shelf.import("a.html") { $0.onlyStructured = true } }
    let script = #"<script type="application/ld+json">{"@type":"Recipe","name":"Soup"}</script>"#
    try shelf.write("<!doctype html><html><body>\(script)\(body)</body></html>", "b.html")
    let report = try shelf.import("b.html") { $0.onlyStructured = true }
    #expect(report.notes.commandLine.contains { $0.contains("no ingredients and no steps") }, "\(report.notes)")
    #expect(try shelf.value("SELECT count(*) FROM Ingredient") == "0")
  }

  // MARK: Around a page

  @Test(arguments: ["", "\r\n\t"])
  func `a page in quotes is read, as a string of JSON too`(_ start: String) throws {
    let data =
      #"{"@type":"Recipe","name":"Sopa de año","recipeIngredient":["1 \"l\" agua","sal"],"recipeInstructions":"Hervir."}"#
    let page = start + #"<html lang="es"><script type="application/ld+json">\#(data)</script></html>"#
    try shelf.write(String(repeating: " \n", count: 15_000) + "\"\(page)\"", "a.testhtml")
    try shelf.import("a.testhtml")
    try shelf.write(JSONEncoder().encode(page), "b.htm")
    try shelf.import("b.htm", into: "other.sqlite")
    for store in ["kitchen.sqlite", "other.sqlite"] {
      let query = "SELECT title || (SELECT group_concat(text, '/') FROM Ingredient) FROM Recipe"
      #expect(try shelf.value(query, of: store) == #"Sopa de año1 "l" agua/sal"#)
    }
  }

  @Test func `a string of JSON that ends within the page is damage`() throws {
    let script = #"<script type=\"application/ld+json\">{\"@type\":\"Recipe\",\"name\":\"Soup\"}</script>"#
    try shelf.write("\"<html>\(script)", "a.html")
    let error = #expect(throws: DecantError.self) { try shelf.import("a.html") }
    #expect(error.map { "\($0)".contains("byte") } == true, "\(error as Any)")
  }

  @Test func `the picture that a browser saved with a page comes with the recipe`() throws {
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    try shelf.write(try #require(Data(base64Encoded: png)), "My soup_files/soup.png")
    let script =
      #"<script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeIngredient":["1 l water"],"#
      + #""recipeInstructions":"Boil.","image":["https://example.com/up/soup.png?w=2","https://example.com/other.png"]}</script>"#
    try shelf.write("<html><body>\(script)</body></html>", "My soup.html")
    let report = try shelf.import("My soup.html")
    #expect(try shelf.value("SELECT count(*) FROM Image") == "1")
    #expect(!report.notes.commandLine.contains { $0.contains("missing") }, "\(report.notes)")
  }

  @Test(arguments: [
    "<h1>News</h1><p>Two trains are late today, and nobody knows why.</p>",
    "<h1>Ingredients of success</h1><h2>Ingredients</h2><ul><li>Luck<li>Work</ul>",
    "<h1>Method</h1><h2>Method</h2><ol><li>\(long)</li></ol>",
  ])
  func `a page with less is no recipe`(_ body: String) throws {
    #expect(throws: DecantError.self) { try read(body) }
  }

  // MARK: Beside structured data

  @Test func `what the structured data lack comes from the page`() throws {
    let read = try lines(
      """
      <div class="recipe-ingredients"><ul><li>1 l water</li><li>2 g salt</li></ul></div>
      <p>Serves 4 | Prep time: 10 min | Cook time: 1 hr</p>
      """, data: #""name":"Soup","recipeInstructions":"Boil."# + "\"")
    #expect(read == "1 l water/2 g salt|Boil.")
    #expect(
      try shelf.value("SELECT yield || servings || prepMinutes || cookMinutes FROM Recipe")
        == "Serves 44.010.060.0")
  }

  @Test func `lines with amounts stand in for the same lines without`() throws {
    let list =
      "<ul class=ingredients><li><b>1 l</b> water</li><li><b>2 g</b> sea salt</li><li><b>3</b> carrots</li></ul>"
    let data = #""name":"Soup","recipeIngredient":["water","salt","carrots"],"recipeInstructions":"Boil.""#
    #expect(try lines(list, data: data) == "1 l water/2 g sea salt/3 carrots|Boil.")
  }

  @Test func `an amount in other units replaces no line`() throws {
    let list = "<ul class=ingredients><li>1 cup (240 ml) water</li><li>2 tsp (10 g) salt</li></ul>"
    let data = #""name":"Soup","recipeIngredient":["1 cup water","2 tsp salt"],"recipeInstructions":"Boil.""#
    #expect(try lines(list, data: data) == "1 cup water/2 tsp salt|Boil.")
  }

  @Test func `all lines in one text are the lines that the page shows`() throws {
    let list =
      "<h3>Ingredients</h3><ul><li>1 l water</li><li>2 g salt</li><li>3 carrots</li></ul>"
      + "<h3>Instructions</h3><ol><li>\(Self.long)</li><li>Cut the carrots into pieces.</li></ol>"
    let data =
      #""name":"Soup","recipeIngredient":"1 l water, 2 g salt, 3 carrots","#
      + #""recipeInstructions":"\#(Self.long) Cut the carrots into pieces.""#
    #expect(try lines(list, data: data) == "1 l water/2 g salt/3 carrots|\(Self.long)/Cut the carrots into pieces.")
  }

  @Test func `steps in one text are told by their numbers`() throws {
    let data =
      #""name":"Soup","recipeIngredient":["1.5 l water","salt"],"recipeInstructions":"1. Boil 1.5 l water.2. Add salt. 3. Stir.""#
    #expect(try lines("", data: data) == "1.5 l water/salt|Boil 1.5 l water./Add salt./Stir.")
  }

  @Test func `numbers of steps are none, and headings of groups are headings`() throws {
    let data =
      #""name":"Soup","recipeIngredient":["For the stock:","1 l water","2 g salt"],"#
      + #""recipeInstructions":[{"@type":"HowToStep","text":"Step 1"},{"@type":"HowToStep","text":"Boil."},"#
      + #"{"@type":"HowToStep","text":"Step 2"},{"@type":"HowToStep","text":"Serve."}]"#
    #expect(try lines("", data: data) == "#For the stock/1 l water/2 g salt|Boil./Serve.")
  }

  @Test func `lists for paper and in other units count once`() throws {
    let body = """
      <h1>Soup</h1><h2>Ingredients</h2><ul><li>100 g flour<li>1 l milk<li>2 eggs</ul>
      <ul><li>3.5 oz flour<li>4 cups milk<li>2 eggs</ul><h2>Method</h2><p>\(Self.long)</p>
      """
    #expect(try lines(body) == "100 g flour/1 l milk/2 eggs|\(Self.long)")
  }

  @Test func `JSON-LD with the steps and microdata with the ingredients are one`() throws {
    let item = """
      <div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">Soup</h1>
      <p itemprop="recipeIngredient">1 l water</p><p itemprop="recipeIngredient">2 g salt</p></div>
      """
    #expect(try lines(item, data: #""name":"Soup","recipeInstructions":"Boil.""#) == "1 l water/2 g salt|Boil.")
  }

  @Test(arguments: [
    ("recipeIngredient", "no steps"), ("recipeInstructions", "no ingredients"),
    ("description", "no ingredients and no steps"),
  ])
  func `a recipe that lacks a part is told`(_ member: String, _ missing: String) throws {
    let report = try read("<p>Soup</p>", data: #""name":"Soup","\#(member)":"Water.""#)
    #expect(report.notes.commandLine.contains { $0.contains("a.html") && $0.contains(missing) }, "\(report.notes)")
  }

  // MARK: Hostile pages

  // The pages are not arguments themselves, as the test run would print them.
  @Test(arguments: [
    (#"<div class="ingredients" title=""#, "x", 2_000_000, #""><p>1 egg</p></div>"#),
    (#"<div class=""#, "ingredients ", 200_000, #""><p>1 egg</p></div>"#),
    ("", "<div class=ingredient>", 30_000, "1 egg"),
    ("", "<h2>Ingredients</h2><p>1 egg</p>", 20_000, ""),
    ("", "<div class=ingredient>1 egg</div><div class=step>Mix.</div>", 20_000, ""), ("<p>", "1 egg<br>", 100_000, ""),
  ])
  func `whatever a page is made of is read in time`(_ part: (start: String, repeated: String, Int, end: String)) throws
  {
    let body = part.start + String(repeating: part.repeated, count: part.2) + part.end
    let clock = ContinuousClock()
    let time = clock.measure { _ = try? read(body, data: #""name":"Soup","recipeInstructions":"Boil.""#) }
    #expect(time < .seconds(60))
    #expect(try shelf.value("SELECT title FROM Recipe") == "Soup")
  }

  @Test(.timeLimit(.minutes(5))) func `a page of more scripts than any has is refused, and says where`() throws {
    let scripts = (0..<12_000).map {
      "<script type=\"application/ld+json\">{\"@type\":\"WebPage\",\"name\":\"\($0)\"}</script>\n"
    }
    let error = #expect(throws: DecantError.self) { try read(scripts.joined()) }
    #expect(error.map { "\($0)".contains("more than 10000 JSON-LD scripts") } == true, "\(error as Any)")
  }

  @Test func `a recipe that is there a thousand times is read a hundred times`() throws {
    let script =
      #"<script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeInstructions":"Boil."}</script>"#
    let report = try read(String(repeating: script, count: 1_000))
    #expect(report.notes.commandLine.contains { $0.contains("more than 100 times") }, "\(report.notes)")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
  }
}
