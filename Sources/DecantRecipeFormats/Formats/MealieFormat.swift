internal import DecantJSON

/// Recipes of Mealie: one JSON file each, with `images/original.webp` beside it.
///
/// Exports of all versions and the web interface use this form; for backups see `MealieBackup`.
package enum MealieFormat: JSONRecipeFormat {
  package static let name = "mealie"
  package static let title = "Mealie"

  package static func matches(_ value: DocumentValue) -> Bool {
    guard value.has("name"), !value.has("@type") else { return false }
    if value.count(of: "recipe_ingredient", "recipe_instructions") > 0 { return true }
    return value.count(of: "recipeIngredient", "recipeInstructions") > 0
      && value.count(of: "slug", "orgURL", "orgUrl", "recipeServings", "recipeYieldQuantity") > 0
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    var image = RecipeImage(.file(pictureNames.map { "images/\($0)" }))
    image.isNamed = false
    var recipe = try recipe(value)
    recipe.images = [image]
    return recipe
  }

  /// The possible names of a recipe's picture; `min-original.webp` and `tiny-original.webp` are derived from it.
  static let pictureNames = ["webp", "jpg", "jpeg", "png", "gif", "avif"].map { "original.\($0)" }

  /// Reads a recipe without its pictures.
  static func recipe(_ value: DocumentValue) throws -> Recipe {
    var members = JSONMembers(value)
    var recipe = Recipe()
    recipe.title = try members.text("name") ?? ""
    recipe.summary = try members.text("description")
    recipe.url = try members.text("org_url", "orgURL", "orgUrl")
    try readIdentity(&members, &recipe)
    try readYield(&members, &recipe)
    recipe.prepTime = RecipeTime(written: try members.text("prep_time", "prepTime"))
    recipe.cookTime = RecipeTime(written: try members.text("perform_time", "performTime", "cook_time", "cookTime"))
    recipe.totalTime = RecipeTime(written: try members.text("total_time", "totalTime"))
    if let rating = members.value["rating"]?.double, rating > 0, rating <= 5 {
      recipe.rating = rating
      members.pass("rating")
    }
    recipe.created = try members.text("date_added", "dateAdded", "created_at", "createdAt")
    recipe.modified = try members.text("update_at", "updated_at", "updatedAt", "date_updated", "dateUpdated")
    recipe.categories = try labels(members.take("recipe_category", "recipeCategory", "categories"))
    recipe.tags = try labels(members.take("tags"))
    let settings = members.value["settings"]
    // Newer versions always show amounts, and have no such setting.
    let hidesAmounts =
      (settings?["disable_amount"] ?? settings?["disableAmount"])?.bool
      ?? (settings?.isObject == true ? false : nil)
    for element in (members.take("recipe_ingredient", "recipeIngredient")?.elements ?? [])
      .sorted(byMember: "position")
    {
      recipe.ingredients += try ingredients(element, hidesAmounts: hidesAmounts)
    }
    for element in (members.take("recipe_instructions", "recipeInstructions")?.elements ?? [])
      .sorted(byMember: "position")
    {
      recipe.steps += try steps(element)
    }
    for (name, value) in members.take("nutrition")?.members ?? []
    where !["id", "recipe_id", "recipeId", "created_at", "update_at", "updated_at"].contains(name) {
      guard let text = try value.trimmed else { continue }
      recipe.nutrition.append(RecipeNutrient(name: name, value: text))
    }
    recipe.notes = try notes(&members)
    recipe.extra = try members.rest()
    return recipe
  }

  /// Reads the identifier if it is a UUID; in old exports it is a row number, which means nothing elsewhere.
  private static func readIdentity(_ members: inout JSONMembers, _ recipe: inout Recipe) throws {
    guard let id = try members.value["id"]?.trimmed, let plain = id.plainUUID else { return }
    members.pass("id")
    recipe.nativeID = plain.dashedUUID
  }

  private static func readYield(_ members: inout JSONMembers, _ recipe: inout Recipe) throws {
    let text = try members.text("recipe_yield", "recipeYield")
    let amount = members.take("recipe_yield_quantity", "recipeYieldQuantity")?.double
    let servings = members.take("recipe_servings", "recipeServings")?.double.flatMap {
      $0 > 0 ? $0 : nil
    }
    if let amount, amount > 0 {
      recipe.yield = [AmountText.text(amount), text].compactMap { $0 }.joined(separator: " ")
    } else {
      recipe.yield = text ?? servings.map(AmountText.text)
    }
    recipe.servings = servings ?? recipe.yield.flatMap(Servings.number)
  }

  private static func labels(_ value: DocumentValue?) throws -> [String] {
    try value?.elements.compactMap { try $0.label }.withoutRepeats ?? []
  }

  /// Reads an ingredient, and the heading that it carries for those after it.
  ///
  /// Without food and unit, the note is the whole line; an amount of 1 or 0 is then Mealie's default for a missing
  /// amount, unless the recipe says that it shows amounts.
  private static func ingredients(_ element: DocumentValue, hidesAmounts: Bool?) throws -> [RecipeIngredient] {
    guard element.isObject else { return try element.trimmed.map { [RecipeIngredient($0)] } ?? [] }
    var members = JSONMembers(element)
    members.pass("position", "id", "recipe_id", "created_at", "update_at", "updated_at")
    members.pass("disable_amount", "disableAmount")
    let heading = try members.text("title").map { [RecipeIngredient($0, isHeading: true)] } ?? []
    let note = try members.text("note")
    let (unit, food) = (try members.take("unit")?.label, try members.take("food")?.label)
    let isHidden = (element["disable_amount"] ?? element["disableAmount"])?.bool ?? hidesAmounts
    var amount = members.take("quantity")?.double.flatMap { $0 > 0 ? $0 : nil }
    var hidden: Double?
    if food == nil, unit == nil, isHidden == true || isHidden == nil && amount == 1 {
      // A hidden amount may still be meaningful, unless it is the default.
      if isHidden == nil || amount != 1 { hidden = amount }
      amount = nil
    }
    let parts = AmountText.line(amount: amount, unit: unit, name: food ?? note, note: food == nil ? nil : note)
    let shown = try members.text("display")
    let original = try members.text("original_text", "originalText")
    let fraction = amount.flatMap { $0 == $0.rounded() ? nil : shown?.withPlainDigits }
    let isWhole = fraction.map { text in [food, note].allSatisfy { $0.map(text.contains) ?? true } } ?? false
    guard let text = parts.isEmpty ? shown ?? original : isWhole ? fraction : parts else { return heading }
    var ingredient = RecipeIngredient(text)
    (ingredient.amount, ingredient.unit) = (amount, unit)
    // A note alone is the whole line, not a name.
    (ingredient.name, ingredient.note) = (food, food == nil && unit == nil ? nil : note)
    ingredient.extra = try members.rest()
    if let hidden { ingredient.extra.append(("quantity", .number(hidden))) }
    if let original, original != text {
      ingredient.extra.append(("original_text", .string(original)))
    }
    return heading + [ingredient]
  }

  /// Reads a step, and the heading that it carries for those after it.
  private static func steps(_ element: DocumentValue) throws -> [RecipeStep] {
    guard element.isObject else { return try element.trimmed.map { [RecipeStep($0)] } ?? [] }
    var members = JSONMembers(element)
    members.pass("position", "recipe_id", "created_at", "update_at", "updated_at")
    let heading = try members.text("title").map { [RecipeStep($0, isHeading: true)] } ?? []
    let summary = try members.text("summary")
    guard let text = try members.text("text") ?? summary else { return heading }
    var step = RecipeStep(text, title: text == summary ? nil : summary)
    step.extra = try members.rest()
    return heading + [step]
  }

  /// Returns the notes with their titles, separated by blank lines.
  private static func notes(_ members: inout JSONMembers) throws -> String? {
    let notes = try members.take("notes")?.elements.compactMap { element -> String? in
      guard element.isObject else { return try element.trimmed }
      let parts = try [element["title"]?.trimmed, element["text"]?.trimmed].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: "\n")
    }
    guard let notes, !notes.isEmpty else { return nil }
    return notes.joined(separator: "\n\n")
  }
}

extension String {
  /// The text with ASCII digits instead of raised and lowered ones: “1 1/2”.
  fileprivate var withPlainDigits: String {
    let raised: [Unicode.Scalar: UInt32] = ["⁰": 0, "¹": 1, "²": 2, "³": 3]
    var plain = UnicodeScalarView()
    for scalar in unicodeScalars {
      let digit: UInt32? =
        switch scalar.value {
        case 0x2074...0x2079: scalar.value - 0x2070
        case 0x2080...0x2089: scalar.value - 0x2080
        default: raised[scalar]
        }
      plain.append(scalar == "⁄" ? "/" : digit.flatMap { Unicode.Scalar(0x30 + $0) } ?? scalar)
    }
    return String(plain)
  }

  /// The 32 hexadecimal digits of a UUID in lower case, given with or without dashes; `nil` for anything else.
  var plainUUID: String? {
    let digits = lowercased().filter { $0 != "-" }
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
  }

  /// The UUID of 32 digits with dashes.
  var dashedUUID: String {
    let digits = Array(self)
    let ends = [0, 8, 12, 16, 20, 32]
    return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
  }
}
