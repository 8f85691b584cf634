internal import DecantRecipeFormats

/// The text below the fields of a Markdown recipe.
struct MarkdownBody {
  private(set) var title = ""
  private(set) var ingredients: [RecipeIngredient] = []
  private(set) var steps: [RecipeStep] = []
  /// The text before the first heading of a part.
  private(set) var intro: [String] = []
  /// The text under other headings, with these headings.
  var notes: [String] = []
  /// Fields given as lines of text: “Servings: 4”.
  private(set) var fields: [FrontMatter.Field] = []
  private(set) var pictures: [(path: String, text: String?)] = []
  private var part: PagePart?
  private var hasTitle: Bool
  /// The level of the heading of the part.
  private var level = 0
  /// Whether the next unmarked line continues the last step.
  private var goesOn = false

  init(hasTitle: Bool) { self.hasTitle = hasTitle }

  mutating func read(_ lines: [String]) {
    var isCode = false
    var index = 0
    while index < lines.count {
      let line = MarkdownLine(lines, index)
      index += line.count
      if line.text.hasPrefix("```") {
        isCode.toggle()
        continue
      }
      if isCode || line.isRule || line.isTableRule { continue }
      for picture in line.pictures { pictures.append(picture) }
      if line.text.isEmpty {
        goesOn = false
      } else if let level = line.level {
        takeHeading(line, level)
      } else if let next = line.part, line.isLabel {
        (part, self.level, goesOn) = (next, 7, false)
      } else if case let cells = line.cells, !cells.isEmpty, part == .ingredients || part == .steps {
        // The row above a rule holds the names of the columns.
        if index < lines.count, MarkdownLine(lines, index).isTableRule { continue }
        take(cells)
      } else {
        take(line)
      }
    }
  }

  /// Adds a row of a table; the amount of an ingredient comes first.
  private mutating func take(_ row: [String]) {
    let cells = row.filter { !$0.isEmpty }
    guard part == .ingredients else {
      let words = cells.filter { !$0.isStepNumber }
      if !words.isEmpty { steps.append(RecipeStep(words.joined(separator: " "))) }
      return
    }
    if cells.count == 1, row.count > 1, !cells[0].contains(where: \.isNumber) {
      return ingredients.append(RecipeIngredient(cells[0].withoutColon, isHeading: true))
    }
    let isBehind = cells.first?.first?.isNumber == false && cells.last?.first?.isNumber == true
    let ordered = isBehind ? cells.suffix(1) + cells.dropLast() : cells
    if !ordered.isEmpty { ingredients.append(RecipeIngredient(line: ordered.joined(separator: " "))) }
  }

  private mutating func takeHeading(_ line: MarkdownLine, _ level: Int) {
    goesOn = false
    if let next = line.part {
      (part, self.level) = (next, level)
      if next == .other { notes.append(line.text) }
      return
    }
    if !hasTitle, title.isEmpty, part == nil, level == 1 {
      title = line.text
      return
    }
    // A heading of a lower level names a group of ingredients; any other one ends the part.
    if level > self.level, part == .ingredients {
      ingredients.append(RecipeIngredient(line.text, isHeading: true))
    } else if level > self.level, part == .steps {
      steps.append(RecipeStep(line.text, isHeading: true))
    } else if level == 1, part == nil {
      intro.append(line.text)
    } else {
      (part, self.level) = (.other, level)
      notes.append(line.text)
    }
  }

  private mutating func take(_ line: MarkdownLine) {
    guard !line.words.isEmpty else { return }
    switch part {
    case .ingredients:
      if line.isBold, !line.isItem {
        ingredients.append(RecipeIngredient(line.words.withoutColon, isHeading: true))
      } else {
        ingredients.append(RecipeIngredient(line: line.words, headings: .colon))
      }
    case .steps:
      if !line.isItem, goesOn, let last = steps.indices.last, !steps[last].isHeading {
        steps[last].text += " " + line.words
      } else if line.isBold, !line.isItem {
        steps.append(RecipeStep(line.words.withoutColon, isHeading: true))
      } else if line.isItem, line.isIndented, let last = steps.indices.last, !steps[last].isHeading {
        steps[last].text += "\n" + line.words
      } else {
        steps.append(RecipeStep(line.words.withoutStepNumber))
      }
      goesOn = true
    case .other: notes.append(line.words)
    case nil:
      if let field = line.field, CooklangFields.isKnown(field.name) {
        fields.append(field)
      } else {
        intro.append(line.words)
      }
    }
  }

  /// Returns a field under its Cooklang name.
  static func field(_ field: FrontMatter.Field) -> FrontMatter.Field {
    let plain = String(field.name.lowercased().map { "_-".contains($0) ? " " : $0 })
    let name = names[plain] ?? (CooklangFields.isKnown(plain) ? plain : field.name)
    return FrontMatter.Field(name: name, values: field.values, isList: field.isList)
  }

  private static let names = [
    "preptime": "prep time", "preparation time": "prep time", "preparation": "prep time", "prep": "prep time",
    "cooktime": "cook time", "cooking time": "cook time", "cook": "cook time", "totaltime": "total time",
    "total": "total time",
    "yields": "yield", "makes": "yield", "serving": "servings", "portions": "servings", "from": "source",
    "source url": "url", "imagecredit": "image credit",
  ]
}
