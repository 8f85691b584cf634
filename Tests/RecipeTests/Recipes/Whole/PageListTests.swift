import Decant
import TestSupport
import Testing

/// Lists of ingredients and steps in pages without structured data: what belongs to them, and what does not.
@Suite struct PageListTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let rows = "<ul><li>250 g oats</li><li>2 pears</li><li>1 l milk</li></ul>"
  private static let ingredients = "250 g oats|2 pears|1 l milk"

  /// The steps of a page with three ingredients.
  private func steps(_ body: String) throws -> String {
    try page.read("<h1>Porridge</h1><h2>Ingredients</h2>\(Self.rows)\(body)")
    return try page.lines("Step")
  }

  // MARK: Ingredients

  @Test func `ingredients under the heading of the steps are no steps`() throws {
    let rows = [("Oats", "250 g"), ("Pears", "2 pieces"), ("Milk", "1 l"), ("Salt", "2 g"), ("Sugar", "20 g")]
      .map { "<div><i></i><div><div class=name>\($0)</div><div class=amount>\($1)</div></div></div>" }.joined()
    let report = try page.read("<h1>Porridge</h1><h2>Ingredients</h2><h2>Method</h2><div><div>\(rows)</div></div>")
    #expect(report.notes.commandLine.contains { $0.contains("the page gives no steps") }, "\(report.notes)")
    #expect(try page.lines("Ingredient") == "Oats|250 g|Pears|2 pieces|Milk|1 l|Salt|2 g|Sugar|20 g")
    #expect(try page.field("(SELECT count(*) FROM Step)") == "0")
  }

  @Test func `ingredients are not dropped for one or two items among them`() throws {
    let list = """
      <div class="ingredients"><div><p>Oats</p><p>2 pears</p></div><ul><li>500 g of it</li></ul>
      <div><p>1 l milk</p><p>Salt</p></div></div>
      """
    #expect(
      try page.ingredients("<h1>Porridge</h1>\(list)\(LaidOutPage.steps)") == "Oats|2 pears|500 g of it|1 l milk|Salt")
  }

  @Test func `an ingredient that is alone in its group is one`() throws {
    func row(_ amount: String, _ name: String) -> String {
      "<div class=ingredient><span class=ingredient-amount>\(amount)</span> <span class=ingredient-name>\(name)</span></div>"
    }
    let groups = [
      ("Sauce", row("1 l", "milk") + row("2 g", "salt") + row("2", "pears")), ("Pasta", row("500 g", "noodles")),
    ]
    .map { "<div class=list><h3>\($0)</h3>\($1)</div>" }.joined()
    let read = try page.ingredients("<h1>Pasta</h1><div class=ingredients>\(groups)</div>\(LaidOutPage.steps)")
    #expect(read == "#Sauce|1 l milk|2 g salt|2 pears|#Pasta|500 g noodles")
  }

  @Test func `a menu of links is no list of ingredients`() throws {
    let menu = (1...40).map { "<li><a href='/\($0)'>Ideas with grain \(String(repeating: "x", count: $0))</a></li>" }
      .joined()
    let list = "<div>Ingredients</div><ul>\(menu)</ul><h1>Porridge</h1><h2>Ingredients</h2>\(Self.rows)"
    #expect(try page.ingredients(list + LaidOutPage.steps) == Self.ingredients)
  }

  @Test func `salt is an ingredient, even beside its amount`() throws {
    let list =
      "<dl class=ingredients><dt><b>oats</b><u>160 g</u></dt><dt><b>salt</b><u>1.5 g</u></dt><dt><b>pears</b><u>2 cups</u></dt></dl>"
    #expect(
      try page.ingredients("<h1>Porridge</h1>\(list)\(LaidOutPage.steps)") == "oats 160 g|salt 1.5 g|pears 2 cups")
  }

  @Test func `nutrients in a row are no ingredients`() throws {
    let facts = ["fat", "carbs", "protein", "salt"].map { "<li>\($0)<b>2g</b></li>" }.joined()
    let lists = "\(Self.rows)<ul>\(facts)</ul>"
    #expect(
      try page.ingredients("<h1>Porridge</h1><h2>Ingredients</h2>\(lists)\(LaidOutPage.steps)") == Self.ingredients)
  }

  @Test(arguments: [
    ["flour 200 g", "protein 30 g", "salt 2 g", "fat 20 g", "milk 3 dl"],
    // Lines that end in the same word are no copies.
    ["Farina 300 g", "Zucchero 100 g", "Burro 120 g", "Mandorle 80 g", "Uvetta 90 g", "Miele 30 g"],
    [
      "Farina 300 g", "Zucchero 100 g", "Burro 120 g", "Mandorle 80 g", "Uvetta 90 g", "Miele 30 g", "Noci 60 g",
      "Rum 2 cl",
    ],
    [
      "2 carrots, chopped", "2 beets, chopped", "2 pears, chopped", "2 leeks, chopped", "2 plums, chopped",
      "1 kale, chopped",
    ],
    ["土豆 1个", "洋葱 1个", "鸡蛋 1个", "苹果 1个", "番茄 1个", "黄瓜 1个"],
    ["Lettuce", "2 tomatoes", "Olive oil", "1 cucumber", "Fresh dill", "2 cloves"],
  ])
  func `a list stays what it is`(lines: [String]) throws {
    let list = "<ul>" + lines.map { "<li>\($0)</li>" }.joined() + "</ul>"
    #expect(
      try page.ingredients("<h1>Pie</h1><h2>Ingredients</h2>\(list)\(LaidOutPage.steps)")
        == lines.joined(separator: "|"))
  }

  @Test func `an item with nothing but a heading is a heading`() throws {
    let list =
      "<ul><li><h4>Dough</h4></li><li>250 g oats</li><li>2 pears</li><li><h4>Also</h4></li><li>Butter</li></ul>"
    #expect(
      try page.ingredients("<h1>Pie</h1><h3>Ingredients</h3>\(list)\(LaidOutPage.steps)")
        == "#Dough|250 g oats|2 pears|#Also|Butter")
  }

  @Test func `groups under headings of one kind are one list`() throws {
    let body = """
      <h1>Lasagne</h1><h3>Zutaten Teig</h3><ul><li>200 g Mehl</li><li>2 Eier</li></ul>
      <h3>Zutaten Sauce</h3><ul><li>1 l Milch</li><li>50 g Butter</li></ul>
      <h3>Zubereitung Teig</h3><p>Mehl und Eier zu einem glatten Teig kneten.</p>
      <h3>Zubereitung Sauce</h3><p>Milch und Butter zu einer Sauce kochen und warten.</p><h3>Mehr Rezepte</h3><p>Suppen</p>
      """
    #expect(try page.ingredients(body) == "200 g Mehl|2 Eier|#Zutaten Sauce|1 l Milch|50 g Butter")
    #expect(
      try page.lines("Step")
        == "Mehl und Eier zu einem glatten Teig kneten.|#Zubereitung Sauce|Milch und Butter zu einer Sauce kochen und warten."
    )
  }

  // MARK: Steps

  private static let long = "Stir the oats into the milk until no lump is left in it."

  @Test func `steps with labels go on after a list within one`() throws {
    let read = try steps(
      """
      <h2>Method</h2><div>Step 01</div><div><p>Milk in a</p><ol><li>Pour the milk into a pot.</li><li>Heat it.</li></ol></div>
      <div>Step 02</div><div>\(Self.long)</div><div>Step 03</div><div>Cut the pears, and put them on top of it.</div>
      """)
    #expect(read.hasSuffix("Heat it.|\(Self.long)|Cut the pears, and put them on top of it."), "\(read)")
  }

  @Test func `a heading of some steps is kept, though it names steps`() throws {
    let read = try steps(
      "<p><b>Preparation</b></p><p>\(Self.long)</p><p><b>Preparation of the pears</b></p><p>Cut the pears, and fry them in butter.</p>"
    )
    #expect(read == "\(Self.long)|#Preparation of the pears|Cut the pears, and fry them in butter.")
  }

  @Test func `a list that is there three times is read once`() throws {
    let lines = [Self.long, "Cut the pears.", "Put them on top of it.", "Wait for some minutes.", "Serve it warm."]
    let list = "<ol>" + lines.map { "<li>\($0)</li>" }.joined() + "</ol>"
    let read = try steps("<h2>Method</h2><p>You need a pot for this.</p>\(list)\(list)\(list)")
    #expect(read == (["You need a pot for this."] + lines).joined(separator: "|"))
  }

  @Test func `steps that are done three times are written three times`() throws {
    let turn = ["Roll it out to a long strip.", "Fold it in three.", "Chill it for 30 minutes."]
    let all = ["Make the dough, and put in the butter."] + turn + turn + turn
    let list = "<ol>" + all.map { "<li>\($0)</li>" }.joined() + "</ol>"
    #expect(try steps("<h2>Method</h2>\(list)") == all.joined(separator: "|"))
  }

  @Test func `a number after the steps does not make the rest of the page steps`() throws {
    let read = try steps(
      """
      <h2>Method</h2><ol><li>\(Self.long)</li><li>Cut the pears.</li></ol><div>25</div>
      <p>My name is Anna, and I live in Vienna with my three cats.</p>
      """)
    #expect(read == "\(Self.long)|Cut the pears.")
  }

  @Test func `two steps that end in the same word are two`() throws {
    #expect(
      try steps(
        "<h2>Method</h2><ol><li>Stir the oats into the milk, then let it rest.</li><li>Boil it, and let it rest.</li></ol>"
      )
        == "Stir the oats into the milk, then let it rest.|Boil it, and let it rest.")
  }

  @Test func `the value for programs in a microformat is the value`() throws {
    try page.read(
      """
      <div class="hrecipe"><h1 class="fn">Porridge</h1><b class="cooktime">3 hrs on High <span class="value-title"
      title="PT3H"> </span></b><h2>Ingredients</h2>\(Self.rows)\(LaidOutPage.steps)</div>
      """)
    #expect(try page.field("cookMinutes") == "180.0")
  }

  /// A search that is repeated at every level would never end.
  @Test func `such a value may be in many elements`() throws {
    let value = "<span class=value-title title=PT3H></span>"
    let deep = String(repeating: "<span>", count: 100) + value + String(repeating: "</span>", count: 100)
    try page.read(
      "<div class=hrecipe><h1 class=fn>Porridge</h1><b class=cooktime>\(deep)</b><h2>Ingredients</h2>\(Self.rows)"
        + "\(LaidOutPage.steps)</div>")
    #expect(try page.field("cookMinutes") == "180.0")
  }
}
