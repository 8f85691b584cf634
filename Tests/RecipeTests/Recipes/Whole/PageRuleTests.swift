import Decant
import TestSupport
import Testing

/// Pages of many sites, without structured data or with little of it: what belongs to the recipe, and what does not.
@Suite struct PageRuleTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let title = "<h1>Pancakes</h1>"
  private static let rows = "<ul><li>250 g flour</li><li>2 eggs</li><li>1 tsp salt</li></ul>"
  private static let sauce = "<ul><li>100 g chocolate</li><li>50 ml cream</li></ul>"
  private static let steps =
    "<ol><li>Whisk the flour, the eggs and the salt until no lump is left.</li><li>Fry thin pancakes in butter.</li></ol>"
  private static let read = "Whisk the flour, the eggs and the salt until no lump is left.|Fry thin pancakes in butter."

  /// A page, and the lines it gives: ingredients, then steps; an empty text is not compared.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    var ingredients = "250 g flour|2 eggs|1 tsp salt"
    var steps = PageRuleTests.read
    var testDescription: String { name }
  }

  private static let headed = "\(title)<h2>Ingredients</h2>\(rows)<h2>Method</h2>\(steps)"

  private static let cases = [
    Case(
      name: "groups under headings of the same level",
      body: "\(title)<h3>Ingredients</h3>\(rows)<h3>For the sauce</h3>\(sauce)<h3>Directions</h3>\(steps)",
      ingredients: "250 g flour|2 eggs|1 tsp salt|#For the sauce|100 g chocolate|50 ml cream"
    ),
    Case(
      name: "groups under headings of a higher level",
      body:
        "\(title)<p><strong>Ingredients</strong></p><h3>Batter</h3>\(rows)<h3>Sauce</h3>\(sauce)<h3>Method</h3>\(steps)",
      ingredients: "#Batter|250 g flour|2 eggs|1 tsp salt|#Sauce|100 g chocolate|50 ml cream"
    ),
    Case(
      name: "what a page tells of a recipe is no group",
      body:
        "\(title)<h3>Ingredients</h3>\(rows)<h3>Details</h3><ul><li>Cuisine: French</li></ul><h3>Method</h3>\(steps)"
    ),
    Case(
      name: "a group with an amount in brackets",
      body: "\(title)<h2>Ingredients</h2>\(rows)<p><b>Topping (2 cups)</b></p>\(sauce)<h2>Method</h2>\(steps)",
      ingredients: "250 g flour|2 eggs|1 tsp salt|#Topping (2 cups)|100 g chocolate|50 ml cream"
    ),
    Case(
      name: "steps under headings of their own",
      body: """
        \(title)<h2>Ingredients</h2>\(rows)<h2>Instructions</h2><h2>Step 1: Mix</h2><p>Whisk all of it until it is smooth.</p>
        <h2>Step 2: Fry</h2><p>Fry thin pancakes in butter.</p><h2>Notes</h2><p>Keep them warm.</p>
        """,
      steps: "#Mix|Whisk all of it until it is smooth.|#Fry|Fry thin pancakes in butter."
    ),
    Case(
      name: "the first and the last item have a class more",
      body: """
        \(title)<ul><li class="ingredient first">250 g flour</li><li class="ingredient">2 eggs</li>
        <li class="ingredient last">1 tsp salt</li></ul><div class="steps"><div class="step is-active">Whisk the flour, the eggs
        and the salt until no lump is left.</div><div class="step step--last">Fry thin pancakes in butter.</div></div>
        """
    ),
    Case(
      name: "comments",
      body: """
        \(headed)<h3>12 Comments</h3><ol class="comment-list"><li>I used 2 cups of oat milk.</li><li>Mine took 45 minutes.</li></ol>
        """
    ),
    Case(
      name: "thoughts", body: "\(headed)<h3>3 thoughts on “Pancakes”</h3><ul><li>I used 2 cups of oat milk.</li></ul>"),
    Case(name: "other recipes", body: "\(headed)<h3>More pancake recipes</h3><ul><li>Blini</li><li>Crêpes</li></ul>"),
    Case(
      name: "paragraphs behind the steps",
      body: """
        \(title)<h2>Ingredients</h2>\(rows)<h2>Method</h2><p>Whisk the flour, the eggs and the salt until no lump is left.</p>
        <p>Fry thin pancakes in butter.</p><p>Did you make this recipe? Tag @nora.</p><p>Photo credit: Nora</p>
        <p>Posted in Breakfast | 12 Comments</p>
        """
    ),
    Case(
      name: "notices between the steps, and nutrients below",
      body: """
        \(title)<h2>Ingredients</h2>\(rows)<h2>Method</h2><p>Whisk the flour, the eggs and the salt until no lump is left.</p>
        <p>Subscribe to our letter</p><p>Fry thin pancakes in butter.</p><p>Nutrition Facts (per serving)</p><p>406 Calories</p>
        """
    ),
    Case(
      name: "lines that speak of servings",
      body: """
        \(title)<p>Serves 4</p><h2>Ingredients</h2><ul><li>2 portions cooked rice</li><li>250 g pasta for 4 people</li><li>1 egg</li>
        </ul><h2>Method</h2><ol><li>Divide the dough into 8 portions.</li><li>Divide between 4 serving plates.</li></ol>
        """,
      ingredients: "2 portions cooked rice|250 g pasta for 4 people|1 egg",
      steps: "Divide the dough into 8 portions.|Divide between 4 serving plates."
    ),
    Case(
      name: "ingredients that begin like groups",
      body: """
        \(title)<h2>Ingredients</h2><ul><li>250 g flour</li><li>For serving: lemon wedges</li><li>2 eggs</li>
        <li>For garnish: parsley</li></ul><h2>Method</h2>\(steps)
        """,
      ingredients: "250 g flour|For serving: lemon wedges|2 eggs|For garnish: parsley"
    ),
    Case(
      name: "a list in capitals",
      body: "\(title)<h2>Ingredients</h2><ul><li>250 G FLOUR</li><li>SALT</li><li>OLIVE OIL</li><li>2 EGGS</li></ul>"
        + "<h2>Method</h2>\(steps)",
      ingredients: "250 G FLOUR|SALT|OLIVE OIL|2 EGGS"
    ),
    Case(
      name: "advertisements",
      body: """
        \(title)<h2>Ingredients</h2><ul><li>250 g flour</li><li>Advertisement</li><li>2 eggs</li><li>1 tsp salt</li></ul>
        <h2>Method</h2><p>Whisk the flour, the eggs and the salt until no lump is left.</p>
        <figure><figcaption>Photo: Nora</figcaption></figure><p>Advertisement - Continue Reading Below</p>
        <p>Fry thin pancakes in butter.</p>
        """
    ),
    Case(
      name: "the recipe below a story about it",
      body: """
        \(title)<h2>How to make pancakes</h2><p>I like to whisk the flour with a balloon whisk, since no lumps are left, and since my
        grandmother did so every Sunday.</p><p>Then I fry them slowly.</p><div class="card"><h3>Ingredients</h3>
        <ul class="card-ingredients"><li>250 g flour</li><li>2 eggs</li><li>1 tsp salt</li></ul><h3>Instructions</h3>
        <ul class="card-instructions"><li>Whisk the flour, the eggs and the salt until no lump is left.</li>
        <li>Fry thin pancakes in butter.</li></ul></div>
        """
    ),
    Case(
      name: "steps that begin like notices",
      body: """
        \(title)<h2>Ingredients</h2>\(rows)<h2>Method</h2><ol><li>Share this mixture between six ramekins.</li>
        <li>If you make this recipe in a loaf tin, bake it longer.</li><li>Nutritional information: none is lost by stirring.</li>
        <li>(c) Partager la pâte en quatre.</li></ol>
        """,
      steps: "Share this mixture between six ramekins.|If you make this recipe in a loaf tin, bake it longer.|"
        + "Nutritional information: none is lost by stirring.|(c) Partager la pâte en quatre."
    ),
    Case(
      name: "sentences that begin like headings",
      body: """
        \(title)<h2>Zutaten</h2><ul><li>12 tips asparagus</li><li>2 eggs</li><li>1 tsp salt</li></ul><h2>Zubereitung</h2>
        <p>Das Mehl mit den Eiern verrühren.</p><p>Ihr braucht dafür keine Küchenmaschine.</p><p>In der Pfanne ausbacken.</p>
        """,
      ingredients: "12 tips asparagus|2 eggs|1 tsp salt",
      steps: "Das Mehl mit den Eiern verrühren.|Ihr braucht dafür keine Küchenmaschine.|In der Pfanne ausbacken."
    ),
    Case(
      name: "steps in the captions of their pictures",
      body: """
        \(title)<h2>Ingredients</h2>\(rows)<h2>Method</h2><figure><img src=a.jpg><figcaption>Whisk the flour, the eggs and the salt
        until no lump is left.</figcaption></figure><figure><figcaption>Fry thin pancakes in butter.</figcaption></figure>
        """
    ),
    Case(
      name: "amounts in brackets",
      body: """
        \(title)<h2>Ingredients</h2><p><b>Tomatoes (3)</b></p><p><b>Feta (200 g)</b></p><p><b>Olives (10)</b></p>
        <h2>Method</h2>\(steps)
        """,
      ingredients: "Tomatoes (3)|Feta (200 g)|Olives (10)"
    ),
    Case(
      name: "what else is needed",
      body: """
        \(title)<h3>Ingredients</h3>\(rows)<h3>You will also need</h3><ul><li>2 cake tins</li><li>1 wire rack</li></ul>
        <h3>Method</h3>\(steps)
        """
    ),
    Case(
      name: "tips behind the steps",
      body: """
        \(headed)<h3>What to do with leftovers</h3><p>Cut them into stripes, and eat them in a clear soup on the next day, which is
        as good as it was on the first.</p>
        """
    ),
    Case(
      name: "steps in elements that are numbered",
      body: """
        \(title)<ul class="ingredients"><li>250 g flour</li><li>2 eggs</li><li>1 tsp salt</li></ul>
        <div class="step step-1"><p>Whisk the flour, the eggs and the salt until no lump is left.</p></div>
        <div class="step step-2"><p>Fry thin pancakes in butter.</p></div>
        """
    ),
    Case(
      name: "a title among the links above it",
      body: """
        <div class="breadcrumb"><a href="/x">Home</a>\(title)</div><h2>Ingredients</h2>\(rows)<h2>Method</h2>\(steps)
        """
    ),
    Case(
      name: "short steps",
      body:
        "\(title)<h2>Ingredients</h2>\(rows)<h2>Method</h2><ol><li>Mix all the things.</li><li>Fry it in butter.</li></ol>",
      steps: "Mix all the things.|Fry it in butter."
    ),
  ]

  @Test(arguments: cases)
  func `a page gives the lines of its recipe`(_ page: Case) throws {
    #expect(try self.page.ingredients(page.body, head: "<title>Pancakes</title>") == page.ingredients)
    #expect(try self.page.lines("Step") == page.steps)
    #expect(try self.page.field("count(*)") == "1")
  }

  @Test(arguments: [
    ("Ingredienser", "Fremgangsmåte"), ("Kek Malzemeleri", "Kek Nasıl Yapılır?"), ("Alapanyagok", "Elkészítése"),
    ("Co budete potřebovat", "Jak na to"), ("用意するもの", "つくり方"), ("Il vous faut", "Étape par étape"),
    ("Occorrente", "Come si prepara"), ("Det här behöver du", "Så här gör du"),
  ])
  func `a recipe has these headings`(_ ingredients: String, _ steps: String) throws {
    let body = "\(Self.title)<h2>\(ingredients)</h2>\(Self.rows)<h2>\(steps)</h2>\(Self.steps)"
    #expect(try page.ingredients(body) == "250 g flour|2 eggs|1 tsp salt")
    #expect(try page.lines("Step") == Self.read)
  }

  private static let host = "<link rel=canonical href='https://www.noracooks.com/pancakes/'>"

  @Test(arguments: [
    ("<h1 class=logo>Nora cooks</h1><h2>Pancakes</h2>", "<title>Pancakes | Nora cooks</title>\(host)"),
    ("<h1>Recipes</h1><h2>Pancakes</h2>", "<title>Pancakes – Nora cooks</title>"),
    ("<h3>Breakfast</h3>", "<title>Pancakes | Nora cooks</title>\(host)"),
    ("<h3>Breakfast</h3>", "<title>Nora cooks: Breakfast</title>\(host)<meta property='og:title' content='Pancakes'>"),
    ("<h2>Nora cooks</h2><h1>Pancakes</h1>", "<title>Nora cooks - Pancakes</title>\(host)"),
    ("<h4>Pan</h4><h1>Pancakes</h1><h2>The best pancakes</h2>", "<title>The best pancakes | Nora cooks</title>"),
    ("<p>By Nora</p>", #"<title>Pancakes - Nora</title><meta property="og:site_name" content="Nora">"#),
    ("<h1>Pancakes</h1>", "<title>Nora cooks — Pancakes</title>"),
  ])
  func `a recipe is called like its page, without the site`(_ heading: String, _ head: String) throws {
    try page.read("\(heading)<h2>Ingredients</h2>\(Self.rows)<h2>Method</h2>\(Self.steps)", head: head)
    #expect(try page.field("title") == "Pancakes")
  }

  @Test(arguments: ["Dal – Indian lentil soup", "Khachapuri - Georgian cheese bread"])
  func `a title of two parts is kept where no site has the name of one`(_ title: String) throws {
    try page.read(
      "<p>By Nora</p><h2>Ingredients</h2>\(Self.rows)<h2>Method</h2>\(Self.steps)", head: "<title>\(title)</title>")
    #expect(try page.field("title") == title)
  }

  // MARK: Beside structured data

  private static let card =
    #"<div itemscope itemtype="http://schema.org/Recipe"><a itemprop="name">Lemon tart</a></div>"#

  @Test(arguments: [card, card + card.replacing("Lemon tart", with: "Plum cake")])
  func `cards of other recipes are none of the page's`(_ cards: String) throws {
    let report = try page.read("\(Self.headed)<aside>\(cards)</aside>", head: "<title>Pancakes</title>")
    #expect(try page.field("group_concat(title)") == "Pancakes")
    #expect(try page.lines("Step") == Self.read)
    #expect(report.notes.commandLine.contains { $0.contains("“Lemon tart”") }, "\(report.notes)")
  }

  @Test func `a recipe of which little is told is no card`() throws {
    let full =
      #"{"@type":"Recipe","name":"Duxelles","recipeIngredient":["mushrooms"],"recipeInstructions":"Fry them."}"#
    let own = #"{"@type":"Recipe","name":"Wellington","recipeYield":"6","totalTime":"PT2H"}"#
    try page.read("", head: #"<script type="application/ld+json">[\#(own),\#(full)]</script>"#)
    #expect(try page.field("count(*)") == "2")
  }

  @Test func `a card beside the page's data is not taken`() throws {
    let data = #"{"@type":"Recipe","name":"Pancakes","recipeIngredient":["flour"],"recipeInstructions":"Fry it."}"#
    try page.read("\(Self.card)", head: #"<script type="application/ld+json">\#(data)</script>"#)
    #expect(try page.field("group_concat(title)") == "Pancakes")
  }

  @Test func `steps that are given as such are no ingredients`() throws {
    let items = ["250 g flour", "2 eggs"].map { "<li itemprop=recipeIngredient>\($0)</li>" }.joined()
    let steps = (1...3).map {
      "<div><i>\($0)</i><div>Stir it for \($0) minutes in a pan until it is smooth.</div></div>"
    }
    try page.read(
      """
      <div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop=name>Pancakes</h1><h2>Ingredients</h2><ul>\(items)</ul>
      <div itemprop=recipeInstructions>\(steps.joined())</div></div>
      """)
    #expect(try page.lines("Ingredient") == "250 g flour|2 eggs")
  }
}
