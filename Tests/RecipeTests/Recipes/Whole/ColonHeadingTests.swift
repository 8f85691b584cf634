import TestSupport
import Testing

/// Headings of groups that a colon marks.
@Suite struct ColonHeadingTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  @Test func `a line that ends in a colon is a heading in every format`() throws {
    let shelf = page.shelf
    try shelf.write(
      #"{"@type":"Recipe","name":"Pie","recipeIngredient":["For the crust:","1 egg"],"recipeInstructions":"Bake."}"#,
      "a.json")
    try shelf.write(
      """
      <html><div itemscope itemtype="https://schema.org/Recipe"><b itemprop="name">Pie</b>
      <p itemprop="recipeIngredient">For the crust:</p><p itemprop="recipeIngredient">1 egg</p>
      <p itemprop="recipeInstructions">Bake.</p></div></html>
      """, "b.html")
    try shelf.make("c.paprikarecipe", #"paprika(recipe("Pie", ingredients="For the crust:\n1 egg"))"#)
    for name in ["a.json", "b.html", "c.paprikarecipe"] {
      try shelf.import(name, into: name + ".sqlite")
      let read = "SELECT group_concat(iif(isHeading, '#', '') || text, '|') FROM Ingredient"
      #expect(try shelf.value(read, of: name + ".sqlite") == "#For the crust|1 egg", "\(name)")
    }
  }
}
