package import DecantRecipeFormats

/// Reads a page as it is laid out, and completes by that the recipe of a page that has one, or none, in its structured
/// data.
package final class LayoutReader: PageReader {
  let tree = PageTree()
  /// How many recipes, or what should be one, the page has.
  private var count = 0
  private var number = 0
  private var recipe: PageRecipe?
  private let readsLayout: Bool

  /// Makes a reader.
  ///
  /// - Parameter readsLayout: Whether anything is read from the layout; else only the structured data are looked at.
  package init(readsLayout: Bool = true) { self.readsLayout = readsLayout }

  package func start(_ element: MarkupElement) { if readsLayout { tree.start(element) } }
  package func text(_ bytes: [UInt8]) { if readsLayout { tree.text(bytes) } }
  package func end() { if readsLayout { tree.end() } }

  package func take(_ recipe: Recipe?, _ format: any RecipeFormat.Type) {
    if let recipe {
      self.recipe = self.recipe == nil && format == HTMLPageFormat.self ? PageRecipe(recipe) : nil
      number = count
    }
    count += 1
  }

  package func take(_ recipe: Recipe, at number: Int) {
    if number == self.number { self.recipe?.take(recipe) }
  }

  package func complete(_ context: RecipeContext, _ take: HTMLRecipes.Taker) throws {
    guard count == 0 || recipe != nil else { return }
    let layout = readsLayout ? PageLayout(tree) : nil
    guard var recipe else {
      guard let layout, let page = PageRecipe(layout) else { return }
      context.warn("read from the page's layout, with \(page.confidence(layout).rawValue) confidence")
      if let gap = page.gap { context.warn(gap) }
      return try take(.recipe(HTMLPageFormat.self, .success(page.recipe)))
    }
    if let layout { recipe.complete(layout) }
    if !recipe.fromLayout.isEmpty {
      context.warn("read from the page's layout: \(recipe.fromLayout.joined(separator: ", "))")
    }
    if let gap = recipe.gap { context.warn(gap) }
    guard recipe.isChanged || recipe.gap != nil else { return }
    let whole = recipe.isChanged ? recipe.recipe : Recipe(titled: recipe.recipe.title)
    try take(.again(whole, SeenRecipes.Place(whole: number, isBare: recipe.isChanged)))
  }
}

extension PageRecipe {
  /// What a recipe needs and this one lacks, in a sentence; `nil` where it has all.
  fileprivate var gap: String? {
    let missing = (recipe.ingredients.isEmpty ? ["ingredients"] : []) + (recipe.steps.isEmpty ? ["steps"] : [])
    return missing.isEmpty ? nil : "the page gives no \(missing.joined(separator: " and no "))"
  }
}

extension Recipe {
  fileprivate init(titled title: String) {
    self.init()
    self.title = title
  }
}
