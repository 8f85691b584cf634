internal import Decant

/// Meal-Master, a program of the times of DOS: recipes as text, in columns, any number to a file.
///
/// Some million recipes go round in this form; many files were put together from others, so encodings, line
/// lengths and marks change from recipe to recipe.
enum MealMasterFormat: TextRecipeFormat {
  static let name = "mealmaster"
  static let title = "Meal-Master"

  static func matches(_ head: [UInt8], name: String) -> Bool {
    let lines = HeadLines.parts(head)
    return lines.indices.contains { index in
      isStart(lines[index]) && lines[(index + 1)...].prefix(titleDistance).contains(where: isTitle)
    }
  }

  static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    try read(LineQueue(lines), warn: context.warn, take)
  }

  /// Reads all recipes of `lines`.
  ///
  /// - Parameters:
  ///   - lines: The lines of the file.
  ///   - warn: Is told what the reader of the recipe at hand should know.
  ///   - take: Is given each recipe as soon as it is whole.
  /// - Throws: What `take` and the lines throw.
  static func read(
    _ lines: LineQueue,
    warn: (String) -> Void,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    let records = TextRecords(
      lines,
      isStart: { line, lines, offset in try isStart(line) && isBeforeTitle(lines, from: offset) },
      isEnd: { line, start in isEnd(line, usesLetters: start.first == UInt8(ascii: "M")) }
    )
    try records.forEach { record in
      if !record.isEnded { warn("the line that ends the recipe is missing") }
      return recipe(record)
    } _: {
      try take($0)
    }
  }

  // MARK: Lines that part recipes

  /// How many lines behind a start the title is looked for.
  private static let titleDistance = 6

  /// Five `M` or `-`, or words of the program's own, and its name.
  private static func isStart(_ line: [UInt8]) -> Bool {
    guard line.count >= 12, line.count < 200 else { return false }
    let text = String(decoding: line, as: UTF8.self).lowercased()
    guard text.contains("meal-master") || text.contains("mealmaster") else { return false }
    return text.hasPrefix("mmmmm") || text.hasPrefix("-----") || text.hasPrefix("recipe via")
      || text.hasPrefix("recipe extracted from")
  }

  private static func isTitle(_ line: [UInt8]) -> Bool {
    line.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: Array("Title:".utf8))
  }

  /// Whether a title follows within a few lines: a start that is only talked of has none.
  private static func isBeforeTitle(_ lines: LineQueue, from first: Int = 0) throws -> Bool {
    for offset in first..<(first + titleDistance) {
      guard let line = try lines.peek(offset) else { return false }
      if isTitle(line) { return true }
    }
    return false
  }

  private static func isEnd(_ line: [UInt8], usesLetters: Bool) -> Bool {
    var line = line[...]
    while let last = line.last, last <= 0x20 { line = line.dropLast() }
    let mark = Array((usesLetters ? "MMMMM" : "-----").utf8)
    return line.elementsEqual(mark)
  }

  // MARK: One recipe

  private static func recipe(_ record: TextRecords.Record) -> Recipe {
    let encoding = TextEncoding(ofMealMaster: record.bytes)
    var lines = record.lines.map { encoding.text($0) }[...]
    var recipe = Recipe()
    readHead(&lines, into: &recipe)
    var prose: [String] = []
    // The next line that is no heading: looked for once, however many headings come before it.
    var content = -1
    while let line = lines.first {
      if let heading = heading(line) {
        lines = lines.dropFirst()
        if content < lines.startIndex {
          content =
            lines.firstIndex { !$0.trimmingBlanks.isEmpty && self.heading($0) == nil }
            ?? lines.endIndex
        }
        if content < lines.endIndex, isIngredient(lines[content]) {
          recipe.ingredients.append(RecipeIngredient(heading, isHeading: true))
        } else {
          addSteps(&prose, to: &recipe)
          recipe.steps.append(RecipeStep(heading, isHeading: true))
        }
      } else if !line.trimmingBlanks.isEmpty, beginsIngredients(lines, behind: prose) {
        recipe.ingredients += ingredients(&lines)
      } else {
        prose.append(line)
        lines = lines.dropFirst()
      }
    }
    addSteps(&prose, to: &recipe)
    return recipe
  }

  /// Reads title, categories and yield, up to the first blank line behind them.
  private static func readHead(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var fields: [(name: String, value: String)] = []
    var isBehindBlank = true
    while let line = lines.first {
      let text = line.trimmingBlanks
      defer { isBehindBlank = text.isEmpty }
      if text.isEmpty {
        lines = lines.drop { $0.trimmingBlanks.isEmpty }
        if !fields.isEmpty, lines.first.flatMap(headKey) == nil { break }
        continue
      }
      if let key = headKey(line) {
        fields.append((key, text.drop { $0 != ":" }.dropFirst().trimmingBlanks))
      } else if !isBehindBlank, heading(line) == nil, MealMasterIngredient(line: line) == nil {
        fields[fields.count - 1].value += " " + text
      } else {
        break
      }
      lines = lines.dropFirst()
    }
    for (name, value) in fields where !value.isEmpty {
      switch name {
      case "title": recipe.title = value
      case "categories", "category":
        recipe.addCategories(value.split(separator: ","))
      default:
        recipe.yield = value
        recipe.servings = Servings.number(in: value)
      }
    }
  }

  /// The name of the field of the head that a line holds.
  private static func headKey(_ line: String) -> String? {
    guard line.contains(":") else { return nil }
    let key = line.prefix { $0 != ":" }.trimmingBlanks.lowercased()
    let keys = ["title", "categories", "category", "yield", "servings", "serves"]
    return keys.contains(key) ? key : nil
  }

  private static func isIngredient(_ line: String) -> Bool {
    MealMasterIngredient(line: line) != nil
  }

  /// The title of a line such as `MMMMM-----SAUCE-----`; `nil` for one that is no heading.
  private static func heading(_ line: String) -> String? {
    var text = line[...]
    if text.hasPrefix("MMMMM") { text = text.dropFirst(5) }
    guard text.hasPrefix("-----") || (text.startIndex != line.startIndex && text.first == "-")
    else { return nil }
    text = text.drop { $0 == "-" }
    while let last = text.last, last == "-" || last == " " { text = text.dropLast() }
    let title = text.trimmingBlanks
    return title.isEmpty ? nil : title
  }

  // MARK: Ingredients

  /// Whether a list of ingredients begins here: with whatever is set in their columns if nothing was read before,
  /// behind prose only with a paragraph that is all columns and has an amount.
  private static func beginsIngredients(_ lines: ArraySlice<String>, behind prose: [String]) -> Bool
  {
    guard let first = lines.first, MealMasterIngredient(line: first) != nil else { return false }
    if prose.allSatisfy({ $0.trimmingBlanks.isEmpty }) { return true }
    guard prose.last?.trimmingBlanks.isEmpty == true else { return false }
    let block = lines.prefix { !$0.trimmingBlanks.isEmpty && heading($0) == nil }
      .map { MealMasterIngredient(line: $0) }
    return block.allSatisfy { $0 != nil } && block.contains { $0?.amount.isEmpty == false }
  }

  /// Takes the lines of ingredients up to a heading or one that is none; of two columns the left one first.
  private static func ingredients(_ lines: inout ArraySlice<String>) -> [RecipeIngredient] {
    var left: [MealMasterIngredient] = []
    var right: [MealMasterIngredient] = []
    while let line = lines.first, heading(line) == nil {
      if line.trimmingBlanks.isEmpty {
        // Some programs write blank lines between ingredients; behind the last prose follows.
        let behind = lines.drop { $0.trimmingBlanks.isEmpty }
        guard let next = behind.first, heading(next) == nil,
          MealMasterIngredient(line: next)?.amount.isEmpty == false
        else { break }
        lines = behind
        continue
      }
      guard let ingredient = MealMasterIngredient(line: line) else { break }
      lines = lines.dropFirst()
      if let (first, second) = MealMasterIngredient.columns(of: line) {
        first.add(to: &left)
        second.add(to: &right)
      } else {
        ingredient.add(to: &left)
      }
    }
    return (left + right).map(\.ingredient)
  }

  // MARK: Steps

  /// Takes the prose: paragraphs become steps, the first one fields if all its lines are such.
  private static func addSteps(_ prose: inout [String], to recipe: inout Recipe) {
    var lines = prose[...]
    prose = []
    if recipe.steps.isEmpty {
      lines = lines.drop { $0.trimmingBlanks.isEmpty }
      let first = lines.prefix { !$0.trimmingBlanks.isEmpty }
      let fields = first.compactMap { MealMasterField(line: $0) }
      if fields.count == first.count {
        for field in fields { field.set(in: &recipe) }
        lines = lines.dropFirst(first.count)
      }
    }
    for text in Paragraphs.unwrapped(Array(lines)) { recipe.steps.append(RecipeStep(text)) }
  }
}

/// A line of the directions that tells where the recipe comes from or how long it takes, and nothing else.
///
/// Meal-Master itself has no place for these; programs that write its format put them there.
struct MealMasterField {
  /// The words in front of the colon, which the lines begin with.
  static let names = [
    "Recipe by", "Source", "URL", "Preparation Time", "Cooking Time", "Total Time",
  ]

  private var name: String
  private var value: String

  /// Reads a line; `nil` for one that is no field, or more than one.
  init?(line: String) {
    let text = line.trimmingBlanks
    let words = text.lowercased()
    guard let name = Self.names.first(where: { words.hasPrefix($0.lowercased() + ":") }) else {
      return nil
    }
    let value = text.dropFirst(name.count + 1).trimmingBlanks
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

  /// The lines of all that `recipe` has, in order.
  static func lines(of recipe: Recipe) -> [String] {
    let values = [
      recipe.author, recipe.source, recipe.url, recipe.prepTime?.text, recipe.cookTime?.text,
      recipe.totalTime?.text,
    ]
    return zip(names, values).compactMap { name, value in value.map { "\(name): \($0)" } }
  }
}
