/// The recipes of a page of HTML, of whatever format each of them is.
///
/// A page may say a recipe in JSON-LD and in microdata: the one that comes first counts, a second of the same
/// title in the other way is left out.
enum HTMLRecipes {
  /// Reads the text of a JSON-LD script: all recipes in it, none where there are none.
  ///
  /// It throws `RecipeFault` for what is no JSON.
  typealias ScriptReader = (DocumentText, RecipeContext) throws -> [Result<Recipe, RecipeFault>]

  /// Takes a recipe and its format.
  typealias Taker = (any RecipeFormat.Type, Result<Recipe, RecipeFault>) throws -> Void

  /// The formats of HTML, the one that knows an element best first.
  static let formats: [any MarkupRecipeFormat.Type] = [
    RecipeKeeperFormat.self, CopyMeThatFormat.self, HTMLPageFormat.self,
  ]

  /// Reads all recipes of a page.
  ///
  /// - Parameters:
  ///   - document: The page.
  ///   - context: Takes pictures, and is warned of scripts that are no JSON.
  ///   - script: Reads JSON-LD.
  ///   - take: Takes each recipe as soon as it is whole.
  /// - Throws: What the document and the closures throw, but for `RecipeFault`, which is handed to `take`.
  static func read(
    _ document: MarkupDocument,
    _ context: RecipeContext,
    script: ScriptReader,
    _ take: Taker
  ) throws {
    var seen = Seen()
    try document.forEachRecord { element, path in
      formats.contains { $0.isRecord(element, path: path) }
    } _: { element in
      let isScript = HTMLPageFormat.isScript(element)
      let scripts = isScript ? [element] : element.descendants(where: HTMLPageFormat.isScript)
      for element in scripts {
        for result in try recipes(element, context, script) {
          if case .success(let recipe) = result, !seen.isNew(recipe, .script) { continue }
          try take(HTMLPageFormat.self, result)
        }
      }
      // What lies around a record does not matter to these formats.
      guard !isScript, let format = formats.first(where: { $0.isRecord(element, path: []) }) else {
        return
      }
      do {
        guard let recipe = try format.recipe(element, context) else { return }
        if seen.isNew(recipe, .elements) { try take(format, .success(recipe)) }
      } catch let fault as RecipeFault {
        try take(format, .failure(fault))
      }
    }
  }

  private static func recipes(
    _ element: MarkupElement,
    _ context: RecipeContext,
    _ script: ScriptReader
  ) throws -> [Result<Recipe, RecipeFault>] {
    let content = try element.content
    guard !content.isEmpty else { return [] }
    do {
      return try script(content, context)
    } catch let fault as RecipeFault {
      // One of several scripts may be damaged: the others, and the microdata, may be sound.
      context.warn("a JSON-LD script cannot be read: \(fault.message) (line \(element.line))")
      return []
    }
  }

  /// The titles that were read, and in which way.
  private struct Seen {
    enum Way { case script, elements }
    private var titles: [String: Way] = [:]

    /// Whether the other way has not said a recipe of this title yet.
    mutating func isNew(_ recipe: Recipe, _ way: Way) -> Bool {
      let words = recipe.title.lowercased().split(whereSeparator: \.isWhitespace)
      guard !words.isEmpty else { return true }
      let title = words.joined(separator: " ")
      if let first = titles[title] { return first == way }
      titles[title] = way
      return true
    }
  }
}
