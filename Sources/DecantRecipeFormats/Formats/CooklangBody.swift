internal import DecantBase
internal import DecantJSON

/// Sections, steps, lists of ingredients and notes of a recipe in Cooklang.
package struct CooklangBody {
  private(set) var ingredients: [RecipeIngredient] = []
  private(set) var steps: [RecipeStep] = []
  private(set) var notes: [String] = []
  /// The tools with their quantities, if any, without duplicates.
  private(set) var cookware: [String] = []
  /// The marks of the ingredients, by their places in the list.
  private var marks: [Int: CooklangMark] = [:]
  private var section: String?
  private var isInSteps = false
  private var isInIngredients = false
  /// Whether the list of ingredients at the beginning of some recipes has ended.
  private var isBehindList = false

  /// Reads the lines after the fields.
  mutating func read(_ lines: [String]) {
    var paragraph: [String] = []
    var note: [String] = []
    for line in lines + [""] {
      let isNote = line.hasPrefix(">")
      if !isNote, !note.isEmpty {
        let text = note.joined(separator: "\n").trimmed
        if !text.isEmpty { notes.append(text) }
        note = []
      }
      let isSection = line.hasPrefix("=")
      if isNote || isSection || line.trimmed.isEmpty {
        if !paragraph.isEmpty { end(paragraph) }
        paragraph = []
      }
      if isNote {
        let text = line.dropFirst()
        note.append(String(text.first == " " ? text.dropFirst() : text))
      } else if isSection {
        endSection()
        let name = CooklangBody.sectionName(line)
        if name.isEmpty { isBehindList = true }
        (section, isInSteps, isInIngredients) = (name.isEmpty ? nil : name, false, false)
      } else if !line.trimmed.isEmpty, !isComment(line) {
        paragraph.append(line)
      }
    }
    endSection()
  }

  private func isComment(_ line: String) -> Bool {
    CooklangParser.pieces(line).allSatisfy { piece in
      switch piece {
      case .comment: true
      case .text(let text): text.trimmed.isEmpty && !text.contains("\n")
      default: false
      }
    } && !line.hasSuffix("\\")
  }

  /// Returns the text between the equals signs of a line; the closing ones may be missing.
  private static func sectionName(_ line: String) -> String {
    var name = line.drop { $0 == "=" }.trimmed[...]
    while name.last == "=", name.dropLast().last != "\\" { name = name.dropLast() }
    return CooklangParser.unescaped(name.trimmed)
  }

  /// Ends the current section; an empty one is a heading of the steps, or of the list that precedes them.
  private mutating func endSection() {
    if let section, !isInSteps, !isInIngredients {
      if isBehindList || !steps.isEmpty {
        steps.append(RecipeStep(section, isHeading: true))
      } else {
        ingredients.append(RecipeIngredient(section, isHeading: true))
      }
    }
    section = nil
  }

  private mutating func end(_ paragraph: [String]) {
    let pieces = CooklangParser.pieces(paragraph.joined(separator: "\n"))
    if isList(pieces) {
      for piece in pieces {
        switch piece {
        case .ingredient(let mark): add(mark)
        case .comment(let text):
          let line = text.trimmed
          if !line.isEmpty, let last = ingredients.indices.last { ingredients[last].text = line }
        default: break
        }
      }
      return
    }
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .ingredient(let mark):
        text += CooklangBody.shown(mark)
        add(mark)
      case .cookware(let mark):
        text += mark.name
        let tool = [mark.quantity, mark.unit, mark.name].filter { !$0.isEmpty }.joined(separator: " ")
        if !mark.modifiers.contains("&"), !cookware.contains(tool) { cookware.append(tool) }
      case .timer(let mark):
        let time = [mark.quantity, mark.unit].filter { !$0.isEmpty }.joined(separator: " ")
        text += time.isEmpty ? mark.name : time
      case .comment: break
      }
    }
    text = text.trimmed
    guard !text.isEmpty else { return }
    if let section, !isInSteps { steps.append(RecipeStep(section, isHeading: true)) }
    isInSteps = true
    steps.append(RecipeStep(text))
  }

  /// Whether a paragraph consists of nothing but ingredients.
  private func isList(_ pieces: [CooklangPiece]) -> Bool {
    var hasIngredient = false
    for piece in pieces {
      switch piece {
      case .ingredient: hasIngredient = true
      case .text(let text):
        guard text.allSatisfy({ $0.isWhitespace || $0 == "," }) else { return false }
      case .comment: if !hasIngredient { return false }
      default: return false
      }
    }
    return hasIngredient
  }

  // MARK: Ingredients

  /// Returns the last part of the path of another recipe, or the name.
  private static func name(_ mark: CooklangMark) -> String {
    guard mark.name.hasPrefix("./") || mark.name.hasPrefix("../") else { return mark.name }
    return mark.name.split(separator: "/").last.map(String.init) ?? mark.name
  }

  /// Returns the text of an ingredient in a step: its name, and of a reference all that it says of this step.
  private static func shown(_ mark: CooklangMark) -> String {
    let name = mark.alias ?? name(mark)
    guard mark.modifiers.contains("&") else { return name }
    let words = [amount(mark), mark.unit, name].filter { !$0.isEmpty }.joined(separator: " ")
    return mark.note.map { "\(words) (\($0))" } ?? words
  }

  private mutating func add(_ mark: CooklangMark) {
    // What was named before is already in the list.
    if mark.modifiers.contains("&"), mark.isResult || addsToNamed(mark) { return }
    if let section, !isInIngredients {
      ingredients.append(RecipeIngredient(section, isHeading: true))
    }
    isInIngredients = true
    marks[ingredients.count] = mark
    ingredients.append(CooklangBody.ingredient(mark))
  }

  /// Adds the amount of a reference to that of the ingredient that was named before.
  ///
  /// - Parameter mark: The reference.
  /// - Returns: Whether the list has all of it; otherwise, as with another unit, it needs a line of its own.
  private mutating func addsToNamed(_ mark: CooklangMark) -> Bool {
    let name = CooklangBody.name(mark).lowercased()
    let place = ingredients.lastIndex { !$0.isHeading && $0.name?.lowercased() == name }
    guard let place, var named = marks[place] else { return false }
    guard !mark.quantity.isEmpty else { return true }
    // A line that stands in a comment is not ours to change.
    guard ingredients[place].text == CooklangBody.ingredient(named).text, named.unit == mark.unit,
      let before = CooklangBody.quantity(CooklangBody.amount(named)),
      let more = CooklangBody.quantity(CooklangBody.amount(mark))
    else { return false }
    let (least, most) = (before.from + more.from, (before.to ?? before.from) + (more.to ?? more.from))
    named.quantity = AmountText.text(least) + (most > least ? "-" + AmountText.text(most) : "")
    marks[place] = named
    ingredients[place] = CooklangBody.ingredient(named)
    return true
  }

  /// Returns the amount of a mark; `=` means that it is fixed when the others are scaled.
  private static func amount(_ mark: CooklangMark) -> String {
    mark.quantity.first == "=" ? mark.quantity.dropFirst().trimmed : mark.quantity
  }

  /// Returns the ingredient of a mark; its text combines the parts as people would write them.
  package static func ingredient(_ mark: CooklangMark) -> RecipeIngredient {
    let name = name(mark)
    let amount = amount(mark)
    let parts = [amount, mark.unit, name].filter { !$0.isEmpty }.joined(separator: " ")
    var ingredient = RecipeIngredient(parts + (mark.note.map { ", \($0)" } ?? ""))
    let quantity = quantity(amount)
    ingredient.amount = quantity?.from
    ingredient.amountTo = quantity?.to
    ingredient.unit = mark.unit.isEmpty ? nil : mark.unit
    ingredient.name = name
    ingredient.note = mark.note
    if mark.modifiers.contains("?") { ingredient.isOptional = true }
    if quantity == nil, !amount.isEmpty {
      ingredient.extra.append(("quantity", .string(amount)))
    }
    if name != mark.name { ingredient.extra.append(("reference", .string(mark.name))) }
    return ingredient
  }

  /// Returns the number of an amount: “1 / 2” is one, “01/2” is not.
  static func quantity(_ text: String) -> Quantity? {
    let text = text.components(of: "/").map(\.trimmed).joined(separator: "/")
    if text.first == "0", text.dropFirst().first?.isASCIIDigit == true { return nil }
    return Quantity(text)
  }
}
