internal import DecantBase

/// The parts of a line of a list of ingredients, as far as they are certain.
///
/// “1 (14 oz) can tomatoes, drained” is 1 of a unit “can”, a name and a note “14 oz, drained”. For ambiguous lines (“1
/// lb 2 oz beef”, “15 oz can beans”) all parts are `nil`, and only the line itself is kept.
struct IngredientParts: Sendable, Hashable {
  var amount: Double?
  /// The upper limit, if the line gives a range.
  var amountTo: Double?
  /// The unit as written, without a full stop after it.
  var unit: String?
  var name: String?
  /// The size of a can, the words after a comma or in parentheses.
  var note: String?

  /// Lines longer than this, in characters, are prose.
  private static let limit = 200

  /// Reads a line; a list marker at its beginning (“-”, “•”) is ignored.
  init(_ text: String) {
    let text = text.trimmed
    guard text.utf8.count <= 1 << 16 else { return }
    let line = text.withScalars { memory -> IngredientParts? in
      var rest = memory.scalars
      while let sign = rest.first, IngredientParts.bullets.contains(sign), rest.dropFirst().first == " " {
        rest = rest.dropFirst().drop { $0.isBlank }
      }
      guard !rest.isEmpty, rest.count <= IngredientParts.limit else { return nil }
      rest = memory.replacingBlanks(from: rest.startIndex)
      return IngredientParts.measured(rest) ?? IngredientParts.unmeasured(rest)
    }
    if let line { self = line }
  }

  private init() {}

  private static let bullets = Array("-*•–·□☐▢".unicodeScalars)

  /// Whether a line is an amount without an ingredient: “1/2 teaspoon”, “2”.
  static func isAmount(_ line: String) -> Bool {
    guard line.utf8.count <= 40, line.first?.isNumber == true else { return false }
    if line.allSatisfy({ $0.isNumber || "/., -–".contains($0) }) { return true }
    let parts = IngredientParts(line)
    return parts.name.map(isPortion) ?? (parts.unit != nil)
  }

  /// Reads a line without an amount; returns `nil` if it may contain one.
  private static func unmeasured(_ text: Scalars) -> IngredientParts? {
    guard text.count <= 80, text.last != ":", !text.contains(where: \.isNumber) else { return nil }
    var line = IngredientParts()
    let (name, note) = IngredientNote.split(text, isMeasured: false)
    (line.name, line.note) = (name.map { String($0) }, note)
    return line
  }

  /// Reads a line with an amount; returns `nil` without one, or if the line is ambiguous.
  private static func measured(_ text: Scalars) -> IngredientParts? {
    var rest = text
    var line = IngredientParts()
    var notes: [String] = []
    if let count = article(&rest) {
      line.amount = count
    } else {
      guard let quantity = Quantity(scalars: &rest) else { return nil }
      line.amount = quantity.from
      line.amountTo = quantity.to
      if quantity.isAmbiguous {
        // In Germany, “1.500 g” can be either, but “2.125 cups” cannot; “1,000” is never certain.
        var behind = rest.droppingBlanks
        guard !text.prefix(12).contains(","), let (unit, kind) = MeasureUnit.read(&behind),
          kind == .measure, !["g", "gr", "gramm", "ml"].contains(unit.lowercased())
        else { return nil }
      }
    }
    guard let unit = unit(&rest, &notes) else { return nil }
    line.unit = unit.isEmpty ? nil : unit
    rest = rest.droppingBlanks
    if rest.isEmpty {
      // “2 cloves”: the spice. “200 g”: the ingredient is missing.
      if let unit = line.unit, isPortion(unit) { (line.unit, line.name) = (nil, unit) }
    } else {
      let (name, note) = IngredientNote.split(rest, isMeasured: true)
      guard let name, !isSecondAmount(name) else { return nil }
      line.name = String(name)
      if let note { notes.append(note) }
    }
    line.note = notes.isEmpty ? nil : notes.joined(separator: ", ")
    return line.name == nil && line.unit == nil ? nil : line
  }

  /// Takes the unit with anything that belongs to it; “” if there is none, `nil` if the line is ambiguous.
  private static func unit(_ rest: inout Scalars, _ notes: inout [String]) -> String? {
    let isGlued = rest.first?.isWordLetter ?? false
    if let sign = rest.first, sign != " ", sign != "(", !sign.isWordLetter, sign != "×" { return nil }
    var size = rest.droppingBlanks
    if let sign = size.first, sign == "x" || sign == "×" || sign == "X" {
      var behind = size.dropFirst().droppingBlanks
      if let text = measure(&behind) {
        notes.append(text)
        rest = behind.droppingBlanks
        return containerOrNothing(&rest)
      }
    }
    if size.first?.isNumber == true {
      guard let text = measure(&size) else { return nil }
      notes.append(text)
      rest = size.drop { $0 == " " || $0 == "-" }
      let unit = containerOrNothing(&rest)
      return unit?.isEmpty == true ? nil : unit
    }
    if let inside = parentheses(&size) {
      notes.append(inside)
      rest = size
    }
    rest = rest.droppingBlanks
    guard let (unit, kind) = MeasureUnit.read(&rest) else { return isGlued ? nil : "" }
    var behind = rest.droppingBlanks
    if let inside = parentheses(&behind) {
      notes.append(inside)
      rest = behind
    } else if behind.first == "/" {
      behind = behind.dropFirst().droppingBlanks
      guard let text = measure(&behind) else { return nil }
      notes.append(text)
      rest = behind
    } else if let sign = behind.first,
      sign.isNumber || joiners.contains(sign) || isSecondAmount(behind.prefix(12))
    {
      return nil
    }
    var next = rest.droppingBlanks
    if kind == .measure, let (_, other) = MeasureUnit.read(&next), other == .container { return nil }
    skipOf(&rest)
    return unit
  }

  private static let joiners = Array("+-–—×/".unicodeScalars)

  /// Returns the unit after a size, as in “2 x 400g tins”; “” if there is none.
  private static func containerOrNothing(_ rest: inout Scalars) -> String? {
    guard let (unit, _) = MeasureUnit.read(&rest) else { return "" }
    skipOf(&rest)
    return unit
  }

  /// Takes a number with its unit, such as “14-oz”, as written, and those that belong to it: “3 lb 5 oz”, “7oz/1 cup”.
  private static func measure(_ text: inout Scalars) -> String? {
    var rest = text
    guard skipMeasure(&rest) else { return nil }
    while true {
      var behind = rest.droppingBlanks
      if behind.first == "/" { behind = behind.dropFirst().droppingBlanks }
      guard skipMeasure(&behind) else { break }
      rest = behind
    }
    let measure = text[..<rest.startIndex]
    text = rest
    return String(measure)
  }

  private static func skipMeasure(_ text: inout Scalars) -> Bool {
    var rest = text
    guard Quantity(scalars: &rest) != nil else { return false }
    rest = rest.drop { $0 == " " || $0 == "-" }
    guard let (_, kind) = MeasureUnit.read(&rest), kind == .measure else { return false }
    text = rest
    return true
  }

  /// Takes the text in parentheses at the beginning of `text`.
  private static func parentheses(_ text: inout Scalars) -> String? {
    guard text.first == "(", let end = text.firstIndex(of: ")") else { return nil }
    let inside = text[..<end].dropFirst().trimmed
    guard !inside.isEmpty, !inside.contains("(") else { return nil }
    text = text[end...].dropFirst()
    return String(inside)
  }

  /// Takes “of”, “de”, “d’” after a unit.
  private static func skipOf(_ text: inout Scalars) {
    let rest = text.droppingBlanks
    guard rest.startIndex != text.startIndex, rest.first == "o" || rest.first == "d" else { return }
    for word in linking where rest.begins(with: word) {
      text = rest.dropFirst(word.unicodeScalars.count)
      return
    }
  }

  private static let linking = [
    "of ", "di ", "dell'", "dell’", "d’", "de la ", "de l'", "de l’", "de ", "du ", "des ", "d'",
  ]

  /// Takes an article that acts as a number before a unit: “a pinch”, “eine Prise”.
  private static func article(_ text: inout Scalars) -> Double? {
    guard text.first?.isASCIIDigit == false else { return nil }
    let word = text.prefix { $0 != " " }
    guard word.count <= 5, articles.contains(word.lowercased) else { return nil }
    var rest = text[word.endIndex...].droppingBlanks
    guard MeasureUnit.read(&rest) != nil, !rest.isEmpty else { return nil }
    text = text[word.endIndex...]
    return 1
  }

  private static let articles: Set = ["a", "an", "one", "ein", "eine", "einen", "une", "un"]

  /// Whether `text` contains a second amount that adds to the first or replaces it: “plus 1 tbsp”, “or 2 cups”.
  private static func isSecondAmount(_ text: Scalars) -> Bool {
    guard text.contains(where: \.isNumber) else { return false }
    let words = text.words
    return zip(words, words.dropFirst()).contains { last, word in
      word.first?.isNumber == true && amountJoiners.contains(last.lowercased)
    }
  }

  private static let amountJoiners: Set = ["plus", "or", "and", "+", "oder", "und", "ou", "et", "&"]

  private static func isPortion(_ unit: String) -> Bool {
    unit.withScalars { memory in
      var text = memory.scalars
      guard let (_, kind) = MeasureUnit.read(&text) else { return false }
      return kind != .measure
    }
  }
}
