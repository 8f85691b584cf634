/// The recipes of a page of HTML, of whatever format each of them is.
///
/// A page may say a recipe in JSON-LD and in microdata, or twice: the first counts, and gets what only the others
/// have.
package enum HTMLRecipes {
  /// Reads the text of a JSON-LD script, and hands out its recipes, each before the next is read.
  ///
  /// It throws `RecipeFault` for what is no JSON.
  package typealias ScriptReader = (
    _ text: DocumentText, RecipeContext, _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws -> Void

  /// Something that a page holds.
  package enum Found {
    /// A recipe and its format, or why it is none.
    case recipe(any RecipeFormat.Type, Result<Recipe, RecipeFault>)
    /// A recipe that came before.
    case again(Recipe, SeenRecipes.Place)
    /// A script that cannot be read, and why.
    case damage(String)
  }

  /// Takes what is found as soon as it is whole.
  package typealias Taker = (Found) throws -> Void

  /// The formats of HTML, the one that knows an element best first.
  package static let formats: [any MarkupRecipeFormat.Type] = [
    RecipeKeeperFormat.self, CopyMeThatFormat.self, HTMLPageFormat.self,
  ]

  /// How often a page may say a recipe; what it says of it after that is not read.
  private static let repeatLimit = 100

  /// How many JSON-LD scripts of a page are read.
  private static let scriptLimit = 10_000

  /// Reads all recipes of a page.
  ///
  /// - Parameters:
  ///   - document: The page.
  ///   - context: Takes pictures.
  ///   - page: Reads the page as it is laid out; `nil` where only the structured data count.
  ///   - script: Reads JSON-LD.
  ///   - take: Takes each recipe as soon as it is whole; they are numbered from 0, those that are none as well.
  /// - Throws: What the document and the closures throw, but for `RecipeFault`, which is handed to `take`.
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
    document.page = page
    defer { document.page = nil }
    func found(_ format: any RecipeFormat.Type, _ result: Result<Recipe, RecipeFault>, _ way: SeenRecipes.Way) throws {
      guard case .success(var recipe) = result else {
        seen.skip()
        page?.take(nil, format)
        return try take(.recipe(format, result))
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
    try document.forEachRecord { element, path in
      formats.contains { $0.isRecord(element, path: path) }
    } _: { element in
      let isScript = HTMLPageFormat.isScript(element)
      let scripts = isScript ? [element] : element.descendants(where: HTMLPageFormat.isScript)
      for element in scripts {
        let content = try element.content
        guard !content.isEmpty else { continue }
        scriptCount += 1
        guard scriptCount <= scriptLimit else {
          throw RecipeFault(
            "the page has more than \(scriptLimit) JSON-LD scripts; nothing behind line \(element.line) was read")
        }
        do {
          try script(content, context) { try found(HTMLPageFormat.self, $0, .script) }
        } catch let fault as RecipeFault {
          // One of several scripts may be damaged: the others, and the microdata, may be sound.
          let text = "a JSON-LD script cannot be read: \(fault.message) (line \(element.line))"
          try take(.damage(text))
        }
      }
      if !isScript { try read(element) }
    }
    try page?.complete(context, take)
  }

  /// The format of the recipe that an element is, the element without other recipes in it, and these.
  ///
  /// Where the end of a recipe is missing the next one lies in it, and what is called as recipes are may only hold
  /// one.
  private static func records(in element: MarkupElement) -> (
    (any MarkupRecipeFormat.Type)?, MarkupElement, [MarkupElement]
  ) {
    let format = format(of: element)
    var others: [MarkupElement] = []
    let own = element.without(into: &others) { inner, isBare in
      // A property of a recipe is no other one, and neither is what only links to one.
      guard inner.attributes["itemprop"] == nil, inner.attributes["property"] == nil,
        let other = self.format(of: inner),
        format == nil || format == other
      else { return .own }
      guard other == HTMLPageFormat.self else { return .other }
      // In what has no lines nothing has: it is looked through once.
      if isBare { return .own }
      let isRDFa = RDFa.isRecipe(inner)
      if Microdata.hasLines(inner, isRDFa: isRDFa) { return .other }
      return isRDFa || !Microdata.hasLines(inner, isRDFa: true) ? .bare : .own
    }
    return (format, own, others)
  }

  /// The format that knows a whole element as a recipe; what lies around it does not matter to these formats.
  private static func format(of element: MarkupElement) -> (any MarkupRecipeFormat.Type)? {
    if HTMLPageFormat.isScript(element) { return nil }
    return formats.first { $0.isRecord(element, path: []) && $0.isRecord(whole: element) }
  }
}
