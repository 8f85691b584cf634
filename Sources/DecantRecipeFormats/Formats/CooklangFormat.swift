internal import DecantBase
internal import DecantJSON

/// Cooklang: prose in which `@`, `#` and `~` mark ingredients, tools and times; one recipe to a `.cook` file.
///
/// A paragraph of nothing but ingredients is a list of them and not a step; a comment after an ingredient in such a
/// list is the original line.
package enum CooklangFormat: TextRecipeFormat {
  package static let name = "cooklang"
  package static let title = "Cooklang"
  package static let fileEndings = ["cook"]

  /// The maximum length, in bytes, of a body that is kept unchanged for its tools, times and comments.
  static let keptByteCount = 1 << 15

  package static func matches(_ head: [UInt8], name: String) -> Bool {
    // The text cannot be told from other prose.
    name.lowercased().hasSuffix(".cook")
      && !UTF16Feed.plain(Array(head.prefix(1 << 12))).contains(0)
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
    let file = context.entry.split(separator: "/").last.map(String.init) ?? ""
    let name = file.lowercased().hasSuffix(".cook") ? String(file.dropLast(5)) : file
    var recipe = recipe(text)
    if recipe.title.isEmpty { recipe.title = name }
    if !name.isEmpty { addImages(of: name, to: &recipe) }
    try take(.success(recipe))
  }

  /// Adds the image files that belong to a recipe by name: that of the dish, and those of steps, counted from 0.
  private static func addImages(of name: String, to recipe: inout Recipe) {
    let endings = [".jpg", ".jpeg", ".png", ".webp"]
    var dish = RecipeImage(.file(endings.map { name + $0 }))
    dish.isNamed = false
    recipe.images.append(dish)
    var number = 0
    for (index, step) in recipe.steps.enumerated() where !step.isHeading {
      var image = RecipeImage(.file(endings.map { "\(name).\(number)\($0)" }), step: index)
      image.isNamed = false
      recipe.images.append(image)
      number += 1
    }
  }

  // MARK: The text

  /// Reads a whole text.
  package static func recipe(_ text: String) -> Recipe {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    var recipe = Recipe()
    let start = lines.firstIndex { !$0.trimmed.isEmpty }
    if let start, isFence(lines[start]) {
      if let end = lines[(start + 1)...].firstIndex(where: isFence) {
        CooklangFields.set(FrontMatter.fields(Array(lines[(start + 1)..<end])), in: &recipe)
        lines = lines[(end + 1)...]
      } else {
        recipe.warnings.append("the fields that begin on line \(start + 1) are not closed")
      }
    }
    let old = lines.filter { $0.hasPrefix(">>") }
    let numbers = lines.indices.filter { !lines[$0].hasPrefix(">>") }.map { $0 + 1 }
    if !old.isEmpty {
      CooklangFields.set(old.flatMap { FrontMatter.fields([$0.dropFirst(2).trimmed]) }, in: &recipe)
      lines = lines.filter { !$0.hasPrefix(">>") }[...]
    }
    var body = CooklangBody()
    let (kept, open) = withoutBlockComments(Array(lines))
    if let open {
      recipe.warnings.append("the comment that begins on line \(numbers[open]) is not closed")
    }
    body.read(kept)
    recipe.ingredients = body.ingredients
    recipe.steps = body.steps
    let notes = [recipe.notes].compactMap(\.self) + body.notes
    recipe.notes = notes.isEmpty ? nil : notes.joined(separator: "\n\n")
    if !body.cookware.isEmpty {
      recipe.extra.append(("cookware", .array(body.cookware.map { .string($0) })))
    }
    let whole = lines.joined(separator: "\n").trimmed
    if !whole.isEmpty, whole.utf8.count <= keptByteCount {
      recipe.extra.append(("body", .string(whole)))
    }
    return recipe
  }

  private static func isFence(_ line: String) -> Bool {
    line.hasPrefix("---") && line.trimmed == "---"
  }

  /// Removes comments that span several lines.
  ///
  /// - Parameter lines: The lines.
  /// - Returns: The remaining lines, and the index in `lines` of the line where an unterminated comment begins.
  private static func withoutBlockComments(_ lines: [String]) -> ([String], open: Int?) {
    var kept: [String] = []
    var isInside = false
    var openLine = 0
    for (index, line) in lines.enumerated() {
      if isInside {
        guard let end = line.firstRange(of: "-]") else { continue }
        isInside = false
        kept[kept.count - 1] += line[end.upperBound...]
        continue
      }
      kept.append(line)
      guard !line.hasPrefix(">"), let start = openComment(line) else { continue }
      kept[kept.count - 1] = String(line[..<start])
      isInside = true
      openLine = index
    }
    return (kept, isInside ? openLine : nil)
  }

  /// Returns where a comment begins that does not end on this line.
  private static func openComment(_ line: String) -> String.Index? {
    var index = line.startIndex
    while index < line.endIndex {
      let rest = line[index...]
      if rest.hasPrefix("\\") {
        index = line.index(index, offsetBy: 2, limitedBy: line.endIndex) ?? line.endIndex
        continue
      }
      if rest.hasPrefix("--") {
        let count = rest.prefix { $0 == "-" }.count
        if count == 2 { return nil }
        index = line.index(index, offsetBy: count)
        continue
      }
      if rest.hasPrefix("[-") {
        guard let end = rest.dropFirst(2).firstRange(of: "-]") else { return index }
        index = end.upperBound
        continue
      }
      index = line.index(after: index)
    }
    return nil
  }
}
