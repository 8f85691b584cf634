/// The recipe of a page that has one, or none, in its structured data, until the page was read.
struct OnlyRecipe {
  /// How many recipes, or what should be one, the page has.
  private var count = 0
  private var number = 0
  private var page: PageRecipe?

  /// Counts something that is no recipe.
  mutating func skip() { count += 1 }

  /// Takes a recipe that was not seen before.
  mutating func take(_ recipe: Recipe, _ format: any RecipeFormat.Type) {
    page = page == nil && format == HTMLPageFormat.self ? PageRecipe(recipe) : nil
    number = count
    count += 1
  }

  /// Takes the recipe of this number said again.
  mutating func take(_ recipe: Recipe, at number: Int) {
    if number == self.number { page?.take(recipe) }
  }

  /// Hands out what the whole page says more of its recipe than was handed out before.
  func complete(_ tree: PageTree, _ context: RecipeContext, _ take: HTMLRecipes.Taker) throws {
    guard count == 0 || page != nil else { return }
    let layout = PageLayout(tree)
    guard var page else {
      guard let layout, let page = PageRecipe(layout) else { return }
      context.warn("read from the page's layout")
      return try take(.recipe(HTMLPageFormat.self, .success(page.recipe)))
    }
    if let layout { page.complete(layout) }
    if !page.fromLayout.isEmpty {
      context.warn("read from the page's layout: \(page.fromLayout.joined(separator: ", "))")
    }
    let missing = page.missing
    if !missing.isEmpty { context.warn("the page gives no \(missing.joined(separator: " and no "))") }
    guard page.isChanged || !missing.isEmpty else { return }
    let recipe = page.isChanged ? page.recipe : Recipe(titled: page.recipe.title)
    let place = SeenRecipes.Place(number: number, imageCount: 0, isOtherwise: false, isBare: page.isChanged)
    try take(.again(recipe, place))
  }
}

extension PageRecipe {
  /// What a recipe needs and this one lacks.
  fileprivate var missing: [String] {
    (recipe.ingredients.isEmpty ? ["ingredients"] : []) + (recipe.steps.isEmpty ? ["steps"] : [])
  }
}

extension Recipe {
  fileprivate init(titled title: String) {
    self.init()
    self.title = title
  }
}
