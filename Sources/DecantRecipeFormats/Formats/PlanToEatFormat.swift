internal import DecantBase
internal import DecantJSON

/// Plan to Eat, a meal planning site: a CSV table, one recipe per row.
package enum PlanToEatFormat: TextRecipeFormat {
  package static let name = "plantoeat"
  package static let title = "Plan to Eat"

  package static func matches(_ head: [UInt8], name: String) -> Bool {
    CSVReader.hasColumns(["title", "course", "main ingredient", "ingredients", "directions"], head)
  }

  package static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    try CSVReader.forEachRow(of: lines, context) { try take($0.map(recipe)) }
  }

  private static func recipe(_ cells: [(name: String, value: String)]) -> Recipe {
    var recipe = Recipe()
    for (name, value) in cells where !value.isEmpty { set(name, value, in: &recipe) }
    if recipe.yield == nil, let servings = recipe.servings {
      recipe.yield = "\(AmountText.text(servings)) servings"
    } else if recipe.yield == nil, let place = recipe.extra.firstIndex(where: { isServings($0.0) }),
      case .string(let text) = recipe.extra[place].1
    {
      // The value is a range, or words.
      recipe.yield = text
      recipe.extra.remove(at: place)
    }
    return recipe
  }

  private static func isServings(_ name: String) -> Bool { name.lowercased() == "servings" }

  private static func set(_ name: String, _ value: String, in recipe: inout Recipe) {
    switch name.lowercased() {
    case "title": recipe.title = value
    case "course": recipe.categories.append(value)
    case "description": recipe.summary = value
    case "source": recipe.source = value
    case "url": recipe.url = value
    case "prep time": recipe.prepTime = RecipeTime(written: value, plainIsMinutes: true)
    case "cook time": recipe.cookTime = RecipeTime(written: value, plainIsMinutes: true)
    case "total time": recipe.totalTime = RecipeTime(written: value, plainIsMinutes: true)
    case "servings":
      recipe.servings = Servings.number(in: value)
      if recipe.servings == nil { recipe.extra.append((name, .string(value))) }
    case "yield": recipe.yield = value
    case "ingredients": recipe.ingredients = ingredients(value)
    case "directions":
      recipe.steps = value.split(separator: "\n").map(\.trimmed).filter { !$0.isEmpty }
        .map { RecipeStep($0) }
    case "tags":
      recipe.tags = value.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    case "rating": recipe.takeRating(value, named: name)
    case "created at": recipe.created = value
    case "updated at": recipe.modified = value
    case "public url":
      // The number at the end makes the address unique to the recipe.
      recipe.nativeID = value
      recipe.extra.append((name, .string(value)))
    case "nutritional score (generic)", "calories", "fat", "saturated fat", "cholesterol", "sodium",
      "sugar", "carbohydrate", "fiber", "protein":
      recipe.nutrition.append(RecipeNutrient(name: name, value: value))
    default: recipe.extra.append((name, .string(value)))
    }
  }

  /// Reads one ingredient per line, “2 pkg Dough, thawed”; a heading has nothing before its comma.
  private static func ingredients(_ cell: String) -> [RecipeIngredient] {
    cell.split(separator: "\n").map(\.trimmed).filter { !$0.isEmpty }.map { line in
      if line.first == "," {
        let heading = line.trimming(",")
        if !heading.isEmpty { return RecipeIngredient(heading, isHeading: true) }
      }
      return RecipeIngredient(line: line, headings: .colon)
    }
  }
}
