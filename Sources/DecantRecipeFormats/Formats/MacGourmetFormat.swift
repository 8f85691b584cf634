internal import DecantJSON

/// MacGourmet: `.mgourmet`, a property list whose picture is data or a string of hexadecimal digits.
package enum MacGourmetFormat: MarkupRecipeFormat {
  package static let name = "macgourmet"
  package static let title = "MacGourmet"
  package static let fileEndings = ["mgourmet"]

  /// Whether the document is a property list: only its keys show whether it holds recipes.
  package static func matches(root: MarkupElement) -> Bool { root.name == "plist" }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name == "dict" && (path == ["plist", "array"] || path == ["plist"])
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    let values = PlistValues(element)
    // Bookmarks and settings are property lists, too.
    guard values.has("NAME") || marks.contains(where: values.has) else { return nil }
    var recipe = Recipe()
    recipe.title = try values.text("NAME") ?? ""
    recipe.summary = try values.text("SUMMARY")
    recipe.notes = try notes(values)
    recipe.source = try values.text("SOURCE")
    recipe.url = try values.text("URL")
    recipe.servings = try values.text("SERVINGS").flatMap(Quantity.number)
    if recipe.servings ?? 0 <= 0 { recipe.servings = nil }
    recipe.yield =
      try values.text("YIELD") ?? (recipe.servings == nil ? nil : values.text("SERVINGS"))
    if let difficulty = try values.text("DIFFICULTY"), difficulty != "0" {
      recipe.difficulty = difficulty
    }
    recipe.tags = MarkupTexts.list(try values.text("KEYWORDS"))
    try categories(values, &recipe)
    recipe.nutrition = try nutrition(values.text("NUTRITION"))
    try ingredients(values, &recipe)
    try steps(values, &recipe)
    try times(values, &recipe)
    if let image = values["IMAGE"] {
      let content = try image.content
      if !content.isEmpty {
        let isData = image.name == "data"
        context.add(try isData ? context.picture(base64: content) : context.picture(hex: content), to: &recipe)
      }
    }
    for (name, value) in values.members where !read.contains(name) {
      guard let kept = try PlistValues.json(value, context) else { continue }
      recipe.extra.append((name, kept))
    }
    return recipe
  }

  /// Keys that only MacGourmet's recipes have.
  private static let marks = [
    "INGREDIENTS", "INGREDIENTS_TREE", "DIRECTIONS_LIST", "DIRECTIONS", "PREP_TIMES",
  ]

  private static let read: Set<String> = [
    "NAME", "SUMMARY", "NOTE", "NOTES_LIST", "SOURCE", "URL", "SERVINGS", "YIELD", "DIFFICULTY",
    "KEYWORDS", "NUTRITION", "INGREDIENTS", "INGREDIENTS_TREE", "DIRECTIONS", "DIRECTIONS_LIST",
    "IMAGE",
  ]

  private static func notes(_ values: PlistValues) throws -> String? {
    var notes = try [values.text("NOTE")].compactMap { $0 }
    for note in values.dictionaries("NOTES_LIST") {
      for (_, value) in note.members where value.name == "string" {
        if let text = MarkupTexts.trimmed(try value.allText), !notes.contains(text) {
          notes.append(text)
        }
      }
    }
    return MarkupTexts.trimmed(notes.joined(separator: "\n\n"))
  }

  /// Reads the categories, and the course; “--” means none.
  private static func categories(_ values: PlistValues, _ recipe: inout Recipe) throws {
    var names = try values.dictionaries("CATEGORIES").compactMap { try $0.text("NAME") }
    if let course = try values.text("COURSE_NAME"), course != "--" { names.append(course) }
    recipe.categories.appendNew(names)
  }

  /// Reads lines such as “Calories”, a tab, “400 cals”.
  private static func nutrition(_ text: String?) throws -> [RecipeNutrient] {
    MarkupTexts.lines(text ?? "").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1).compactMap(MarkupTexts.trimmed)
      return parts.count == 2
        ? RecipeNutrient(name: parts[0], value: parts[1]) : RecipeNutrient(name: nil, value: line)
    }
  }

  /// Reads the ingredients, preferably from the tree, which has the headings.
  private static func ingredients(_ values: PlistValues, _ recipe: inout Recipe) throws {
    let tree = values.dictionaries("INGREDIENTS_TREE")
    for item in tree.isEmpty ? values.dictionaries("INGREDIENTS") : tree {
      try add(item, depth: 0, &recipe)
    }
  }

  private static func add(_ item: PlistValues, depth: Int, _ recipe: inout Recipe) throws {
    let (quantity, unit) = (try item.text("QUANTITY"), try item.text("MEASUREMENT"))
    let (name, note) = (try item.text("DESCRIPTION"), try item.text("DIRECTION"))
    let line = MarkupTexts.line([quantity, unit, name], note: note)
    if !line.isEmpty {
      var ingredient = RecipeIngredient(line, isHeading: item.isTrue("IS_DIVIDER"))
      if !ingredient.isHeading {
        let amount = Quantity(quantity)
        (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to)
        (ingredient.unit, ingredient.name, ingredient.note) = (unit, name, note)
      }
      if item.isTrue("IS_MAIN") { ingredient.extra.append(("IS_MAIN", .bool(true))) }
      if let id = try item.text("INCLUDED_RECIPE_ID"), id != "-1" {
        ingredient.extra.keep("INCLUDED_RECIPE_ID", id)
      }
      recipe.ingredients.append(ingredient)
    }
    // A heading contains the items below it.
    guard depth < 8 else { return }
    for (key, value) in item.members where value.name == "array" {
      for child in item.dictionaries(key) { try add(child, depth: depth + 1, &recipe) }
    }
  }

  private static func steps(_ values: PlistValues, _ recipe: inout Recipe) throws {
    let list = values.dictionaries("DIRECTIONS_LIST")
    for item in list {
      let label = try item.text("LABEL_TEXT")
      if let text = try item.text("DIRECTION_TEXT") {
        recipe.steps.append(RecipeStep(text, title: label))
      } else if let label {
        recipe.steps.append(RecipeStep(label, isHeading: true))
      }
    }
    guard recipe.steps.isEmpty, let text = try values.text("DIRECTIONS") else { return }
    recipe.steps = MarkupTexts.paragraphs(text).map { RecipeStep($0) }
  }

  /// Reads the cooking, preparation and total times; `extra` keeps all times unchanged.
  private static func times(_ values: PlistValues, _ recipe: inout Recipe) throws {
    for item in values.dictionaries("PREP_TIMES") {
      guard let time = try time(item) else { continue }
      switch try item.text("TIME_TYPE_ID") {
      case "5": recipe.cookTime = time
      case "9": recipe.prepTime = time
      case "30": recipe.totalTime = time
      case "12": recipe.totalTime = recipe.totalTime ?? time
      default: break
      }
    }
  }

  private static let units: [String: (name: String, minutes: Double)] = [
    "0": ("day", 1440), "1": ("hour", 60), "2": ("minute", 1), "3": ("second", 1 / 60),
    "4": ("week", 10080),
  ]

  private static func time(_ item: PlistValues) throws -> RecipeTime? {
    var texts: [String] = []
    var minutes = 0.0
    for (amount, unit) in [("AMOUNT", "TIME_UNIT_ID"), ("AMOUNT_2", "TIME_UNIT_2_ID")] {
      guard let text = try item.text(amount), let value = Double(text), value > 0,
        let unit = Self.units[try item.text(unit) ?? ""]
      else { continue }
      texts.append("\(text) \(unit.name)\(value == 1 ? "" : "s")")
      minutes += value * unit.minutes
    }
    return texts.isEmpty ? nil : RecipeTime(text: texts.joined(separator: " "), minutes: minutes)
  }
}
