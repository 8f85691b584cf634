import TestSupport
import Testing

/// Texts in Markdown with several recipes, and with tables.
@Suite struct MarkdownBookTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  @Test func `a cookbook in Markdown has a recipe under each heading`() throws {
    try page.shelf.write(
      """
      # Cookbook

      ## Porridge

      ### Ingredients
      - 250 g oats
      - 2 pears

      ### Method
      1. Boil.

      ## Loaf

      A heavy one.

      ### Ingredients
      - 500 g rye

      ### Method
      1. Bake.
      """, "book.md")
    try page.shelf.import("book.md")
    #expect(try page.field("group_concat(title, '|')") == "Porridge|Loaf")
    #expect(try page.lines("Ingredient", of: "Loaf") == "500 g rye")
    #expect(try page.lines("Step", of: "Loaf") == "Bake.")
    #expect(try page.shelf.value("SELECT summary FROM Recipe WHERE title = 'Loaf'") == "A heavy one.")
  }

  @Test func `rows of a table in Markdown are lines`() throws {
    try page.shelf.write(
      """
      # Curry

      ## Ingredients

      | Amount | Ingredient |
      |---|:--|
      | 200 g | rice |
      | 1 tin | coconut milk |

      ## Method

      - Cook.
      """, "curry.md")
    try page.shelf.import("curry.md")
    #expect(try page.lines("Ingredient") == "200 g rice|1 tin coconut milk")
  }
}
