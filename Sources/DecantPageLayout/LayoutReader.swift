package import DecantRecipeFormats

/// Reads a page as it is laid out, to complete the recipe of a page with at most one recipe in its structured data, and
/// finds the pictures of all its recipes among those that came with the page.
package final class LayoutReader: PageReader {
  let tree = PageTree()
  /// The number of recipes of the page, unreadable ones included.
  private var count = 0
  private var number = 0
  private var recipe: PageRecipe?
  private let readsLayout: Bool
  /// The page as it is laid out, once it has been read.
  private lazy var layout = PageLayout(tree)
  private let pictures: PagePictures?
  /// The pictures that each recipe names, by the number of the recipe.
  private var named: [Int: NamedPictures] = [:]
  private var ownAddress: OwnAddress
  /// Whether the page would be a recipe if it had a title.
  package private(set) var lacksTitle = false

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - readsLayout: Whether the layout is read; otherwise only the structured data are used.
  ///   - pictures: Collects the pictures of the page; `nil` if none are looked for.
  ///   - address: The address that the file of a saved page holds beside it.
  ///   - head: The first bytes of the page.
  package init(
    readsLayout: Bool = true, _ pictures: PagePictures? = nil, savedFrom address: String? = nil, head: [UInt8] = []
  ) {
    (self.readsLayout, self.pictures) = (readsLayout, pictures)
    ownAddress = OwnAddress(saved: address, head: head)
  }

  /// The address of the page on the web, once the page has been read: its own, else that under which it was saved.
  package var address: String? { ownAddress.page }

  package func start(_ element: MarkupElement) throws {
    ownAddress.start(element)
    if readsLayout { tree.start(element) }
    try pictures?.start(element)
  }

  package func text(_ bytes: [UInt8]) { if readsLayout { tree.text(bytes) } }

  package func end() {
    if readsLayout { tree.end() }
    pictures?.end()
  }

  package func take(_ recipe: Recipe?, _ format: any RecipeFormat.Type) {
    if let recipe {
      self.recipe = self.recipe == nil && format == HTMLPageFormat.self ? PageRecipe(recipe) : nil
      number = count
      if pictures != nil, format == HTMLPageFormat.self { named[count] = NamedPictures(recipe) }
    }
    count += 1
  }

  package func take(_ recipe: Recipe, at number: Int) {
    if number == self.number { self.recipe?.take(recipe) }
    named[number]?.take(recipe)
  }

  package func own(among cards: [String]) -> [Int] {
    let all = Array(cards.indices)
    guard readsLayout, !cards.isEmpty, let layout else { return all }
    let titles = [layout.title, tree.title, tree.sharedTitle].compactMap { $0.map { FoldedText.letters(of: $0) } }
    let own = all.filter { place in
      let letters = FoldedText.letters(of: cards[place])
      return !letters.isEmpty && titles.contains { $0.starts(with: letters) }
    }
    return own.isEmpty && count == 0 && PageRecipe(layout) == nil ? all : own
  }

  package func complete(_ context: RecipeContext, _ take: HTMLRecipes.Taker) throws {
    if count == 0 || recipe != nil { return try completeOne(context, take) }
    guard let pictures else { return }
    for (number, named) in named.sorted(by: { $0.key < $1.key }) {
      var recipe = Recipe(titled: named.title)
      recipe.images = try pictures.images(of: named, named.steps, context)
      guard !recipe.images.isEmpty else { continue }
      try take(.again(recipe, SeenRecipes.Place(whole: number, imageCount: named.imageCount, isBare: false)))
    }
  }

  private func completeOne(_ context: RecipeContext, _ take: HTMLRecipes.Taker) throws {
    guard var recipe else { return try readLayout(context, take) }
    if readsLayout, let layout { recipe.complete(layout) }
    if !recipe.fromLayout.isEmpty {
      context.warn("read from the page's layout: \(recipe.fromLayout.joined(separator: ", "))")
    }
    if let gap = recipe.recipe.gap { context.warn("the page gives \(gap)") }
    let named = named[number]
    let steps = recipe.isChanged ? recipe.recipe.steps.map(\.text) : named?.steps ?? []
    let images = try named.flatMap { try pictures?.images(of: $0, steps, context) } ?? []
    guard recipe.isChanged || recipe.recipe.gap != nil || !images.isEmpty else { return }
    var whole = recipe.isChanged ? recipe.recipe : Recipe(titled: recipe.recipe.title)
    whole.images = images
    let count = named?.imageCount ?? 0
    try take(.again(whole, SeenRecipes.Place(whole: number, imageCount: count, isBare: recipe.isChanged)))
  }

  /// Reads recipes from the layout of a page without structured data.
  private func readLayout(_ context: RecipeContext, _ take: HTMLRecipes.Taker) throws {
    let layouts = readsLayout ? PageLayout.all(tree) : []
    var pages = layouts.compactMap { layout in PageRecipe(layout).map { ($0, layout) } }
    if pages.isEmpty, layouts.count == 1, let layout = layouts.first {
      let title = FileTitle.text(of: context.entry)
      if let page = PageRecipe(layout, title: title ?? Recipe.untitled), page.confidence(layout) == .high {
        if title == nil { lacksTitle = true } else { pages = [(page, layout)] }
      }
    }
    for (page, layout) in pages {
      let confidence = page.confidence(layout).rawValue
      let ofMany = pages.count > 1 ? ", one of \(pages.count) recipes under headings of their own" : ""
      context.note("read from the page's layout\(ofMany), with \(confidence) confidence", confidence: confidence)
      if layout.isOneOfSeveral {
        context.warn("the page has several lists of ingredients and of steps; the first ones are used")
      }
      if layout.title == nil { context.warn("the page has no title, so that its recipe has the name of the file") }
      if let gap = page.recipe.gap { context.warn("the page gives \(gap)") }
      var whole = page.recipe
      whole.url = address
      if pages.count == 1 { whole.images = try pictures?.images(of: NamedPictures(whole), [], context) ?? [] }
      try take(.recipe(HTMLPageFormat.self, .success(whole)))
    }
  }
}

extension Recipe {
  fileprivate init(titled title: String) {
    self.init()
    self.title = title
  }
}
