import TestSupport
import Testing

/// How the text of elements becomes a line.
@Suite struct InlineTextTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let pieces = [
    "1<sup>1</sup>/<sub>2</sub> cups oats", "1<sup>1</sup>⁄<sub>2</sub> cups oats",
    "1 <sup>1</sup>/<sub>2</sub> cups oats",
    "1<span class=frac><sup>1</sup>&frasl;<sub>2</sub></span> cups oats", "1<sup>1</sup><sub>2</sub> cups oats",
  ]

  private func check() throws {
    let read = "SELECT amount || ' ' || unit FROM Ingredient ORDER BY recipe_position"
    let line = try page.lines("Ingredient")
    #expect(try page.shelf.value(read) == "1.5 cups", "\(line)")
  }

  @Test(arguments: pieces) func `a raised and a lowered number are a fraction`(_ line: String) throws {
    try page.read("<h1>Porridge</h1><h3>Ingredients</h3><ul><li>\(line)</li><li>2 pears</li></ul>\(LaidOutPage.steps)")
    try check()
  }

  @Test(arguments: pieces) func `in microdata they are one too`(_ line: String) throws {
    try page.read(
      """
      <div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Porridge</h1>
      <p itemprop="recipeIngredient">\(line)</p><p itemprop="recipeInstructions">Boil it.</p></div>
      """)
    try check()
  }

  @Test(arguments: pieces) func `in the HTML of JSON-LD they are one too`(_ line: String) throws {
    let text = line.replacing("\"", with: "'")
    try page.read(
      "",
      head: #"""
        <script type="application/ld+json">{"@type":"Recipe","name":"Porridge","recipeIngredient":["\#(text)"],
        "recipeInstructions":"Boil it."}</script>
        """#)
    try check()
  }

  @Test func `other raised and lowered numbers stay where they are`() throws {
    let list = "<li>4 cm<sup>2</sup> nori</li><li>2 l H<sub>2</sub>O</li><li>3 pears</li>"
    #expect(
      try page.ingredients("<h1>Soup</h1><h3>Ingredients</h3><ul>\(list)</ul>\(LaidOutPage.steps)")
        == "4 cm2 nori|2 l H2O|3 pears")
  }

  @Test func `a number in an element of its own stands apart from the word of the next`() throws {
    let lines =
      "<li><span>250</span><span>g oats</span></li><li><span>2</span><span>pears</span></li><li>5<b>0</b> g figs</li>"
    #expect(
      try page.ingredients("<h1>Porridge</h1><h3>Ingredients</h3><ul>\(lines)</ul>\(LaidOutPage.steps)")
        == "250 g oats|2 pears|50 g figs")
  }

  @Test func `in microdata it does too`() throws {
    try page.read(
      """
      <div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Porridge</h1>
      <p itemprop="recipeIngredient"><span>2</span><span>pears</span></p><p itemprop="recipeInstructions">Boil it.</p></div>
      """)
    #expect(try page.lines("Ingredient") == "2 pears")
  }
}
