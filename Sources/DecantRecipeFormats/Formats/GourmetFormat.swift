internal import DecantJSON

/// Gourmet and Gourmand: `.grmt`, XML with pictures in base64.
///
/// The number of a recipe is unique only within one file; ingredients that are other recipes refer to it. Texts are
/// escaped twice and contain `<i>`, `<b>` and `<u>`.
package enum GourmetFormat: MarkupRecipeFormat {
  package static let name = "gourmet"
  package static let title = "Gourmet Recipe Manager"
  package static let fileEndings = ["grmt"]

  package static func matches(root: MarkupElement) -> Bool {
    root.name.caseInsensitiveEquals("gourmetDoc")
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name.caseInsensitiveEquals("recipe") && !path.isEmpty
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    recipe.title = try text(element, "title") ?? ""
    recipe.source = try text(element, "source")
    recipe.url = try text(element, "link")
    recipe.notes = try text(element, "modifications")
    recipe.yield = try text(element, "yields") ?? text(element, "servings")
    recipe.prepTime = RecipeTime(written: try text(element, "preptime"))
    recipe.cookTime = RecipeTime(written: try text(element, "cooktime"))
    recipe.categories = MarkupTexts.list(try text(element, "category"))
    recipe.steps = MarkupTexts.paragraphs(try text(element, "instructions") ?? "").map {
      RecipeStep($0)
    }
    var known = read
    if let rating = try text(element, "rating") {
      recipe.rating = stars(rating)
      if recipe.rating == nil { known.remove("rating") }
    }
    for list in element.children(named: "ingredient-list") {
      try ingredients(list, context, &recipe)
    }
    recipe.extra = try element.rest(children: known, context)
    for image in element.children(named: "image") {
      let content = try image.content
      if !content.isEmpty { context.add(try context.picture(base64: content), to: &recipe) }
    }
    return recipe
  }

  private static let read: Set<String> = [
    "title", "source", "link", "modifications", "yields", "servings", "preptime", "cooktime",
    "category", "rating", "instructions", "ingredient-list", "image",
  ]

  /// Returns the text of a child as plain text.
  private static func text(_ element: MarkupElement, _ name: String) throws -> String? {
    guard let text = try element.text(name) else { return nil }
    var plain = text
    // Texts are escaped twice, and sometimes three times; but a “<” typed by the cook is not a tag.
    for _ in 0..<2 where plain.contains("&lt;") || plain.contains("&amp;") || hasTag(plain) {
      plain = try MarkupTexts.withoutTags(plain)
    }
    return MarkupTexts.trimmed(plain)
  }

  private static func hasTag(_ text: String) -> Bool {
    ["<i>", "<b>", "<u>", "</i>", "</b>", "</u>"].contains { text.contains($0) }
  }

  /// Reads “3/5 stars” as a rating out of five; also “6/10”.
  private static func stars(_ text: String) -> Double? {
    let parts = text.prefix { !$0.isLetter }.split(separator: "/").map {
      Quantity.number(String($0))
    }
    guard let first = parts.first, let value = first, value > 0 else { return nil }
    guard parts.count == 2, let best = parts[1], best > 0 else { return value <= 5 ? value : nil }
    return value <= best ? value * 5 / best : nil
  }

  private static func ingredients(_ list: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    for child in list.children {
      switch child.name.lowercased() {
      case "inggroup":
        if let heading = try text(child, "groupname") {
          recipe.ingredients.append(RecipeIngredient(heading, isHeading: true))
        }
        try ingredients(child, context, &recipe)
      case "groupname": continue
      default: try ingredient(child, context).map { recipe.ingredients.append($0) }
      }
    }
  }

  private static func ingredient(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeIngredient? {
    let isReference = element.name.caseInsensitiveEquals("ingref")
    let quantity = try isReference ? element.value("amount") : text(element, "amount")
    let unit = try isReference ? element.value("unit") : text(element, "unit")
    let name = try isReference ? MarkupTexts.trimmed(element.allText) : text(element, "item")
    let line = MarkupTexts.line([quantity, unit, name])
    guard !line.isEmpty else { return nil }
    var ingredient = RecipeIngredient(line)
    let amount = Quantity(quantity)
    (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to)
    (ingredient.unit, ingredient.name) = (unit, name)
    if let optional = element.value("optional") { ingredient.isOptional = optional == "yes" }
    if amount == nil { ingredient.extra.keep("amount", quantity) }
    ingredient.extra += try element.rest(
      except: ["optional", "amount", "unit"],
      children: ["amount", "unit", "item"],
      context
    )
    return ingredient
  }
}
