internal import DecantBase

/// An HTML page with recipes in JSON-LD, or in schema.org's microdata or RDFa, as in web sites and Paprika's export.
///
/// JSON-LD is handled by `HTMLRecipes`, which passes it on.
package enum HTMLPageFormat: MarkupRecipeFormat {
  package static let name = "html"
  package static let title = "HTML with schema.org"

  package static func matches(root: MarkupElement) -> Bool {
    root.name == "html" || isRecord(root, path: [])
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    isScript(element) || isState(element) || Microdata.isRecipe(element) || RDFa.isRecipe(element)
  }

  /// Reads microdata and RDFa; returns `nil` for a script.
  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    isScript(element) || isState(element)
      ? nil : try Microdata.recipe(RDFa.isRecipe(element) ? RDFa.microdata(element) : element, context)
  }

  /// Whether an element is the script in which Next.js keeps the data of a page, among which JSON-LD may be.
  static func isState(_ element: MarkupElement) -> Bool {
    element.name == "script" && element.attributes["id"] == "__NEXT_DATA__"
  }

  /// Whether an element is a JSON-LD script: `type="application/ld+json; charset=utf-8"`, ignoring case.
  static func isScript(_ element: MarkupElement) -> Bool {
    element.name == "script"
      && (element.attributes["type"] ?? "").trimmed.lowercased()
        .hasPrefix("application/ld+json")
  }
}
