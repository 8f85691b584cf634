internal import DecantBase
internal import DecantJSON

/// REZKONV, the German counterpart of Meal-Master: text in columns with spelled-out units, in Windows-1252.
package enum RezKonvFormat: TextRecipeFormat {
  package static let name = "rezkonv"
  package static let title = "REZKONV"
  package static let fileEndings = ["rk"]

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
      isEnd: { line, _ in String(decoding: line, as: UTF8.self).trimmed == "=====" },
      isTitle: { line in
        String(decoding: line, as: UTF8.self).trimmed.lowercased().hasPrefix("titel:")
      }
    )
    try records.forEach { record in
      record.warnings.forEach(context.warn)
      let encoding = TextEncoding(of: record.bytes)
      return recipe(record.lines.map { encoding.text($0) })
    } _: {
      try take($0)
    }
  }

  private static func isStart(_ line: [UInt8]) -> Bool {
    guard line.count < 200, line.starts(with: Array("=====".utf8)) else { return false }
    return String(decoding: line, as: UTF8.self).lowercased().contains("rezkonv")
  }

  // MARK: One recipe

  private static func recipe(_ record: [String]) -> Recipe {
    var lines = record[...]
    var recipe = Recipe()
    readHead(&lines, into: &recipe)
    var prose: [String] = []
    // The next line that is not a heading: looked up once, however many headings come before it.
    var content = -1
    while let line = lines.first {
      if let heading = heading(line) {
        lines = lines.dropFirst()
        if heading.uppercased() == "QUELLE" {
          readSource(&lines, into: &recipe)
          continue
        }
        if content < lines.startIndex {
          content =
            lines.firstIndex { !$0.trimmed.isEmpty && self.heading($0) == nil }
            ?? lines.endIndex
        }
        if content < lines.endIndex, isIngredient(lines[content]) {
          recipe.ingredients.append(RecipeIngredient(heading, isHeading: true))
        } else {
          addSteps(&prose, to: &recipe)
          recipe.steps.append(RecipeStep(heading, isHeading: true))
        }
      } else if prose.allSatisfy({ $0.trimmed.isEmpty }), columns(line) != nil {
        readIngredients(&lines, into: &recipe)
      } else {
        prose.append(line)
        lines = lines.dropFirst()
      }
    }
    addSteps(&prose, to: &recipe)
    return recipe
  }

  private static func readHead(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var last = ""
    while let line = lines.first {
      let text = line.trimmed
      if text.isEmpty {
        lines = lines.dropFirst()
        if last != "", last != "titel" { break }
        continue
      }
      let key = text.prefix { $0 != ":" }.trimmed.lowercased()
      let value = text.drop { $0 != ":" }.dropFirst().trimmed
      switch key {
      case "titel": recipe.title = value
      case "kategorien", "kategorie":
        recipe.addCategories(value.split(separator: ","))
      case "menge":
        recipe.yield = value.isEmpty ? nil : value
        recipe.servings = Servings.number(in: value)
      default:
        // This line continues a title or a list of categories.
        guard !last.isEmpty, heading(line) == nil, columns(line) == nil else { return }
        if last == "titel" {
          recipe.title += " " + text
        } else {
          for part in text.split(separator: ",") where !part.trimmed.isEmpty {
            recipe.categories.append(part.trimmed)
          }
        }
        lines = lines.dropFirst()
        continue
      }
      last = key
      lines = lines.dropFirst()
    }
  }

  private static func isIngredient(_ line: String) -> Bool { columns(line) != nil }

  /// Returns the title of a line such as `===== ZUTAT =====`; `nil` for one that is not a heading.
  private static func heading(_ line: String) -> String? {
    guard line.hasPrefix("=====") else { return nil }
    let title = line.trimming("=")
    return title.isEmpty ? nil : title
  }

  // MARK: Ingredients

  /// Returns amount, unit and name of a line in columns 0 to 6, 8 to 17 and from 19 on; `nil` for any other line.
  private static func columns(_ line: String) -> (amount: String, unit: String, name: String)? {
    let text = ColumnText(line)
    guard text.count > 19, !text.isBlank(19), text.isBlank(7), text.isBlank(18) else {
      return nil
    }
    let amount = text.field(0..<7)
    guard amount.isEmpty || Quantity(amount) != nil else { return nil }
    let unit = text.field(8..<18)
    guard unit.split(separator: " ").count <= 2 else { return nil }
    return (amount, unit, text.field(19..<text.count))
  }

  private static func readIngredients(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var found: [(amount: String, unit: String, name: String)] = []
    while let line = lines.first, let columns = columns(line) {
      lines = lines.dropFirst()
      if columns.amount.isEmpty, columns.unit.isEmpty, columns.name.first == "-", !found.isEmpty {
        let more = columns.name.drop { $0 == "-" }.trimmed
        found[found.count - 1].name += " " + more
      } else {
        found.append(columns)
      }
    }
    for (amount, unit, name) in found {
      let text = [amount, unit, name].filter { !$0.isEmpty }.joined(separator: " ")
      var ingredient = RecipeIngredient(line: text)
      if let quantity = Quantity(amount) {
        ingredient.amount = quantity.from
        ingredient.amountTo = quantity.to
        ingredient.unit = unit.isEmpty ? ingredient.unit : unit
        let line = RecipeIngredient(line: "1 \(name)")
        if !unit.isEmpty || ingredient.name == nil {
          ingredient.name = line.unit == nil ? line.name ?? name : name
          ingredient.note = line.unit == nil ? line.note : nil
        }
      }
      recipe.ingredients.append(ingredient)
    }
  }

  // MARK: Source and steps

  /// Reads the lines below QUELLE: the source, then after dashes who typed it.
  private static func readSource(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var source: [String] = []
    var notes: [String] = []
    while let line = lines.first, !line.trimmed.isEmpty, heading(line) == nil {
      let text = line.trimmed
      if text.hasPrefix("--") {
        notes.append(text.drop { $0 == "-" }.trimmed)
      } else if text.hasPrefix("-"), !source.isEmpty {
        source.append(text.dropFirst().trimmed)
      } else {
        source.append(text)
      }
      lines = lines.dropFirst()
    }
    if !source.isEmpty { recipe.source = source.joined(separator: " ") }
    if !notes.isEmpty { recipe.extra.append(("Erfasst", .string(notes.joined(separator: " ")))) }
  }

  private static let times = ["zubereitungszeit", "arbeitszeit", "vorbereitungszeit"]

  /// Adds the prose as steps; a line such as “* Zubereitungszeit: 25 Minuten” also sets a time.
  private static func addSteps(_ prose: inout [String], to recipe: inout Recipe) {
    for line in prose {
      let text = line.trimming("*")
      let key = text.prefix { $0 != ":" }.trimmed.lowercased()
      let value = text.drop { $0 != ":" }.dropFirst().trimmed
      guard !value.isEmpty, let time = RecipeTime(written: value, plainIsMinutes: true),
        time.minutes != nil
      else {
        continue
      }
      if times.contains(key), recipe.prepTime == nil { recipe.prepTime = time }
      if key == "gesamtzeit", recipe.totalTime == nil { recipe.totalTime = time }
    }
    for text in Paragraphs.unwrapped(prose) { recipe.steps.append(RecipeStep(text)) }
    prose = []
  }
}
