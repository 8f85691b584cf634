internal import DecantBase
internal import DecantJSON

/// Cookmate, formerly My CookBook: the XML in an `.mcb`, beside a folder of pictures.
package enum CookmateFormat: MarkupRecipeFormat {
  package static let name = "cookmate"
  package static let title = "Cookmate"
  package static let fileEndings = ["mcb"]

  package static func matches(root: MarkupElement) -> Bool {
    root.name.caseInsensitiveEquals("cookbook")
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name.caseInsensitiveEquals("recipe") && !path.isEmpty
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    recipe.title = try element.text("title") ?? ""
    recipe.summary = try text(element, "description")
    recipe.notes = try text(element, "comments")
    recipe.source = try element.text("source")
    recipe.url = try element.text("url")
    recipe.yield = try element.text("quantity")
    recipe.prepTime = RecipeTime(written: try element.text("preptime"))
    recipe.cookTime = RecipeTime(written: try element.text("cooktime"))
    recipe.totalTime = RecipeTime(written: try element.text("totaltime"))
    recipe.language = try element.text("lang")
    if let rating = try element.text("rating").flatMap(Quantity.number), rating > 0 {
      recipe.rating = rating
    }
    for category in try element.texts("category") where !recipe.categories.contains(category) {
      recipe.categories.append(category)
    }
    recipe.ingredients = MarkupTexts.lines(try text(element, "ingredient") ?? "").map {
      RecipeIngredient($0)
    }
    recipe.steps = MarkupTexts.paragraphs(try text(element, "recipetext") ?? "").map {
      RecipeStep($0)
    }
    recipe.nutrition = MarkupTexts.lines(try text(element, "nutrition") ?? "").map {
      RecipeNutrient(name: nil, value: $0)
    }
    recipe.extra = try element.rest(children: read, context)
    for image in element.children(named: "imagepath") + element.children(named: "image") {
      let path = try image.text("path") ?? MarkupTexts.trimmed(image.allText)
      // Only the name matters of a path on the phone.
      context.add(context.picture(file: path, folders: ["images/"]), to: &recipe)
    }
    return recipe
  }

  private static let read: Set<String> = [
    "title", "description", "comments", "source", "url", "quantity", "preptime", "cooktime",
    "totaltime", "lang", "rating", "category", "ingredient", "recipetext", "nutrition", "imagepath",
    "image",
  ]

  /// Returns a text, or the elements of a list as lines.
  private static func text(_ element: MarkupElement, _ name: String) throws -> String? {
    guard let child = element.child(name) else { return nil }
    let lines = child.children(named: "li")
    guard !lines.isEmpty else { return MarkupTexts.trimmed(try child.allText) }
    return MarkupTexts.trimmed(try lines.map { try $0.allText.trimmed }.joined(separator: "\n"))
  }
}
