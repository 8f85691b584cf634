internal import DecantBase
internal import DecantRecipeFormats

/// Words of pages that do not belong to recipes.
enum PageWords {
  /// The words for a step that precede its number.
  static let steps: Set<String> = [
    "step", "schritt", "stap", "étape", "etape", "paso", "passo", "passaggio", "krok", "steg", "trin", "steps", "fase",
    "lépés", "βήμα", "шаг", "krok", "pas", "步骤", "步驟", "langkah", "bước", "vaihe", "korak", "adım", "skref",
  ]

  /// Whether a line belongs to a control: to choose units or the number of servings, or to buy and print.
  static func isControl(_ text: String) -> Bool {
    guard text.utf8.count <= 240 else { return false }
    let letters = String(decoding: FoldedText.searched(text), as: UTF8.self).filter { $0 != ":" }
    if letters.utf8.count > 60 { return false }
    if Servings.number(in: text) != nil, Double(text.trimmed) == nil { return true }
    if letters.hasPrefix("calories") || letters.hasPrefix("kcal") { return true }
    if letters.utf8.count < 40, networks.contains(where: letters.contains) { return true }
    if controls.contains(letters) || isScale(letters) { return true }
    // Buttons stand side by side: “Units Scale”, “US Customary - Metric”.
    guard letters.utf8.count <= 40, !letters.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
    let words = letters.split { !$0.isLetter }
    return !words.isEmpty && words.allSatisfy { buttons.contains(String($0)) }
  }

  /// Whether a line is a nutrient with its amount: “fat12.5g”.
  static func isNutrient(_ text: String) -> Bool {
    guard text.utf8.count <= 30, text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
    let folded = String(decoding: FoldedText.searched(text), as: UTF8.self)
    guard let name = nutrients.first(where: folded.hasPrefix) else { return false }
    let rest = folded.dropFirst(name.count).drop { $0 == " " || $0 == ":" }
    let unit = rest.drop { $0.isNumber || $0 == "." || $0 == "," }
    return unit.startIndex > rest.startIndex && ["", "g", "mg"].contains(unit.trimmed)
  }

  /// Whether a line offers to multiply a recipe: “Scale 1x 2x 3x”.
  private static func isScale(_ text: String) -> Bool {
    let factors = text.hasPrefix("scale ") ? text.dropFirst(6) : text[...]
    return factors.first?.isNumber == true && factors.last == "x"
      && factors.allSatisfy { $0.isNumber || $0 == "x" || $0.isWhitespace }
  }

  /// The beginnings of names of groups.
  static let groups = [
    "For the ", "For ", "Für den ", "Für die ", "Für das ", "Pour la ", "Pour le ", "Pour les ", "Pour l", "Para el ",
    "Para la ",
    "Per la ", "Per il ", "Per l", "Voor de ", "Voor het ", "Till ", "Til ",
  ]

  private static let nutrients = [
    "kcal", "fat", "saturates", "carbs", "sugars", "fibre", "fiber", "protein", "salt",
  ]

  private static let networks = ["facebook", "twitter", "pinterest", "whatsapp", "instagram"]

  private static let controls: Set<String> = [
    "cook mode", "add to shopping list", "buy now", "servings",
  ]

  /// Words on buttons, alone or side by side.
  private static let buttons: Set<String> = [
    "metric", "us", "customary", "imperial", "units", "cups", "grams", "print", "save", "scale", "share", "copy",
  ]
}
