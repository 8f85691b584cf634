/// The recipes of an HTML page, whatever their formats are.
///
/// A page may contain a recipe in both JSON-LD and microdata, or twice: the first counts, and is completed from the
/// others.
package enum HTMLRecipes {
  /// Reads the text of a JSON-LD script, and passes on each of its recipes before it reads the next; `nil` is the end of
  /// the page, where recipes are passed on again that refer to later scripts.
  ///
  /// It throws `RecipeFault` for invalid JSON.
  package typealias ScriptReader = (
    _ text: DocumentText?, RecipeContext, _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws -> Void

  /// An item found in a page.
  package enum Found {
    /// A recipe and its format, or the reason it cannot be read.
    case recipe(any RecipeFormat.Type, Result<Recipe, RecipeFault>)
    /// A recipe that the page already contained.
    case again(Recipe, SeenRecipes.Place)
    /// The reason a script cannot be read.
    case damage(String)
  }

  /// Receives each item as soon as it is complete.
  package typealias Taker = (Found) throws -> Void

  /// The formats of HTML, the most specific first.
  package static let formats: [any MarkupRecipeFormat.Type] = [
    RecipeKeeperFormat.self, CopyMeThatFormat.self, HTMLPageFormat.self,
  ]

  /// How often a page may repeat a recipe; further repetitions are not read.
  private static let repeatLimit = 100

  /// How many cards may wait until the whole page has been read.
  private static let cardLimit = 100

  /// The maximum number of JSON-LD scripts that are read per page.
  private static let scriptLimit = 10_000

  /// Reads all recipes of a page.
  ///
  /// - Parameters:
  ///   - document: The page.
  ///   - context: Stores pictures.
  ///   - page: Reads the page as it is laid out; `nil` if only the structured data count.
  ///   - script: Reads JSON-LD.
  ///   - take: Receives each recipe as soon as it is complete; they are numbered from 0, unreadable ones included.
  /// - Throws: Errors from the document and the closures, except `RecipeFault`, which is passed to `take`.
  package static func read(
    _ document: MarkupDocument,
    _ context: RecipeContext,
    _ page: (any PageReader)? = nil,
    script: ScriptReader,
    _ take: Taker
  ) throws {
    try withoutActuallyEscaping(take) { try read(document, context, page, script, to: $0) }
  }

  private static func read(
    _ document: MarkupDocument,
    _ context: RecipeContext,
    _ page: (any PageReader)?,
    _ script: ScriptReader,
    to take: @escaping Taker
  ) throws {
    var seen = SeenRecipes()
    var repeats: [Int: Int] = [:]
    var scriptCount = 0
    var cards: [(recipe: Recipe, way: SeenRecipes.Way)] = []
    document.page = page
    defer { document.page = nil }
    func found(
      _ format: any RecipeFormat.Type,
      _ result: Result<Recipe, RecipeFault>,
      _ way: SeenRecipes.Way,
      isAtEnd: Bool = false
    ) throws {
      guard case .success(var recipe) = result else {
        seen.skip()
        page?.take(nil, format)
        return try take(.recipe(format, result))
      }
      if page != nil, !isAtEnd, way == .elements, format == HTMLPageFormat.self, recipe.isCard, cards.count < cardLimit
      {
        return cards.append((recipe, way))
      }
      guard let place = seen.place(of: &recipe, way) else {
        page?.take(recipe, format)
        return try take(.recipe(format, result))
      }
      repeats[place.number, default: 0] += 1
      if let count = repeats[place.number], count >= repeatLimit {
        if count == repeatLimit {
          try take(.damage("a recipe is there more than \(repeatLimit) times: “\(recipe.title)”"))
        }
        return
      }
      page?.take(recipe, at: place.number)
      try take(.again(recipe, place))
    }
    func read(_ element: MarkupElement) throws {
      let (format, own, others) = records(in: element)
      if let format {
        do {
          if let recipe = try format.recipe(own, context) {
            try found(format, .success(recipe), .elements)
          }
        } catch let fault as RecipeFault {
          try found(format, .failure(fault), .elements)
        }
      }
      for other in others { try read(other) }
    }
    /// Reads JSON-LD among the data of a page that has given no recipe so far.
    func readState(_ element: MarkupElement) throws {
      guard seen.isEmpty else { return }
      do {
        try script(try element.content, context) { result in
          if case .success = result { try found(HTMLPageFormat.self, result, .script) }
        }
      } catch is RecipeFault {
        // These data are for the page's own programs, in whatever form.
      }
    }
    try document.forEachRecord { element, path in
      formats.contains { $0.isRecord(element, path: path) }
    } _: { element in
      let isScript = HTMLPageFormat.isScript(element)
      if HTMLPageFormat.isState(element) { return try readState(element) }
      let scripts = isScript ? [element] : element.descendants(where: HTMLPageFormat.isScript)
      for element in scripts {
        let content = try element.content
        guard !content.isEmpty else { continue }
        scriptCount += 1
        guard scriptCount <= scriptLimit else {
          throw RecipeFault(
            "the page has more than \(scriptLimit) JSON-LD scripts; nothing after line \(element.line) was read")
        }
        do {
          try script(content, context) { try found(HTMLPageFormat.self, $0, .script) }
        } catch let fault as RecipeFault {
          // If one of several scripts is damaged, the others and the microdata may still be sound.
          let text = "a JSON-LD script cannot be read: \(fault.message) (line \(element.line))"
          try take(.damage(text))
        }
      }
      if !isScript { try read(element) }
    }
    try script(nil, context) { try found(HTMLPageFormat.self, $0, .script) }
    // A card of a recipe on another page is no recipe of this one.
    let own = Set(page?.own(among: cards.map(\.recipe.title)) ?? [])
    var others: [String] = []
    for (place, card) in cards.enumerated() {
      guard own.contains(place) || seen.contains(title: card.recipe.title) else {
        others.append("“\(card.recipe.title)”")
        continue
      }
      try found(HTMLPageFormat.self, .success(card.recipe), card.way, isAtEnd: true)
    }
    if !others.isEmpty {
      let names = others.prefix(3).joined(separator: ", ") + (others.count > 3 ? ", …" : "")
      context.warn("cards of other recipes, with neither ingredients nor steps, are not taken: \(names)")
    }
    try page?.complete(context, take)
  }

  /// Returns the format of the recipe in an element, the element without other recipes in it, and these.
  ///
  /// If the end of a recipe is missing, the next one is nested in it, and an element marked as a recipe may merely
  /// contain one.
  private static func records(in element: MarkupElement) -> (
    (any MarkupRecipeFormat.Type)?, MarkupElement, [MarkupElement]
  ) {
    let format = format(of: element)
    var others: [MarkupElement] = []
    let own = element.without(into: &others) { inner, isBare in
      // A property of a recipe is not another recipe, and neither is an element that only links to one.
      guard inner.attributes["itemprop"] == nil, inner.attributes["property"] == nil,
        let other = self.format(of: inner),
        format == nil || format == other
      else { return .own }
      guard other == HTMLPageFormat.self else { return .other }
      // Nothing inside an element without recipe lines has any, so it is searched only once.
      if isBare { return .own }
      let isRDFa = RDFa.isRecipe(inner)
      if Microdata.hasLines(inner, isRDFa: isRDFa) { return .other }
      return isRDFa || !Microdata.hasLines(inner, isRDFa: true) ? .bare : .own
    }
    return (format, own, others)
  }

  /// Returns the format that recognizes a whole element as a recipe, regardless of the elements around it.
  private static func format(of element: MarkupElement) -> (any MarkupRecipeFormat.Type)? {
    if HTMLPageFormat.isScript(element) || HTMLPageFormat.isState(element) { return nil }
    return formats.first { $0.isRecord(element, path: []) && $0.isRecord(whole: element) }
  }
}

extension Recipe {
  /// Whether it has little more than a title and a picture, as where a page leads to another recipe.
  fileprivate var isCard: Bool {
    ingredients.isEmpty && steps.isEmpty && yield == nil && author == nil && prepTime == nil && cookTime == nil
      && totalTime == nil && summary == nil
  }
}
