/// Reads a page as its visitors see it, while the recipes in its structured data are read.
package protocol PageReader: AnyObject {
  /// Handles an element that begins; its content follows.
  func start(_ element: MarkupElement) throws

  /// Handles a piece of text, in UTF-8.
  func text(_ bytes: [UInt8])

  /// Handles the end of the innermost open element.
  func end()

  /// Receives a new recipe of the page, or `nil` for one that could not be read.
  func take(_ recipe: Recipe?, _ format: any RecipeFormat.Type)

  /// Receives another version of the recipe with this number.
  func take(_ recipe: Recipe, at number: Int)

  /// Returns which of the cards, which have little more than a title, are of the page's own recipe.
  ///
  /// - Parameter cards: Their titles.
  /// - Returns: Places in `cards`.
  func own(among cards: [String]) -> [Int]

  /// Passes on what the whole page adds to its recipe.
  func complete(_ context: RecipeContext, _ take: HTMLRecipes.Taker) throws
}
