internal import DecantBase

/// Marks that make a line in a list of ingredients or steps a heading; each format chooses its own.
package struct LineHeading: OptionSet, Sendable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A colon at the end: “For the sauce:”.
  package static let colon = LineHeading(rawValue: 1)
  /// `# Sauce`, `## Sauce`.
  package static let hash = LineHeading(rawValue: 2)
  /// `**Sauce**`, `__Sauce__`.
  package static let bold = LineHeading(rawValue: 4)
  package static let all: LineHeading = [.colon, .hash, .bold]

  /// Returns the heading without its marks, or `nil` for a line that is not a heading.
  package func text(_ line: String) -> String? {
    var text = line.trimmed
    var isHeading = false
    if contains(.hash), text.first == "#" {
      let heading = text.drop { $0 == "#" }
      guard heading.first == " " else { return nil }
      text = heading.trimmed
      isHeading = true
    }
    if contains(.bold) {
      for mark in ["**", "__"] {
        // The colon may be inside or outside the marks: “**Sauce:**”, “**Sauce**:”.
        let bare = text.last == ":" ? text.dropLast().trimmed : text
        guard bare.count > 4, bare.hasPrefix(mark), bare.hasSuffix(mark) else { continue }
        let inside = bare.dropFirst(2).dropLast(2).trimmed
        guard !inside.contains(mark) else { continue }
        text = inside.last == ":" ? inside.dropLast().trimmed : inside
        isHeading = true
      }
    }
    if contains(.colon), text.last == ":" || text.last == "：" {
      text = text.dropLast().trimmed
      isHeading = true
    }
    return isHeading && !text.isEmpty ? text : nil
  }

  /// Returns a line that is not a heading without marks, so that a reader does not take it for one.
  package func without(_ line: String) -> String {
    var line = line
    while let heading = text(line) { line = heading }
    return line
  }
}

extension RecipeIngredient {
  /// Reads a line as people write it: a heading, or an ingredient with its parts as far as they are certain.
  package init(line: String, headings: LineHeading) {
    let text = line.trimmed
    if let heading = headings.text(text) {
      self.init(heading, isHeading: true)
    } else {
      self.init(line: text)
    }
  }

  /// Reads an ingredient with its parts as far as they are certain.
  package init(line: String) {
    self.init(line.trimmed)
    fillParts()
  }

  /// Fills in the parts that are certain from the line, unless some are present; the line is not changed.
  package mutating func fillParts() {
    guard !isHeading, amount == nil, amountTo == nil, unit == nil, name == nil, note == nil else {
      return
    }
    let parts = IngredientParts(text)
    amount = parts.amount
    amountTo = parts.amountTo
    unit = parts.unit
    name = parts.name
    note = parts.note
    if isOptional == nil, let words = note?.lowercased(),
      words.holds("optional") || words.holds("facultati")
    {
      isOptional = true
    }
  }
}
