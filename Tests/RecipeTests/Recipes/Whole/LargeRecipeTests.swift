import Decant
import Foundation
import TestSupport
import Testing

/// Recipes with a very large part: the time once grew with the square of its size; `scaling.py` measures it.
@Suite struct LargeRecipeTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let blanks = ["\\n", " ", "\\u00a0", "\\u2028"]

  @Test(arguments: blanks) func `a text with 100,000 blanks at its ends is trimmed`(
    _ blank: String
  ) throws {
    let many = String(repeating: blank, count: 100_000)
    try shelf.write(
      """
      {"@context":"https://schema.org","@type":"Recipe","name":"Soup","recipeIngredient":["1 egg"],
      "description":"\(many)good\(many)"}
      """, "soup.json")
    try shelf.import("soup.json")
    #expect(try shelf.value("SELECT summary FROM Recipe") == "good")
  }

  @Test func `10,000 tags are read, each once`() throws {
    let tags = (0..<10_000).map { "tag \($0 % 6_000)" }.joined(separator: ",")
    try shelf.write(
      """
      {"@context":"https://schema.org","@type":"Recipe","name":"Soup","recipeIngredient":["1 egg"],"keywords":"\(tags)"}
      """, "soup.json")
    try shelf.import("soup.json")
    #expect(try shelf.value("SELECT count(*) FROM Tag") == "6000")
  }

  @Test func `a page of thousands of ingredients is compared with what it shows`() throws {
    let lines = (0..<2_000).map { "<li property=\"recipeIngredient\">\($0 % 97) g of flour \($0)</li>" }.joined()
    try shelf.write(
      """
      <!DOCTYPE html><html><body vocab="https://schema.org/" typeof="Recipe"><h1 property="name">Soup</h1>
      <h2>Ingredients</h2><ul>\(lines)</ul></body></html>
      """, "soup.html")
    try shelf.import("soup.html")
    #expect(try shelf.value("SELECT count(*) FROM Ingredient") == "2000")
  }
}
