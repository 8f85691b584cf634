/// Where the name of an ingredient ends and the words about it begin.
enum IngredientNote {
  /// Parts “flour, sifted” and the like.
  ///
  /// - Parameters:
  ///   - text: What is behind amount and unit.
  ///   - isMeasured: Whether there was an amount: without one a comma may part ingredients.
  /// - Returns: The name and the note; where the border is not sure all is the name.
  static func split(_ text: Substring, isMeasured: Bool) -> (name: String?, note: String?) {
    var name = text.trimmingBlanks
    var notes: [String] = []
    if let (before, after) = parts(name, isMeasured) {
      name = before
      if let after { notes.append(after) }
    }
    if let (before, inside) = lastParentheses(name) {
      name = before
      notes.insert(inside, at: 0)
    }
    let words = name.lowercased()
    for ending in endings where words.hasSuffix(ending) && words.dropLast(ending.count).last == " " {
      notes.insert(String(name.suffix(ending.count)), at: 0)
      name = name.dropLast(ending.count).trimmingBlanks
      break
    }
    return (name.isEmpty ? nil : name, notes.isEmpty ? nil : notes.joined(separator: ", "))
  }

  private static let endings = [
    "to taste", "for garnish", "for serving", "as needed", "or to taste", "nach belieben",
    "nach geschmack",
    "zum garnieren", "zum bestreuen", "zum servieren", "au goût", "optional",
  ]

  private static let beginnings = [
    "to taste", "for ", "optional", "nach ", "zum ", "zur ", "pour ", "as needed", "or to taste",
    "plus more", "if ",
  ]

  /// The text before and behind the first “ -- ”, “;” or “, ” outside parentheses; `nil` where there is none, or
  /// where it does not part a name from a note.
  private static func parts(_ text: String, _ isMeasured: Bool) -> (String, String?)? {
    // “Chiles, calif.; roast & peel”: a semicolon parts more than a comma does.
    guard text.utf8.contains(where: { $0 == 0x3b || $0 == 0x2c || $0 == 0x2d }) else { return nil }
    let hasSemicolon = text.utf8.contains(UInt8(ascii: ";"))
    var depth = 0
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case ";" where depth == 0:
        return cut(text, index, text.index(after: index))
      case "-" where depth == 0:
        if text[index...].hasPrefix("-- "), index > text.startIndex,
          text[text.index(before: index)] == " "
        {
          return cut(text, index, text.index(index, offsetBy: 2))
        }
      case "," where depth == 0 && !hasSemicolon:
        let behind = text.index(after: index)
        let before = text[..<index].trimmingBlanks
        let after = text[behind...].trimmingBlanks
        guard after.first?.isNumber != true || text[behind...].first == " " else { break }
        return isNote(after, behind: before, isMeasured) ? cut(text, index, behind) : nil
      default: break
      }
      index = text.index(after: index)
    }
    return nil
  }

  private static func cut(_ text: String, _ end: String.Index, _ start: String.Index) -> (String, String?)? {
    let before = text[..<end].trimmingBlanks
    let after = text[start...].trimmingBlanks
    return before.isEmpty ? nil : (before, after.isEmpty ? nil : after)
  }

  /// Whether words behind a comma are about what stands before it, and not its continuation.
  private static func isNote(_ after: String, behind before: String, _ isMeasured: Bool) -> Bool {
    let words = after.lowercased()
    if beginnings.contains(where: { words.hasPrefix($0) }) { return true }
    guard isMeasured, let last = before.split(separator: " ").last?.lowercased() else {
      return false
    }
    // “canola, vegetable, or light olive oil”, “boneless, skinless chicken”
    if words.hasPrefix("or ") || words.holds(", or ") || words.hasPrefix("oder ") {
      return false
    }
    if adjectives.contains(last) { return false }
    return !["-in", "-on", "less", "-free", "-fat", "-cut", "-size", "-sodium"].contains {
      last.hasSuffix($0)
    }
  }

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

  /// The text before, and that in, parentheses at the end; a blank parts the two.
  private static func lastParentheses(_ text: String) -> (String, String)? {
    guard text.last == ")", let start = text.lastIndex(of: "("), start > text.startIndex,
      text[text.index(before: start)] == " "
    else { return nil }
    let inside = text[start...].dropFirst().dropLast().trimmingBlanks
    let before = text[..<start].trimmingBlanks
    return inside.isEmpty || before.isEmpty || inside.contains(")") ? nil : (before, inside)
  }
}
