internal import DecantBase
internal import DecantJSON

/// Recipes of Crouton: one object to a `.crumb`.
package enum CroutonFormat: JSONRecipeFormat {
  package static let name = "crouton"
  package static let title = "Crouton"
  package static let fileEndings = ["crumb"]

  package static func matches(_ value: DocumentValue) -> Bool {
    guard value.has("name"), !value.has("@type") else { return false }
    let lists = value.count(of: "ingredients", "steps")
    let marks = value.count(
      of: "uuid",
      "serves",
      "cookingDuration",
      "duration",
      "webLink",
      "folderIDs",
      "isPublicRecipe",
      "neutritionalInfo"
    )
    return lists >= 1 && marks >= 1 && lists + marks >= 3
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    var members = JSONMembers(value)
    var recipe = Recipe()
    recipe.nativeID = try members.text("uuid")
    recipe.title = try members.text("name") ?? ""
    recipe.url = try members.text("webLink")
    recipe.source = try members.text("sourceName")
    recipe.notes = try members.text("notes")
    recipe.servings = members.take("serves")?.double.flatMap { $0 > 0 ? $0 : nil }
    recipe.yield = recipe.servings.map(AmountText.text)
    recipe.prepTime = RecipeTime(minutes: members.take("duration")?.double)
    recipe.cookTime = RecipeTime(minutes: members.take("cookingDuration")?.double)
    if let rating = members.value["rating"]?.double, rating > 0, rating <= 5 {
      recipe.rating = rating
      members.pass("rating")
    }
    recipe.tags =
      try members.take("tags")?.elements.compactMap { try $0.label }.withoutRepeats ?? []
    // The colours and identifiers of tags are worth keeping where present.
    if members.value["tags"]?.elements.contains(where: \.isObject) == true { members.leave("tags") }
    for element in (members.take("ingredients")?.elements ?? []).sorted(byMember: "order") {
      if let ingredient = try ingredient(element) { recipe.ingredients.append(ingredient) }
    }
    for element in (members.take("steps")?.elements ?? []).sorted(byMember: "order") {
      if let step = try step(element) { recipe.steps.append(step) }
    }
    recipe.nutrition = try nutrition(members.text("neutritionalInfo", "nutritionalInfo") ?? "")
    for element in members.take("images")?.elements ?? [] {
      guard case .text(let text) = element, !text.isEmpty else { continue }
      if let image = try context.picture(base64: text) { recipe.images.append(image) }
    }
    recipe.extra = try members.rest()
    return recipe
  }

  private static func ingredient(_ element: DocumentValue) throws -> RecipeIngredient? {
    guard element.isObject else { return try element.trimmed.map { RecipeIngredient($0) } }
    var members = JSONMembers(element)
    members.pass("order")
    let name = try members.take("ingredient")?.label ?? members.text("name")
    let quantity = members.take("quantity")
    let kind = try quantity?["quantityType"]?.trimmed?.uppercased()
    if kind == "SECTION" { return name.map { RecipeIngredient($0, isHeading: true) } }
    let amount = quantity?["amount"]?.double.flatMap { $0 > 0 ? $0 : nil }
    let amountTo = quantity?["secondaryAmount"]?.double.flatMap { $0 > 0 ? $0 : nil }
    let unit = kind.flatMap { units[$0] ?? ($0 == "ITEM" ? nil : $0.lowercased()) }
    let text = AmountText.line(amount: amount, to: amountTo, unit: unit, name: name, note: nil)
    guard !text.isEmpty else { return nil }
    var ingredient = RecipeIngredient(text)
    (ingredient.amount, ingredient.amountTo, ingredient.unit, ingredient.name) = (amount, amountTo, unit, name)
    ingredient.extra = try members.rest()
    if let kind, kind != "ITEM" { ingredient.extra.append(("quantityType", .string(kind))) }
    return ingredient
  }

  private static func step(_ element: DocumentValue) throws -> RecipeStep? {
    guard element.isObject else { return try element.trimmed.map { RecipeStep($0) } }
    var members = JSONMembers(element)
    members.pass("order")
    guard let text = try members.text("step", "text") else { return nil }
    var step = RecipeStep(text, isHeading: members.take("isSection")?.bool == true)
    members.pass("isSection")
    step.extra = try members.rest()
    return step
  }

  /// Reads one nutrient per line, such as `Calories: 528 kcal,`; other lines are kept as text.
  private static func nutrition(_ text: String) -> [RecipeNutrient] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      var fact = line.trimmed[...]
      while fact.last == "," { fact = fact.dropLast() }
      guard !fact.isEmpty else { return nil }
      guard let colon = fact.firstIndex(of: ":") else {
        return RecipeNutrient(name: nil, value: fact.trimmed)
      }
      let value = fact[fact.index(after: colon)...].trimmed
      guard !value.isEmpty else { return nil }
      return RecipeNutrient(name: fact[..<colon].trimmed, value: value)
    }
  }

  /// The usual names of Crouton's units; an item has none.
  private static let units = [
    "TEASPOON": "tsp", "TABLESPOON": "tbsp", "CUP": "cup", "MILLS": "ml", "GRAMS": "g", "KGS": "kg",
    "POUND": "lb",
    "OUNCE": "oz", "LITRES": "l", "DECILITER": "dl", "FLUID_OUNCE": "fl oz",
  ]
}
