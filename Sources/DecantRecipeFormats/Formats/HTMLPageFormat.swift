/// A page of HTML with recipes in JSON-LD, or in schema.org's microdata or RDFa, as web sites and Paprika's export have
/// them.
///
/// JSON-LD is read by `HTMLRecipes`, which hands it on.
package enum HTMLPageFormat: MarkupRecipeFormat {
  package static let name = "html"
  package static let title = "HTML with schema.org"

  package static func matches(root: MarkupElement) -> Bool {
    root.name == "html" || isRecord(root, path: [])
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    isScript(element) || Microdata.isRecipe(element) || RDFa.isRecipe(element)
  }

  /// Reads microdata and RDFa; a script holds no recipe by this way.
  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    isScript(element)
      ? nil : try Microdata.recipe(RDFa.isRecipe(element) ? RDFa.microdata(element) : element, context)
  }

  /// `type="application/ld+json; charset=utf-8"`, in whatever case.
  static func isScript(_ element: MarkupElement) -> Bool {
    element.name == "script"
      && (element.attributes["type"] ?? "").trimmingBlanks.lowercased()
        .hasPrefix("application/ld+json")
  }
}
