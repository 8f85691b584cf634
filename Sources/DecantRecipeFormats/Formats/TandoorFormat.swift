internal import DecantJSON

/// Recipes of Tandoor: one `recipe.json` each, perhaps with `image.jpg` beside it.
package enum TandoorFormat: JSONRecipeFormat {
  package static let name = "tandoor"
  package static let title = "Tandoor Recipes"

  package static func matches(_ value: DocumentValue) -> Bool {
    guard value.has("name"), value.has("steps"), !value.has("@type") else { return false }
    let marks = value.count(of: "working_time", "waiting_time", "servings_text")
    if case .array? = value["steps"] { return marks >= 1 }
    return value["steps"] == nil && marks >= 2
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    var members = JSONMembers(value)
    var recipe = Recipe()
    recipe.title = try members.text("name") ?? ""
    recipe.summary = try members.text("description")
    recipe.url = try members.text("source_url")
    try readServings(&members, &recipe)
    recipe.prepTime = RecipeTime(minutes: members.take("working_time")?.double)
    recipe.cookTime = RecipeTime(minutes: members.take("waiting_time")?.double)
    let keywords = members.take("keywords")?.elements ?? []
    recipe.tags = try keywords.compactMap { try $0.label }.withoutRepeats
    // Most keywords consist only of a name.
    if try keywords.contains(where: {
      try $0["icon"]?.trimmed != nil || $0["description"]?.trimmed != nil
    }) {
      members.leave("keywords")
    }
    try readSteps(members.take("steps")?.elements ?? [], &recipe)
    recipe.nutrition = try nutrition(&members)
    recipe.extra = try members.rest()
    var image = RecipeImage(.file(["jpg", "jpeg", "png", "webp", "gif", "avif"].map { "image.\($0)" }))
    image.isNamed = false
    recipe.images = [image]
    return recipe
  }

  private static func readServings(_ members: inout JSONMembers, _ recipe: inout Recipe) throws {
    recipe.servings = members.take("servings")?.double.flatMap { $0 > 0 ? $0 : nil }
    let words = try members.value["servings_text"]?.trimmed
    let number = recipe.servings.map(AmountText.text)
    let isNumbered = words.map { text in number.map { text.hasPrefix($0) } ?? true } ?? false
    recipe.yield = isNumbered ? words : [number, words].compactMap { $0 }.joined(separator: " ")
    if recipe.yield?.isEmpty == true { recipe.yield = nil }
  }

  /// Reads the steps; their ingredients form one list, in which each has the number of its step.
  private static func readSteps(_ elements: [DocumentValue], _ recipe: inout Recipe) throws {
    for element in elements.sorted(byMember: "order") {
      var members = JSONMembers(element)
      members.pass("order")
      let title = try members.text("name")
      let text = try members.text("instruction")
      let ingredients = members.take("ingredients")?.elements ?? []
      let extra = try members.rest(keepsFalse: false).filter { name, value in
        // A time of zero means no time.
        if name == "time", case .integer(0) = value { false } else { true }
      }
      let lines = try ingredients.sorted(byMember: "order").map { try ingredient($0) }
      if text != nil || title != nil {
        let named = text.map { naming(lines, in: $0) }
        var step = RecipeStep(named ?? title ?? "", title: text == nil ? nil : title)
        step.isHeading = text == nil
        step.extra = extra
        recipe.steps.append(step)
      }
      for line in lines {
        guard var ingredient = line else { continue }
        if elements.count > 1, !recipe.steps.isEmpty {
          ingredient.extra.append(("step", .integer(Int64(recipe.steps.count - 1))))
        }
        recipe.ingredients.append(ingredient)
      }
    }
  }

  /// Returns the text of a step with its ingredients instead of their numbers: `{{ ingredients[0] }}`.
  private static func naming(_ lines: [RecipeIngredient?], in text: String) -> String {
    guard text.holds("{{") else { return text }
    return text.replacing(/\{\{\s*ingredients\[(\d{1,4})\]\s*\}\}/) { match in
      let number = Int(match.1) ?? lines.count
      return (number < lines.count ? lines[number]?.text : nil) ?? String(match.0)
    }
  }

  private static func ingredient(_ element: DocumentValue) throws -> RecipeIngredient? {
    guard element.isObject else { return try element.trimmed.map { RecipeIngredient($0) } }
    var members = JSONMembers(element)
    members.pass("order")
    let note = try members.text("note")
    let food = members.take("food")
    let unit = members.take("unit")
    if members.take("is_header")?.bool == true {
      guard let text = try note ?? food?.label else { return nil }
      return RecipeIngredient(text, isHeading: true)
    }
    let hasNoAmount = members.take("no_amount")?.bool == true
    let amount = members.take("amount")?.double.flatMap { $0 > 0 && !hasNoAmount ? $0 : nil }
    let (unitName, foodName) = (try unit?.label, try food?.label)
    let line = AmountText.line(amount: amount, unit: amount == nil ? nil : unitName, name: foodName, note: note)
    let original = try members.text("original_text")
    guard let text = original ?? (line.isEmpty ? nil : line) else { return nil }
    var ingredient = RecipeIngredient(text)
    (ingredient.amount, ingredient.unit, ingredient.name, ingredient.note) = (amount, unitName, foodName, note)
    ingredient.extra = try members.rest(keepsFalse: false)
    for (name, value) in [("food", food), ("unit", unit)] {
      guard let value, value.isObject else { continue }
      var members = JSONMembers(value)
      members.pass("name")
      let rest = try members.rest(keepsFalse: false)
      if !rest.isEmpty { ingredient.extra.append((name, .object(rest))) }
    }
    return ingredient
  }

  /// Reads an object of four numbers, or a list of properties with their units.
  private static func nutrition(_ members: inout JSONMembers) throws -> [RecipeNutrient] {
    var nutrients: [RecipeNutrient] = []
    if let facts = members.take("nutrition"), facts.isObject {
      for (name, value) in facts.members where name != "id" {
        guard let text = try value.trimmed else { continue }
        nutrients.append(RecipeNutrient(name: name, value: text))
      }
    }
    for property in members.take("properties")?.elements ?? [] {
      guard let amount = property["property_amount"]?.double else { continue }
      let type = property["property_type"]
      let unit = try type?["unit"]?.trimmed
      let value = [AmountText.text(amount), unit].compactMap { $0 }.joined(separator: " ")
      nutrients.append(RecipeNutrient(name: try type?.label, value: value))
    }
    return nutrients
  }
}

extension [DocumentValue] {
  /// Returns the elements sorted by the number in their member `name`, keeping the order of equal ones; those without a
  /// number come last.
  func sorted(byMember name: String) -> [DocumentValue] {
    enumerated()
      .map { (order: $0.element[name]?.double ?? .infinity, place: $0.offset, element: $0.element) }
      .sorted { ($0.order, $0.place) < ($1.order, $1.place) }
      .map(\.element)
  }
}
