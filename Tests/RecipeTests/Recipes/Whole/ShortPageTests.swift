import Decant
import TestSupport
import Testing

/// Pages that say little, and pages that keep their data where few look for them.
@Suite struct ShortPageTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  /// A page of headings and lists, in any language.
  struct Case: CustomTestStringConvertible, Sendable {
    let lang, ingredientHeading, stepHeading: String
    let ingredients, steps: [String]
    var testDescription: String { steps.joined(separator: " ") }
  }

  private static let flour = ["200 g flour", "2 eggs"]
  private static let cases = [
    Case(lang: "en", ingredientHeading: "Ingredients", stepHeading: "Directions", ingredients: flour, steps: ["go"]),
    Case(
      lang: "en", ingredientHeading: "Ingredients", stepHeading: "Method", ingredients: flour, steps: ["Mix.", "Bake."]),
    Case(
      lang: "en", ingredientHeading: "Ingredients", stepHeading: "Directions", ingredients: flour,
      steps: ["Mix it all well.", "Bake it now."]),
    Case(
      lang: "de", ingredientHeading: "Zutaten", stepHeading: "Zubereitung", ingredients: ["1 Ei", "1 EL Öl"],
      steps: ["Braten."]),
    Case(
      lang: "he", ingredientHeading: "מצרכים", stepHeading: "אופן ההכנה",
      ingredients: ["2 כוסות חומוס", "3 כפות טחינה"], steps: ["לבשל.", "לטחון."]),
    Case(
      lang: "ja", ingredientHeading: "材料(2人分)", stepHeading: "作り方",
      ingredients: ["じゃがいも 3個", "牛肉 150g", "醤油 大さじ2"], steps: ["切る。", "煮る。"]),
    Case(
      lang: "ja", ingredientHeading: "材料", stepHeading: "作り方",
      ingredients: ["じゃがいも 3個", "牛肉 150g", "醤油 大さじ2"], steps: ["じゃがいもを切る。", "鍋で煮る。"]),
    Case(
      lang: "zh", ingredientHeading: "用料", stepHeading: "做法", ingredients: ["土豆 3个", "牛肉 150克"], steps: ["切块。", "煮。"]),
  ]

  private static func body(_ example: Case) -> String {
    func list(_ lines: [String]) -> String { lines.map { "<li>\($0)</li>" }.joined() }
    return "<h1>Title 1</h1><h2>\(example.ingredientHeading)</h2><ul>\(list(example.ingredients))</ul>"
      + "<h2>\(example.stepHeading)</h2><ol>\(list(example.steps))</ol>"
  }

  @Test(arguments: cases)
  func `steps may be short under headings that announce both lists`(_ example: Case) throws {
    try page.read(Self.body(example), lang: example.lang)
    #expect(try page.lines("Ingredient") == example.ingredients.joined(separator: "|"))
    #expect(try page.lines("Step") == example.steps.joined(separator: "|"))
  }

  /// Without headings, amounts or words it is no recipe.
  @Test(arguments: [
    "<h1>Shop</h1><h2>Products</h2><ul><li>2 pans</li><li>3 knives</li></ul><h2>Directions</h2><ul><li>Left.</li></ul>",
    "<h1>Soap</h1><h2>Ingredients</h2><ul><li>Water</li><li>Glycerin</li></ul><h2>Directions</h2><p>Use it.</p>",
    "<h1>Cake</h1><h2>Ingredients</h2><ul><li>200 g flour</li><li>2 eggs</li></ul><h2>Directions</h2><p>Baking time: 20 min</p>",
  ])
  func `a page with few words may be none`(_ body: String) throws {
    #expect(throws: DecantError.self) { try page.read(body) }
  }

  // MARK: Data of Next.js

  private static let recipe =
    #"{"@context":"https://schema.org","@type":"Recipe","name":"Stew","recipeIngredient":["1 leek","2 pears"],"recipeInstructions":["Boil it."]}"#

  private static func state(_ value: String) -> String {
    #"<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"seo":\#(value)}}}</script>"#
  }

  @Test func `JSON-LD among the data of Next.js is read`() throws {
    try page.read("<h1>Stew</h1>\(Self.state(Self.recipe))")
    #expect(try page.field("title") == "Stew")
    #expect(try page.lines("Ingredient") == "1 leek|2 pears")
    #expect(try page.lines("Step") == "Boil it.")
  }

  @Test func `these data are not read beside structured data`() throws {
    let other = Self.recipe.replacing("Stew", with: "Other")
    let script = "<script type=\"application/ld+json\">\(Self.recipe)</script>"
    try page.read("\(script)\(Self.state("[\(Self.recipe),\(other)]"))")
    #expect(try page.field("group_concat(title)") == "Stew")
  }

  @Test func `data of Next.js that are no JSON are no damage`() throws {
    let report = try page.read(
      "\(Self.body(Self.cases[1]))<script id=\"__NEXT_DATA__\" type=\"application/json\">{\"a\":</script>")
    #expect(try page.lines("Step") == "Mix.|Bake.")
    #expect(!report.remarks.contains { $0.reason.contains("JSON") }, "\(report.remarks)")
  }

  // MARK: Plugins

  @Test func `servings and notes of a plugin's markup`() throws {
    func items(_ name: String, _ lines: [String]) -> String {
      "<ul>" + lines.map { "<li class=\"wprm-recipe-\(name)\">\($0)</li>" }.joined() + "</ul>"
    }
    try page.read(
      """
      <h1>Linsensuppe</h1><div class="wprm-recipe-container"><div class="wprm-recipe wprm-recipe-template-classic">
      <div class="wprm-recipe-servings-container"><span class="wprm-recipe-servings-label">Portionen</span>
      <span class="wprm-recipe-servings wprm-recipe-details">4</span> <span class="wprm-recipe-servings-unit">Portionen</span></div>
      <div class="wprm-recipe-ingredients-container"><h3>Zutaten</h3>\(items("ingredient", ["250 g Linsen", "1 Zwiebel"]))</div>
      <div class="wprm-recipe-instructions-container"><h3>Anleitungen</h3>\(items("instruction", ["Zwiebel in etwas Öl anbraten.", "Linsen dazu; 15 Min. kochen."]))</div>
      <div class="wprm-recipe-notes-container"><h3>Notizen</h3><div class="wprm-recipe-notes"><p>Am nächsten Tag besser.</p>
      <p>Hält drei Tage.</p></div></div></div></div><h3>Kommentare</h3><p>Super!</p>
      """, lang: "de")
    #expect(try page.field("servings || '/' || yield") == "4.0/4")
    #expect(try page.field("notes") == "Am nächsten Tag besser.\nHält drei Tage.")
    #expect(try page.lines("Ingredient") == "250 g Linsen|1 Zwiebel")
  }
}
