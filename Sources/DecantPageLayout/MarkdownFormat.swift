package import DecantRecipeFormats

/// Recipes in Markdown, as in Obsidian, Hugo, Jekyll and chowdown: fields at the head, with lists in them or under
/// headings; one recipe per file, or several under headings of their own.
package enum MarkdownFormat: TextRecipeFormat {
  package static let name = "markdown"
  package static let title = "Markdown"

  package static func matches(_ head: [UInt8], name: String) -> Bool {
    let name = name.lowercased()
    guard name.hasSuffix(".md") || name.hasSuffix(".markdown") || name.hasSuffix(".mdx") else { return false }
    let document = MarkdownDocument(TextEncoding.text(head))
    return document.hasList(.ingredients)
  }

  package static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    let text: String
    switch try lines.wholeText() {
    case .success(let whole): text = whole
    case .failure(let fault): return try take(.failure(fault))
    }
    for var recipe in MarkdownDocument(text).recipes {
      if recipe.title.isEmpty {
        let file = context.entry.split(separator: "/").last.map(String.init) ?? ""
        recipe.title = String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)])
      }
      try take(.success(recipe))
    }
  }
}
