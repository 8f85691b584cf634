internal import DecantBase

/// A line of the directions that consists of a source or a time and nothing else.
///
/// Meal-Master itself has no fields for these; programs that write its format put them there.
package struct MealMasterField {
  /// The words before the colon with which such lines begin.
  static let names = [
    "Recipe by", "Source", "URL", "Preparation Time", "Cooking Time", "Total Time",
  ]

  private var name: String
  private var value: String

  /// Reads a line; `nil` for one that is not exactly one field.
  package init?(line: String) {
    let text = line.trimmed
    let words = text.lowercased()
    guard let name = Self.names.first(where: { words.hasPrefix($0.lowercased() + ":") }) else {
      return nil
    }
    let value = text.dropFirst(name.count + 1).trimmed
    let others = ["time:", "by:", "source:", "url:", "yield:", "servings:"]
    let isTime = name.hasSuffix("Time")
    guard !value.isEmpty, !others.contains(where: { value.lowercased().contains($0) }),
      !isTime || value.count <= 40
    else { return nil }
    (self.name, self.value) = (name, value)
  }

  /// Writes the value into `recipe`, unless there is one already.
  func set(in recipe: inout Recipe) {
    switch name {
    case "Recipe by": recipe.author = recipe.author ?? value
    case "Source": recipe.source = recipe.source ?? value
    case "URL": recipe.url = recipe.url ?? value
    case "Preparation Time":
      recipe.prepTime = recipe.prepTime ?? RecipeTime(written: value, plainIsMinutes: true)
    case "Cooking Time":
      recipe.cookTime = recipe.cookTime ?? RecipeTime(written: value, plainIsMinutes: true)
    default: recipe.totalTime = recipe.totalTime ?? RecipeTime(written: value, plainIsMinutes: true)
    }
  }

  /// Returns the lines of all these fields that `recipe` has, in order.
  package static func lines(of recipe: Recipe) -> [String] {
    let values = [
      recipe.author, recipe.source, recipe.url, recipe.prepTime?.text, recipe.cookTime?.text,
      recipe.totalTime?.text,
    ]
    return zip(names, values).compactMap { name, value in value.map { "\(name): \($0)" } }
  }
}
