internal import DecantBase

/// Separates the name of an ingredient from the words about it.
enum IngredientNote {
  /// Splits texts such as “flour, sifted”.
  ///
  /// - Parameters:
  ///   - text: The text after amount and unit.
  ///   - isMeasured: Whether there was an amount: without one a comma may separate ingredients.
  /// - Returns: The name and the note; if the boundary is not certain, everything is the name.
  static func split(_ text: Scalars, isMeasured: Bool) -> (name: Scalars?, note: String?) {
    var name = text.trimmed
    var notes: [Scalars] = []
    if let (before, after) = parts(name, isMeasured) {
      name = before
      if let after { notes.append(after) }
    }
    if let (before, inside) = lastParentheses(name) {
      name = before
      notes.insert(inside, at: 0)
    }
    if let ending = ending(of: name) {
      notes.insert(ending, at: 0)
      name = name[..<ending.startIndex].trimmed
    }
    return (
      name.isEmpty ? nil : name, notes.isEmpty ? nil : notes.map { String($0) }.joined(separator: ", ")
    )
  }

  /// Returns the words at the end of a name that state an amount or a purpose, such as “to taste”.
  private static func ending(of name: Scalars) -> Scalars? {
    guard let last = name.last, last.value < 0x80 ? lastLetters.contains(last.value | 0x20) : true else { return nil }
    // The lower-case forms of some other letters have more scalars.
    let words = name.contains { $0.value >= 0x80 } ? String(name).lowercased() : nil
    if let words, words.unicodeScalars.count != name.count { return nil }
    for ending in endings {
      let written = name.suffix(ending.unicodeScalars.count)
      guard name.before(written.startIndex) == " " else { continue }
      let isEnding =
        words?.unicodeScalars.ends(with: ending)
        ?? written.elementsEqual(ending.unicodeScalars) { sign, letter in
          (0x41...0x5a ~= sign.value ? sign.value + 0x20 : sign.value) == letter.value
        }
      if isEnding { return written }
    }
    return nil
  }

  private static let endings = [
    "to taste", "for garnish", "for serving", "as needed", "or to taste", "nach belieben",
    "nach geschmack",
    "zum garnieren", "zum bestreuen", "zum servieren", "au goût", "optional",
  ]

  private static let lastLetters = Set(endings.compactMap { $0.unicodeScalars.last?.value })

  private static let beginnings = [
    "to taste", "for ", "optional", "nach ", "zum ", "zur ", "pour ", "as needed", "or to taste",
    "plus more", "if ",
  ]

  /// Returns the text before and after the first “ -- ”, “;” or “, ” outside parentheses; `nil` if there is none, or if
  /// it does not separate a name from a note.
  private static func parts(_ text: Scalars, _ isMeasured: Bool) -> (Scalars, Scalars?)? {
    // “Chiles, calif.; roast & peel”: a semicolon is a stronger separator than a comma.
    let hasSemicolon = text.contains(";")
    guard hasSemicolon || text.contains(where: { $0 == "," || $0 == "-" }) else { return nil }
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case ";" where depth == 0: return cut(text, index, text.index(after: index))
      case "-" where depth == 0:
        if text.before(index) == " ", text[index...].begins(with: "-- ") {
          return cut(text, index, text.index(index, offsetBy: 2))
        }
      case "," where depth == 0 && !hasSemicolon:
        let behind = text.index(after: index)
        let after = text[behind...].trimmed
        guard after.first?.isNumber != true || text[behind...].first == " " else { break }
        return isNote(after, behind: text[..<index].trimmed, isMeasured) ? cut(text, index, behind) : nil
      default: break
      }
    }
    return nil
  }

  private static func cut(_ text: Scalars, _ end: Scalars.Index, _ start: Scalars.Index) -> (Scalars, Scalars?)? {
    let before = text[..<end].trimmed
    let after = text[start...].trimmed
    return before.isEmpty ? nil : (before, after.isEmpty ? nil : after)
  }

  /// Whether words after a comma describe what precedes it, rather than continue it.
  private static func isNote(_ after: Scalars, behind before: Scalars, _ isMeasured: Bool) -> Bool {
    let text = after.lowercased
    let words = text[...].unicodeScalars
    if beginnings.contains(where: { words.begins(with: $0) }) { return true }
    guard isMeasured, let last = before.lastWord?.lowercased else { return false }
    // “canola, vegetable, or light olive oil”, “boneless, skinless chicken”
    if words.begins(with: "or ") || words.begins(with: "oder ") || text.holds(", or ") { return false }
    if adjectives.contains(last) { return false }
    return !continuedEndings.contains { last.unicodeScalars.ends(with: $0) }
  }

  private static let continuedEndings = ["-in", "-on", "less", "-free", "-fat", "-cut", "-size", "-sodium"]

  private static let adjectives: Set<String> = [
    "large", "small", "medium", "big", "ripe", "lean", "fresh", "dried", "frozen", "raw", "whole",
    "hot",
    "cold", "warm", "cool", "firm", "thin", "thick", "long", "young", "good", "plain",
    "extra-large", "dry",
    "sweet", "crisp", "unsalted", "salted", "peeled", "chopped", "diced", "sliced", "minced",
    "cooked",
    "shredded", "grated", "great", "fat", "große", "kleine", "mittelgroße", "reife", "frische",
    "großer",
    "kleiner", "frischer", "großes", "kleines", "frisches", "packed", "low", "finely", "freshly",
  ]

  /// Returns the text before and inside parentheses at the end; a space must separate the two.
  private static func lastParentheses(_ text: Scalars) -> (Scalars, Scalars)? {
    guard text.last == ")", let start = text.lastIndex(of: "("), text.before(start) == " " else { return nil }
    let inside = text[start...].dropFirst().dropLast().trimmed
    let before = text[..<start].trimmed
    return inside.isEmpty || before.isEmpty || inside.contains(")") ? nil : (before, inside)
  }
}
