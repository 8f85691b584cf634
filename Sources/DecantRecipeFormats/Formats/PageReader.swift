/// What reads a page as its reader sees it, while the recipes of its structured data are read.
package protocol PageReader: AnyObject {
  /// An element begins; nothing is in it yet.
  func start(_ element: MarkupElement) throws

  /// A piece of text, in UTF-8.
  func text(_ bytes: [UInt8])

  /// The innermost element that is open ends.
  func end()

  /// Takes a recipe that the page has not said before, or `nil` for what should be one.
  func take(_ recipe: Recipe?, _ format: any RecipeFormat.Type)

  /// Takes the recipe of this number said again in another way.
  func take(_ recipe: Recipe, at number: Int)

  /// Hands out what the whole page says more of its recipe than was handed out before.
  func complete(_ context: RecipeContext, _ take: HTMLRecipes.Taker) throws
}
