internal import DecantBase
internal import DecantJSON

/// Meal-Master, a program of the DOS era: recipes as text, in columns, any number to a file.
///
/// About a million recipes circulate in this form; many files were assembled from others, so encodings, line lengths
/// and marks vary from recipe to recipe.
package enum MealMasterFormat: TextRecipeFormat {
  package static let name = "mealmaster"
  package static let title = "Meal-Master"

  package static func matches(_ head: [UInt8], name: String) -> Bool {
    let lines = HeadLines.parts(head)
    return lines.indices.contains { index in
      guard isStart(lines[index]) else { return false }
      if isOwnStart(lines[index]) { return true }
      let behind = lines[(index + 1)...]
      return isBeforeTitle { $0 < behind.count ? behind[behind.startIndex + $0] : nil }
    }
  }

  package static func read(
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
  ///   - warn: Receives warnings about the current recipe.
  ///   - take: Receives each recipe as soon as it is complete.
  /// - Throws: Errors from `take` and from the lines.
  static func read(
    _ lines: LineQueue,
    warn: (String) -> Void,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    let records = TextRecords(
      lines,
      isStart: { line, lines, offset in
        guard isStart(line) else { return false }
        if isOwnStart(line) { return true }
        return try isBeforeTitle { try lines.peek(offset + $0) }
      },
      isEnd: { line, start in isEnd(line, usesLetters: start.first == UInt8(ascii: "M")) },
      isTitle: isTitle
    )
    try records.forEach { record in
      guard record.lines.contains(where: isTitle) else {
        throw RecipeFault("the recipe that begins on line \(record.number) has no “Title:”")
      }
      record.warnings.forEach(warn)
      return recipe(record)
    } _: {
      try take($0)
    }
  }

  // MARK: Lines that separate recipes

  /// The number of lines after a start in which the title is looked for, not counting mail headers.
  private static let titleDistance = 6
  /// The same limit, counting all lines.
  private static let headDistance = 40

  /// Whether a line has five `M` or `-`, or words of the program's own, and its name.
  private static func isStart(_ line: [UInt8]) -> Bool {
    guard line.count >= 12, line.count < 200 else { return false }
    let text = String(decoding: line, as: UTF8.self).lowercased()
    guard text.contains("meal-master") || text.contains("mealmaster") else { return false }
    return text.hasPrefix("mmmmm") || text.hasPrefix("-----") || text.hasPrefix("recipe via")
      || text.hasPrefix("recipe extracted from")
  }

  /// Whether a start line has the program's own form: “MMMMM----- Recipe via Meal-Master”.
  ///
  /// Nothing else looks like that, so without a title after it something is wrong; other start lines may be prose.
  private static func isOwnStart(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self).lowercased()
    guard text.hasPrefix("mmmmm") || text.hasPrefix("-----") else { return false }
    return text.drop { $0 == "m" || $0 == "-" }.trimmed.hasPrefix("recipe via meal-master")
  }

  private static func isTitle(_ line: [UInt8]) -> Bool {
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix(6)
    return text.elementsEqual("title:".utf8) { $0 == $1 || $0 | 0x20 == $1 }
  }

  /// Whether a line is a mail header: “From: Me”.
  private static func isMailHeader(_ line: [UInt8]) -> Bool {
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let name = text[..<colon]
    return 2...20 ~= name.count
      && name.allSatisfy { 0x61...0x7a ~= $0 | 0x20 || $0 == UInt8(ascii: "-") }
  }

  /// Whether a title follows within a few lines: a start line that is only mentioned has none.
  private static func isBeforeTitle(_ line: (_ offset: Int) throws -> [UInt8]?) rethrows -> Bool {
    var others = 0
    for offset in 0..<headDistance {
      guard let line = try line(offset) else { return false }
      if isTitle(line) { return true }
      if isMailHeader(line) { continue }
      others += 1
      if others == titleDistance { return false }
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
    // The text before the title came from a mail.
    let title = record.lines.firstIndex(where: isTitle) ?? 0
    let front = lines[..<title].map(\.trimmed).filter { !$0.isEmpty }
    if !front.isEmpty { recipe.extra.append(("front", .string(front.joined(separator: "\n")))) }
    lines = lines[title...]
    readHead(&lines, into: &recipe)
    var prose: [String] = []
    var hasText = false
    // The next line that is not a heading: looked up once, however many headings come before it.
    var content = -1
    var isContentList = false
    while let line = lines.first {
      if let heading = heading(line) {
        lines = lines.dropFirst()
        if content < lines.startIndex {
          content =
            lines.firstIndex { !$0.trimmed.isEmpty && self.heading($0) == nil }
            ?? lines.endIndex
          isContentList = MealMasterList.shift(of: lines[content...]) != nil
        }
        if isContentList {
          recipe.ingredients.append(RecipeIngredient(heading, isHeading: true))
        } else {
          addSteps(&prose, to: &recipe, &hasText)
          recipe.steps.append(RecipeStep(heading, isHeading: true))
        }
      } else if !line.trimmed.isEmpty,
        let shift = MealMasterList.shift(of: lines, behind: prose)
      {
        var list = MealMasterList(shift: shift)
        list.take(from: &lines)
        recipe.ingredients += list.ingredients
      } else {
        prose.append(line)
        lines = lines.dropFirst()
      }
    }
    addSteps(&prose, to: &recipe, &hasText)
    return recipe
  }

  /// Reads title, categories and yield, up to the first blank line after them.
  private static func readHead(_ lines: inout ArraySlice<String>, into recipe: inout Recipe) {
    var fields: [(name: String, value: String)] = []
    var isBehindBlank = true
    while let line = lines.first {
      let text = line.trimmed
      defer { isBehindBlank = text.isEmpty }
      if text.isEmpty {
        lines = lines.drop { $0.trimmed.isEmpty }
        if !fields.isEmpty, lines.first.flatMap(headKey) == nil { break }
        continue
      }
      if let key = headKey(line) {
        fields.append((key, text.drop { $0 != ":" }.dropFirst().trimmed))
      } else if !isBehindBlank, heading(line) == nil, !MealMasterList.mayBegin(line) {
        fields[fields.count - 1].value += (fields[fields.count - 1].value.isEmpty ? "" : " ") + text
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

  /// Returns the name of the head field in a line.
  private static func headKey(_ line: String) -> String? {
    guard line.contains(":") else { return nil }
    let key = line.prefix { $0 != ":" }.trimmed.lowercased()
    let keys = ["title", "categories", "category", "yield", "servings", "serves"]
    return keys.contains(key) ? key : nil
  }

  /// Returns the title of a line such as `MMMMM-----SAUCE-----`; `nil` for one that is not a heading.
  static func heading(_ line: String) -> String? {
    var text = line[...]
    if text.hasPrefix("MMMMM") { text = text.dropFirst(5) }
    guard text.hasPrefix("-----") || (text.startIndex != line.startIndex && text.first == "-")
    else { return nil }
    text = text.drop { $0 == "-" }
    while let last = text.last, last == "-" || last == " " { text = text.dropLast() }
    let title = text.trimmed
    return title.isEmpty ? nil : title
  }

  // MARK: Steps

  /// Adds the prose: paragraphs become steps, and the first becomes fields if all its lines are such.
  private static func addSteps(_ prose: inout [String], to recipe: inout Recipe, _ hasText: inout Bool) {
    var lines = prose[...]
    prose = []
    if !hasText {
      lines = lines.drop { $0.trimmed.isEmpty }
      let first = lines.prefix { !$0.trimmed.isEmpty }
      let fields = first.compactMap { MealMasterField(line: $0) }
      if fields.count == first.count {
        for field in fields { field.set(in: &recipe) }
        lines = lines.dropFirst(first.count)
      }
    }
    for text in Paragraphs.unwrapped(Array(lines)) {
      recipe.steps.append(RecipeStep(text))
      hasText = true
    }
  }
}
