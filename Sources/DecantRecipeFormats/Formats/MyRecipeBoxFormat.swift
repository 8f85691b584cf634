internal import DecantBase
internal import DecantJSON

/// My Recipe Box, an app for Android and iOS: a CSV table, one recipe per row.
package enum MyRecipeBoxFormat: TextRecipeFormat {
  package static let name = "myrecipebox"
  package static let title = "My Recipe Box"

  package static func matches(_ head: [UInt8], name: String) -> Bool {
    CSVReader.hasColumns(["title", "preparationtime", "cookingtime", "ingredients", "instructions"], head)
  }

  package static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    try CSVReader.forEachRow(of: lines, context) { result in
      try take(result.map { recipe(joined($0)) })
    }
  }

  /// Rejoins categories that were split at a comma, which leaves a value in the last cell, normally empty.
  private static func joined(_ cells: [(name: String, value: String)]) -> [(name: String, value: String)] {
    guard let last = cells.last, last.name.isEmpty, !last.value.isEmpty,
      let place = cells.firstIndex(where: { $0.name == "categories" }), place + 1 < cells.count
    else { return cells }
    var values = cells.map(\.value)
    values[place] += ";" + values.remove(at: place + 1)
    return zip(cells.map(\.name), values).map { ($0, $1) }
  }

  private static func recipe(_ cells: [(name: String, value: String)]) -> Recipe {
    var recipe = Recipe()
    for (name, value) in cells where !value.isEmpty { set(name, value, in: &recipe) }
    return recipe
  }

  private static func set(_ name: String, _ value: String, in recipe: inout Recipe) {
    switch name {
    case "title": recipe.title = value
    case "description": recipe.summary = value
    case "preparationTime": recipe.prepTime = RecipeTime(written: value, plainIsMinutes: true)
    case "cookingTime": recipe.cookTime = RecipeTime(written: value, plainIsMinutes: true)
    case "totalTime": recipe.totalTime = RecipeTime(written: value, plainIsMinutes: true)
    case "quantity":
      recipe.yield = value
      recipe.servings = Servings.number(in: value)
    case "ingredients": recipe.ingredients = lines(value).map { RecipeIngredient(line: $0, headings: .colon) }
    case "instructions": recipe.steps = lines(value).map { RecipeStep($0.withoutStepNumber) }
    case "notes": recipe.notes = value
    case "nutrition":
      recipe.nutrition = lines(value).map { line in
        let parts = line.components(of: ":", limit: 2).map(\.trimmed)
        return parts.count == 2 ? RecipeNutrient(name: parts[0], value: parts[1]) : RecipeNutrient(value: line)
      }
    case "favorite": recipe.isFavorite = value.lowercased() == "true"
    case "rating": recipe.takeRating(value, named: name)
    case "categories": recipe.categories = list(value)
    case "tags": recipe.tags = list(value)
    case "source": if CooklangFields.isPage(value) { recipe.url = value } else { recipe.source = value }
    case "originalPicture": recipe.extra.append(("image", .string(value)))
    default: recipe.extra.append((name.isEmpty ? "unnamed" : name, .string(value)))
    }
  }

  private static func lines(_ cell: String) -> [String] {
    cell.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
  }

  private static func list(_ cell: String) -> [String] {
    cell.split(separator: ";").map(\.trimmed).filter { !$0.isEmpty }
  }
}
