internal import DecantJSON

/// Copy Me That: `recipes.html` beside a folder of pictures.
enum CopyMeThatFormat: MarkupRecipeFormat {
  static let name = "copymethat"
  static let title = "Copy Me That"

  /// Returns `true` for any page: the outermost element of these exports is a `head`, so only the content is decisive.
  static func matches(root: MarkupElement) -> Bool { true }

  static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name == "div" && element.classes == ["recipe"] && element.attributes["itemtype"] == nil
  }

  /// Checks for a name, since other pages also have divisions of that class.
  static func isRecord(whole element: MarkupElement) -> Bool { element.first(id: "name") != nil }

  static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    guard let name = element.first(id: "name") else { return nil }
    var recipe = Recipe()
    recipe.title = MarkupTexts.trimmed(try name.shownText) ?? ""
    recipe.url = element.first(id: "original_link")?.value("href")
    recipe.summary = try text(element, "description")
    recipe.yield = try text(element, "recipeYield")
    if let rating = try text(element, "ratingValue").flatMap(Quantity.number), rating > 0 {
      recipe.rating = rating
    }
    if element.first(id: "starred") != nil { recipe.isFavorite = true }
    if element.first(id: "made_this") != nil { recipe.extra.append(("made_this", .bool(true))) }
    let tags = element.descendants { $0.hasClass("recipeCategory") || $0.hasClass("category") }
    recipe.tags.appendNew(try tags.compactMap { MarkupTexts.trimmed(try $0.shownText) })
    var notes: [String] = []
    for line in element.descendants(where: { $0.name == "li" }) {
      guard let text = MarkupTexts.trimmed(try line.shownText) else { continue }
      let isHeading = line.classes.contains { $0.hasSuffix("_subheader") }
      switch line.classes.first.map(String.init) ?? "" {
      case let kind where kind.hasPrefix("recipeIngredient"):
        recipe.ingredients.append(RecipeIngredient(text, isHeading: isHeading))
      case "instruction_next" where !recipe.steps.isEmpty:
        recipe.steps[recipe.steps.count - 1].text += "\n\(text)"
      case let kind where kind.hasPrefix("instruction"):
        recipe.steps.append(RecipeStep(text, isHeading: isHeading))
      default: notes.append(text)
      }
    }
    recipe.notes = MarkupTexts.trimmed(notes.joined(separator: "\n"))
    for image in element.descendants(where: { $0.name == "img" }) {
      context.add(try context.picture(source: image.value("src")), to: &recipe)
    }
    return recipe
  }

  private static func text(_ element: MarkupElement, _ id: String) throws -> String? {
    try element.first(id: id).flatMap { MarkupTexts.trimmed(try $0.shownText) }
  }
}
