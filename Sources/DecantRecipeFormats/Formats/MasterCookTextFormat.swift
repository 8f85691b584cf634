internal import DecantBase
internal import DecantJSON

/// MasterCook's text export: `.mxp`, also circulated as `.txt`.
package enum MasterCookTextFormat: TextRecipeFormat {
  package static let name = "mastercook-text"
  package static let title = "MasterCook text"
  package static let fileEndings = ["mxp"]

  package static func matches(_ head: [UInt8], name: String) -> Bool {
    HeadLines.parts(head).contains(where: isStart)
  }

  package static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    let records = TextRecords(
      LineQueue(lines),
      isStart: { line, _, _ in isStart(line) },
      isTitle: { line in
        String(decoding: line, as: UTF8.self).lowercased().hasPrefix("recipe by")
          && line.contains(UInt8(ascii: ":"))
      }
    )
    try records.forEach { record in
      let encoding = TextEncoding(of: record.bytes)
      let lines = record.lines.map { encoding.text($0) }
      guard let recipe = recipe(lines) else {
        throw RecipeFault("nothing follows “Exported from MasterCook” on line \(record.number)")
      }
      // The fields of the recipe follow the line that ends its directions.
      var record = record
      record.isEnded = lines.contains(where: isEnd)
      record.warnings.forEach(context.warn)
      return recipe
    } _: {
      try take($0)
    }
  }

  /// Whether a line is “*  Exported from  MasterCook II  *”, with or without the asterisks.
  private static func isStart(_ line: [UInt8]) -> Bool {
    guard line.count < 120 else { return false }
    let text = String(decoding: line, as: UTF8.self).trimmed
    guard text.first == "*" || text.first == "E" || text.first == "@" else { return false }
    let words = text.lowercased().split { !$0.isLetter }
    return words.starts(with: ["exported", "from", "mastercook"])
  }

  // MARK: One recipe

  private static func recipe(_ record: [String]) -> Recipe? {
    var lines = record.drop { $0.trimmed.isEmpty }
    guard let first = lines.first else { return nil }
    var recipe = Recipe()
    if !isHeadField(first) {
      recipe.title = first.trimmed
      lines = lines.dropFirst()
    }
    readHead(&lines, into: &recipe)
    readIngredients(&lines, into: &recipe)
    readDirections(&lines, into: &recipe)
    readTail(lines, into: &recipe)
    if recipe.yield == nil, let servings = recipe.servings {
      recipe.yield = "\(AmountText.text(servings)) servings"
    }
    return recipe
  }

  private static let headFields = ["recipe by", "serving size", "preparation time", "categories"]

  private static func isHeadField(_ line: String) -> Bool {
    let words = line.trimmed.lowercased()
    return headFields.contains { words.hasPrefix($0) } && line.contains(":")
  }

  /// Reads the fields above the table of ingredients.
  private static func readHead(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var isInCategories = false
    while let line = lines.first, !isTableHead(line) {
      let text = line.trimmed
      if !isHeadField(line), !isInCategories || line.prefix(8).contains(where: { $0 != " " }) {
        // This is prose without a table.
        if !text.isEmpty { break }
        isInCategories = false
        lines = lines.dropFirst()
        continue
      }
      lines = lines.dropFirst()
      guard isHeadField(line) else {
        addCategories(text, to: &recipe)
        continue
      }
      let words = text.lowercased()
      let value = text.drop { $0 != ":" }.dropFirst().trimmed
      isInCategories = words.hasPrefix("categories")
      if words.hasPrefix("recipe by") {
        recipe.author = value.isEmpty ? nil : value
      } else if isInCategories {
        addCategories(value, to: &recipe)
      } else {
        // “4    Preparation Time :0:45” is on one line.
        let parts = words.components(of: "preparation time")
        if words.hasPrefix("serving size") {
          let length = value.lowercased().components(of: "preparation time").first?.count
          let text = value.prefix(length ?? 0).trimmed
          recipe.servings = Servings.number(in: text)
          // A range, or words.
          if recipe.servings == nil, !text.isEmpty, text != "0" { recipe.yield = text }
        }
        if let time = parts.last, parts.count == 2 {
          setPreparation(time, in: &recipe)
        }
      }
    }
  }

  private static func setPreparation(_ text: String, in recipe: inout Recipe) {
    let time = text.drop { $0 == ":" || $0 == " " }.trimmed
    guard let read = RecipeTime(written: time, plainIsMinutes: true), read.minutes != 0 else {
      return
    }
    recipe.prepTime = read
  }

  /// Adds categories, which are in columns separated by two or more spaces.
  private static func addCategories(_ text: String, to recipe: inout Recipe) {
    recipe.addCategories(text.components(of: "  "))
  }

  // MARK: Ingredients

  private static func isTableHead(_ line: String) -> Bool {
    let words = line.split(separator: " ").map { $0.lowercased() }
    return words.starts(with: ["amount", "measure", "ingredient"]) || isRule(line)
  }

  private static func isRule(_ line: String) -> Bool {
    let parts = line.split(separator: " ")
    return parts.count >= 3 && parts.allSatisfy { $0.count >= 5 && $0.allSatisfy { $0 == "-" } }
  }

  private static func readIngredients(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    guard let head = lines.first, isTableHead(head) else { return }
    while let line = lines.first, isTableHead(line) { lines = lines.dropFirst() }
    while let line = lines.first, !line.trimmed.isEmpty {
      lines = lines.dropFirst()
      let text = ColumnText(line)
      let amount = text.field(0..<10)
      let unit = text.field(10..<24)
      let name = text.field(24..<max(24, text.count)).singleSpaced
      if amount.isEmpty, unit.isEmpty, name.hasPrefix("--"), let last = recipe.ingredients.last {
        let more = name.drop { $0 == "-" }.trimmed
        let whole = [last.note, more].compactMap(\.self).joined(separator: " ")
        recipe.ingredients[recipe.ingredients.count - 1].note = whole
        recipe.ingredients[recipe.ingredients.count - 1].text =
          last.text
          + (last.note == nil ? " -- " : " ") + more
        continue
      }
      recipe.ingredients.append(ingredient(amount, unit, name, line))
    }
  }

  private static func ingredient(_ amount: String, _ unit: String, _ name: String, _ line: String) -> RecipeIngredient {
    var name = name
    while name.hasSuffix("--") { name = name.dropLast(2).trimmed }
    guard amount.isEmpty || Quantity(amount) != nil, !name.isEmpty else {
      // The line does not fit the columns.
      return RecipeIngredient(line: line.singleSpaced)
    }
    if amount.isEmpty, unit.isEmpty {
      let isStarred = name.hasPrefix("***") && name.hasSuffix("***")
      let bare = isStarred ? name.trimming("*") : name
      if isStarred || bare.hasSuffix(":"), !bare.isEmpty {
        return RecipeIngredient(bare.hasSuffix(":") ? bare.dropLast().trimmed : bare, isHeading: true)
      }
      return RecipeIngredient(line: name)
    }
    let text = [amount, unit, name].filter { !$0.isEmpty }.joined(separator: " ")
    var ingredient = RecipeIngredient(text)
    let quantity = Quantity(amount)
    ingredient.amount = quantity?.from
    ingredient.amountTo = quantity?.to
    ingredient.unit = unit.isEmpty ? nil : unit
    let parts = name.components(of: " -- ", limit: 2)
    ingredient.name = parts[0].trimmed
    ingredient.note = parts.count == 2 ? parts[1].trimmed : nil
    return ingredient
  }

  // MARK: Directions

  /// Reads the steps up to the first field with its value on the next line, or the dashed line.
  private static func readDirections(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var prose: [String] = []
    while let line = lines.first, !isEnd(line) {
      // In the directions, only fields that stand alone count: “Source: my aunt” is prose.
      if let (name, value) = tailField(line), value.isEmpty || name == "ratings" { break }
      prose.append(line)
      lines = lines.dropFirst()
    }
    for text in Paragraphs.unwrapped(prose) { recipe.steps.append(RecipeStep(text)) }
  }

  /// Whether a line is the dashed one below the directions.
  private static func isEnd(_ line: String) -> Bool {
    let parts = line.split(separator: " ")
    return parts.count >= 5 && parts.allSatisfy { $0 == "-" }
  }

  private static let tailFields = [
    "description", "cuisine", "source", "s(url)", "s(internet address)", "s(author)", "copyright",
    "yield", "start to finish time", "ratings", "per serving", "suggested wine", "serving ideas",
    "notes", "nutr. assoc.",
  ]

  /// Returns the name in lower case and the value of a line that begins a field; `nil` for any other line.
  private static func tailField(_ line: String) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: ":"), line.first?.isWhitespace == false else {
      return nil
    }
    var name = line[..<colon].trimmed.lowercased()
    if name.hasPrefix("per serving") { name = "per serving" }
    let isNamed =
      tailFields.contains(name)
      || ((name.hasPrefix("t(") || name.hasPrefix("s(")) && name.hasSuffix(")"))
    guard isNamed else { return nil }
    let value = name == "per serving" ? line : line[line.index(after: colon)...].trimmed
    return (name, value)
  }

  private static func readTail(_ lines: ArraySlice<String>, into recipe: inout Recipe) {
    var fields: [(name: String, lines: [String])] = []
    for line in lines {
      let text = line.trimmed
      let isMark = isEnd(line) || (text.count >= 5 && text.allSatisfy { $0 == "_" })
      if isMark {
        // The following lines belong to no field.
        if fields.last?.name != "" { fields.append(("", [])) }
      } else if let (name, value) = tailField(line) {
        fields.append((name, [value]))
      } else if fields.isEmpty {
        fields.append(("", [text]))
      } else {
        fields[fields.count - 1].lines.append(line)
      }
    }
    for (name, lines) in fields {
      var value = Paragraphs.unwrapped(lines).joined(separator: "\n\n")
      if value.count > 1, value.first == "\"", value.last == "\"" {
        value = value.dropFirst().dropLast().trimmed
      }
      if !value.isEmpty { set(name, value, in: &recipe) }
    }
  }

  private static func set(_ name: String, _ value: String, in recipe: inout Recipe) {
    switch name {
    case "description": recipe.summary = value
    case "source": recipe.source = value
    case "s(url)", "s(internet address)": recipe.url = value
    case "yield": recipe.yield = value
    case "start to finish time": recipe.totalTime = RecipeTime(written: value, plainIsMinutes: true)
    case "per serving": recipe.nutrition.append(RecipeNutrient(name: nil, value: value))
    case "notes", "":
      recipe.notes = [recipe.notes, value].compactMap(\.self).joined(separator: "\n\n")
    case "t(baking time)", "t(cooking time)", "t(cook time)":
      recipe.cookTime = RecipeTime(written: value, plainIsMinutes: true)
    default: recipe.extra.append((name, .string(value)))
    }
  }
}
