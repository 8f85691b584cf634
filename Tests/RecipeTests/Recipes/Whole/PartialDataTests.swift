import TestSupport
import Testing

/// Pages whose structured data hold only a part of what the page shows.
@Suite struct PartialDataTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private func read(_ body: String, ingredients: String = #""1 l water","2 g salt""#, steps: String) throws -> String {
    let data =
      #"{"@type":"Recipe","name":"Soup","recipeIngredient":[\#(ingredients)],"recipeInstructions":[\#(steps)]}"#
    try page.read("<h1>Soup</h1>\(body)", head: #"<script type="application/ld+json">\#(data)</script>"#)
    return try page.lines("Step")
  }

  private static let all = [
    "Bring the water to the boil.", "Add the salt and the herbs to it.", "Cover the pot, and wait for ten minutes.",
    "Pour all of it through a sieve.", "Serve the clear soup in warm bowls.",
  ]

  private static func list(_ texts: [String]) -> String { "<ol>" + texts.map { "<li>\($0)</li>" }.joined() + "</ol>" }

  private static func step(_ text: String, name: String? = nil) -> String {
    #"{"@type":"HowToStep","text":"\#(text)"\#(name.map { #","name":"\#($0)""# } ?? "")}"#
  }

  @Test func `the steps that the page shows are taken if the first ones are given`() throws {
    let steps = Self.all.prefix(2).map { Self.step($0) }.joined(separator: ",")
    #expect(try read("<h2>Method</h2>\(Self.list(Self.all))", steps: steps) == Self.all.joined(separator: "|"))
  }

  @Test func `numbers in elements of their own do not hide the given steps`() throws {
    let shown = Self.all.enumerated().map { "<b>\($0 + 1)</b> \($1)" } + ["2 sprigs of dill"]
    let read = try read("<h2>Method</h2>\(Self.list(shown))", steps: Self.step(Self.all[0]))
    #expect(read.contains(Self.all[3]), "\(read)")
  }

  @Test func `headings or beginnings of steps stand for the steps that the page shows`() throws {
    let shown = "<h3>Boil</h3><p>\(Self.all[0])</p><p>\(Self.all[1])</p><p>Serve the soup. \(Self.all[2])</p>"
    let steps = [Self.step("Boil", name: "Step 1"), Self.step("Serve the soup", name: "Step 2")].joined(separator: ",")
    let read = try read("<h2>Method</h2>\(shown)", steps: steps)
    #expect(read == "#Boil|\(Self.all[0])|\(Self.all[1])|Serve the soup. \(Self.all[2])")
  }

  @Test func `complete steps stay what they are beside other text`() throws {
    let around = ["Some 50 minutes", "nearly done", "Recipe: My Aunt", "Source: an old notebook of hers", "Learn more"]
    let shown = Self.all.prefix(2).map { "<h3>Pot</h3><p>\($0)</p>" }.joined() + around.map { "<p>\($0)</p>" }.joined()
    let steps = Self.all.prefix(2).map { Self.step($0) }.joined(separator: ",")
    #expect(try read("<h2>Method</h2>\(shown)", steps: steps) == Self.all.prefix(2).joined(separator: "|"))
  }

  @Test(arguments: [true, false])
  func `complete steps are not replaced by what a blog says about them`(hasCard: Bool) throws {
    let steps = ["Boil the water.", "Add the carrots.", "Serve the soup hot."]
    let more = " I do so every week, since all of my friends like it and come to us for it, summer and winter."
    let blog =
      "<h2>How to make it</h2>" + steps.map { "<p>\($0)\(more)</p>" }.joined() + "<p>My post on carrots:\(more)</p>"
    let card = hasCard ? "<div class=card><h2>Method</h2>\(Self.list(steps))</div>" : ""
    let read = try read(blog + card, steps: steps.map { Self.step($0) }.joined(separator: ","))
    #expect(read == steps.joined(separator: "|"))
  }

  @Test func `of two names that differ in capitals none is lost`() throws {
    let data =
      #"{"@type":"Recipe","name":"Soup","Cooktime":"PT15M","COOKTIME":"PT20M","recipeIngredient":["1 l water"],"#
      + #""recipeInstructions":"Boil."}"#
    try page.read("<p>Soup</p>", head: #"<script type="application/ld+json">\#(data)</script>"#)
    #expect(try page.field("(extra ->> 'Cooktime') || (extra ->> 'COOKTIME')") == "PT15MPT20M")
  }

  /// A search for each of them among all would never end.
  @Test func `one name may occur very often`() throws {
    let names = String(repeating: #""Name":"x","#, count: 300_000)
    let data =
      #"{"@type":"Recipe","name":"Soup",\#(names)"recipeIngredient":["1 l water"],"recipeInstructions":"Boil."}"#
    try page.read("<p>Soup</p>", head: #"<script type="application/ld+json">\#(data)</script>"#)
    #expect(try page.lines("Ingredient") == "1 l water")
  }

  @Test func `the lines under headings of ingredients are taken if only the headings are given`() throws {
    let shown = """
      <div class="ingredients"><h2>Stock</h2><p>1 l water</p><p>2 carrots</p></div>
      <div class="ingredients"><h2>Garnish</h2><p>Dill</p><p>100 g cream</p></div>
      """
    _ = try read(shown, ingredients: #""Stock","Garnish""#, steps: Self.step(Self.all[0]))
    #expect(try page.lines("Ingredient") == "#Stock|1 l water|2 carrots|#Garnish|Dill|100 g cream")
  }

  @Test func `members of schema.org are known in other capitals`() throws {
    let sections = #"{"@type":"HowToSection","Name":"Broth","itemListElement":[{"@type":"HowToStep","Text":"Boil."}]}"#
    let data =
      #"{"@type":"Recipe","name":"Soup","CookTime":"PT15M","totaltime":"PT20M","URL":"https://example.org/soup","#
      + #""recipeIngredient":["1 l water"],"RecipeInstructions":[\#(sections)]}"#
    try page.read("<p>Soup</p>", head: #"<script type="application/ld+json">\#(data)</script>"#)
    #expect(try page.lines("Step") == "#Broth|Boil.")
    #expect(try page.field("cookMinutes || '/' || totalMinutes || '/' || url") == "15.0/20.0/https://example.org/soup")
  }

  @Test func `an amount and its ingredient on two lines are one ingredient`() throws {
    _ = try read(
      "",
      ingredients:
        #""2 \r\nbay leaves","1/2 teaspoon \nground cumin","1 l water\n2 g salt","2 cups\nFor the dough:\n1 egg""#,
      steps: "\"Boil.\"")
    #expect(
      try page.lines("Ingredient")
        == "2 bay leaves|1/2 teaspoon ground cumin|1 l water|2 g salt|2 cups|#For the dough|1 egg")
  }

  @Test func `numbered steps go on after a break within a step`() throws {
    let text = #""1. Boil it. 2. Take the herbs\nand chop them. 3. Stir. 4. Serve.""#
    let data = #"{"@type":"Recipe","name":"Soup","recipeIngredient":["1 l water"],"recipeInstructions":\#(text)}"#
    try page.read("<p>Soup</p>", head: #"<script type="application/ld+json">\#(data)</script>"#)
    #expect(try page.lines("Step") == "Boil it.|Take the herbs and chop them.|Stir.|Serve.")
  }
}
