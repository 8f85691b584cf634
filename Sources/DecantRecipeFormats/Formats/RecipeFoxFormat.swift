internal import DecantBase
internal import DecantJSON

/// Recipes that RecipeFox extracted from web pages: an array of flat objects.
package enum RecipeFoxFormat: JSONRecipeFormat {
  package static let name = "recipefox"
  package static let title = "RecipeFox"

  package static func matches(_ value: DocumentValue) -> Bool {
    guard value["title"] != nil, value["@type"] == nil, case .text? = value["ingredients"] else {
      return false
    }
    return value["directions"] != nil || value["_imageurl"] != nil
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    var members = JSONMembers(value)
    var recipe = Recipe()
    recipe.title = try members.take("title")?.words ?? ""
    recipe.summary = try members.take("description")?.words
    recipe.notes = try members.take("note", "notes")?.words
    recipe.author = try members.take("author")?.words
    recipe.source = try members.take("source")?.words
    recipe.url = try members.text("url")
    recipe.yield = try members.take("yield", "servings")?.words
    recipe.servings = recipe.yield.flatMap(Servings.number)
    recipe.prepTime = RecipeTime(written: try members.text("preptime", "prepTime"))
    recipe.cookTime = RecipeTime(written: try members.text("cooktime", "cookTime"))
    recipe.totalTime = RecipeTime(written: try members.text("totaltime", "totalTime"))
    recipe.categories = try members.take("categories", "category", "course")?.wordList ?? []
    recipe.tags = try members.take("keywords", "tags")?.wordList ?? []
    recipe.ingredients = PlainText.lines(try members.text("ingredients") ?? "").map { line in
      let isHeading = line.hasSuffix(":")
      return RecipeIngredient(isHeading ? String(line.dropLast()).trimmed : line, isHeading: isHeading)
    }
    recipe.steps = PlainText.lines(try members.text("directions", "instructions") ?? "").map {
      RecipeStep($0)
    }
    for line in PlainText.lines(try members.text("nutrition") ?? "") {
      recipe.nutrition.append(RecipeNutrient(name: nil, value: line))
    }
    for element in members.take("image", "images")?.elements ?? [] {
      guard let image = try picture(element, context) else { continue }
      recipe.images.append(image)
    }
    recipe.extra = try members.rest()
    return recipe
  }

  /// Returns a base64 picture from one of several members; the rest, such as the address, goes into `extra`.
  private static func picture(_ element: DocumentValue, _ context: RecipeContext) throws -> RecipeImage? {
    guard element.isObject else { return nil }
    var members = JSONMembers(element)
    guard case .text(let text)? = members.take("image", "base64", "data") else { return nil }
    guard var image = try context.picture(base64: text) else { return nil }
    image.extra = try members.rest()
    return image
  }
}
