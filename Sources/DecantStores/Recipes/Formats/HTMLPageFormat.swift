/// A page of HTML with recipes in JSON-LD or in schema.org's microdata, as web sites and Paprika's export have
/// them.
///
/// JSON-LD is read by `HTMLRecipes`, which hands it on.
enum HTMLPageFormat: MarkupRecipeFormat {
  static let name = "html"
  static let title = "HTML with schema.org"

  static func matches(root: MarkupElement) -> Bool {
    root.name == "html" || isRecord(root, path: [])
  }

  static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    isScript(element) || Microdata.isRecipe(element)
  }

  /// Reads microdata; a script holds no recipe by this way.
  static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    isScript(element) ? nil : try Microdata.recipe(element, context)
  }

  /// `type="application/ld+json; charset=utf-8"`, in whatever case.
  static func isScript(_ element: MarkupElement) -> Bool {
    element.name == "script"
      && (element.attributes["type"] ?? "").trimmingBlanks.lowercased()
        .hasPrefix("application/ld+json")
  }
}
