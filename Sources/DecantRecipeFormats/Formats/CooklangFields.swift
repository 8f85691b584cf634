internal import DecantBase
internal import DecantJSON

/// The fields at the head of a Cooklang recipe and their places in the common model.
package enum CooklangFields {
  /// Whether a field of this name has a place in the common model.
  package static func isKnown(_ name: String) -> Bool {
    var recipe = Recipe()
    set([FrontMatter.Field(name: name, values: ["1"], isList: false)], in: &recipe)
    return recipe.extra.isEmpty
  }

  /// Writes `fields` into `recipe`; fields without a place in the common model go into `extra`.
  package static func set(_ fields: [FrontMatter.Field], in recipe: inout Recipe) {
    var servings: String?
    for field in fields where !field.text.trimmed.isEmpty {
      let text = field.text.trimmed
      switch field.name.lowercased() {
      case "title", "name": recipe.title = text
      case "description", "introduction": recipe.summary = text
      case "author", "source.author": recipe.author = text
      case "notes", "note": recipe.notes = ([recipe.notes].compactMap(\.self) + field.values).joined(separator: "\n")
      case "source": if isPage(text) { recipe.url = text } else { recipe.source = text }
      case "source.name": recipe.source = text
      case "source.url", "url", "link": recipe.url = text
      case "servings", "serves": servings = text
      case "yield": recipe.yield = text
      case "prep time", "time.prep":
        recipe.prepTime = RecipeTime(written: text, plainIsMinutes: true)
      case "cook time", "time.cook":
        recipe.cookTime = RecipeTime(written: text, plainIsMinutes: true)
      case "time required", "time", "duration", "total time":
        recipe.totalTime = RecipeTime(written: text, plainIsMinutes: true)
      case "course", "category", "categories": add(field, to: &recipe.categories)
      case "tags", "tag", "keywords": add(field, to: &recipe.tags)
      case "difficulty": recipe.difficulty = text
      case "locale", "language": recipe.language = text
      case "created", "date": recipe.created = text
      case "modified": recipe.modified = text
      case "id": recipe.nativeID = text
      case "favorite": recipe.isFavorite = ["true", "yes", "1"].contains(text.lowercased())
      case "nutrition":
        recipe.nutrition += field.values.map { RecipeNutrient(name: nil, value: $0) }
      case "rating": recipe.takeRating(text, named: field.name)
      case let name where name.hasPrefix("nutrition."):
        recipe.nutrition.append(RecipeNutrient(name: String(field.name.dropFirst(10)), value: text))
      default:
        let value: JSONValue =
          field.isList ? .array(field.values.map { .string($0) }) : .string(field.values[0])
        recipe.extra.append((field.name, value))
      }
    }
    if let servings {
      recipe.servings = Servings.number(in: servings)
      if recipe.yield == nil { recipe.yield = servings }
    } else {
      recipe.servings = recipe.yield.flatMap { Servings.number(in: $0) }
    }
  }

  /// Whether a source is the address of a web page.
  static func isPage(_ text: String) -> Bool {
    let words = text.lowercased()
    return (words.hasPrefix("http://") || words.hasPrefix("https://")) && !text.contains(" ")
  }

  private static func add(_ field: FrontMatter.Field, to list: inout [String]) {
    let parts = field.isList ? field.values : field.text.components(of: ",")
    list.appendNew(parts.lazy.map(\.trimmed).filter { !$0.isEmpty })
  }
}
