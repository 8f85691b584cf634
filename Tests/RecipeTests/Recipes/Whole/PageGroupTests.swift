import TestSupport
import Testing

/// Headings of groups of ingredients, however a page marks them.
@Suite struct PageGroupTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let groups = "#Stock|1 l water|2 carrots|#Garnish|1 bunch dill|100 g cream"

  private static func list(_ rows: [String]) -> String { "<ul>" + rows.map { "<li>\($0)</li>" }.joined() + "</ul>" }

  private static let lists = [
    "<p>Stock</p>\(list(["1 l water", "2 carrots"]))<p>Garnish</p>\(list(["1 bunch dill", "100 g cream"]))",
    "<details open><summary>Stock</summary>\(list(["1 l water", "2 carrots"]))</details>"
      + "<details><summary>Garnish</summary>\(list(["1 bunch dill", "100 g cream"]))</details>",
    list([
      "<strong>Stock</strong>", "1 l water", "2 carrots", "<strong>Garnish</strong>", "1 bunch dill", "100 g cream",
    ]),
    "<ul><li class=heading>Stock</li><li>1 l water</li><li>2 carrots</li><li class=heading>Garnish</li>"
      + "<li>1 bunch dill</li><li>100 g cream</li></ul>",
    "<dl><dt>Stock</dt><dd>1 l water</dd><dd>2 carrots</dd><dt>Garnish</dt><dd>1 bunch dill</dd><dd>100 g cream</dd></dl>",
    "<table><tr><th colspan=2>Stock</th></tr><tr><td>1 l</td><td>water</td></tr><tr><td>2</td><td>carrots</td></tr>"
      + "<tr><th colspan=2>Garnish</th></tr><tr><td>1 bunch</td><td>dill</td></tr><tr><td>100 g</td><td>cream</td></tr></table>",
  ]

  @Test(arguments: lists) func `short headings are headings`(_ list: String) throws {
    #expect(try page.ingredients("<h1>Soup</h1><h3>Ingredients</h3>\(list)\(LaidOutPage.steps)") == Self.groups)
  }

  @Test(arguments: lists) func `structured data get the headings that the page shows`(_ list: String) throws {
    let data = #"""
      <script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeIngredient":["1 l water","2 carrots",
      "1 bunch dill","100 g cream"],"recipeInstructions":"Boil it."}</script>
      """#
    #expect(
      try page.ingredients("<h1>Soup</h1><h3>Ingredients</h3>\(list)\(LaidOutPage.steps)", head: data) == Self.groups)
  }

  @Test(arguments: [
    list(["<b>Water</b>", "<b>Salt</b>", "<b>2 carrots</b>"]),
    "<dl><dt>Water</dt><dd>1 l</dd><dt>Salt</dt><dd>2 g</dd><dt>Dill</dt><dd>1 bunch</dd></dl>",
  ])
  func `ingredients that look like headings are none`(_ list: String) throws {
    #expect(
      try !page.ingredients("<h1>Soup</h1><h3>Ingredients</h3>\(list)\(LaidOutPage.steps)").contains("#"))
  }
}
