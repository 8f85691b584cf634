import TestSupport
import Testing

/// Lines that are only the name of the list that they should be in.
@Suite struct PartNameTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  @Test func `a heading that is called after its list is no line of it`() throws {
    try page.read(
      """
      <div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Porridge</h1>
      <h2 itemprop="recipeIngredient">Ingredients</h2><ul><li>250 g oats</li><li>2 pears</li></ul>
      <h2 itemprop="recipeInstructions">Instructions</h2><ol><li>Peel the pears, and cut them into small pieces.</li></ol></div>
      """)
    #expect(
      try [page.lines("Ingredient"), page.lines("Step")] == [
        "250 g oats|2 pears", "Peel the pears, and cut them into small pieces.",
      ])
  }
}
