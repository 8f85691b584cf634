internal import DecantBase

/// The number of servings in a description of a recipe's yield.
package enum Servings {
  /// Returns the number of servings of a recipe.
  ///
  /// - Parameter text: “4”, “4 servings”, “Serves 6”, “für 4 Personen”.
  /// - Returns: The number; `nil` for ranges, for other yields (“2 loaves”), and for two numbers.
  package static func number(in text: String) -> Double? {
    var tokens: [Token] = []
    var rest = text.trimmed[...]
    while let first = rest.first {
      if first.isNumber {
        guard let quantity = Quantity(reading: &rest), quantity.to == nil, !quantity.isAmbiguous
        else { return nil }
        tokens.append(.number(quantity.from))
      } else if first.isLetter {
        let word = rest.prefix { $0.isLetter }
        tokens.append(.word(word.lowercased()))
        rest = rest.dropFirst(word.count)
      } else {
        // “~4”, “4+”, “<4” are approximate.
        guard !"~<>+≈".contains(first) else { return nil }
        if "()[];".contains(first) { tokens.append(.border) }
        rest = rest.dropFirst()
      }
    }
    if tokens.count == 1, case .number(let number) = tokens[0] { return number > 0 ? number : nil }
    var found: [Double] = []
    for (index, token) in tokens.enumerated() {
      guard case .number(let number) = token else { continue }
      let before = index > 0 ? tokens[index - 1] : .border
      let after = index + 1 < tokens.count ? tokens[index + 1] : .border
      if case .word(let word) = after, servings.contains(word) {
        found.append(number)
      } else if case .word(let word) = before, introductions.contains(word), after == .border {
        found.append(number)
      }
    }
    guard found.count == 1, found[0] > 0 else { return nil }
    return found[0]
  }

  /// Returns a yield without a label before a colon and without “1x”: “24 cookies” of “Yield: 24 cookies”, but “Serves
  /// 4” unchanged.
  package static func withoutLabel(_ text: String) -> String {
    var value = text.trimmed
    if let colon = value.firstIndex(where: { $0 == ":" || $0 == "：" }) {
      let rest = value[value.index(after: colon)...].trimmed
      // “Makes: 1” does not mean that it serves one.
      let saysWhat = Double(rest) == nil || number(in: value.replacing(/[:：]/, with: " ")) != nil
      if !value[..<colon].contains(where: \.isNumber), rest.contains(where: \.isNumber), saysWhat { value = rest }
    }
    let words = value.split(separator: " ")
    if words.count > 1, let last = words.last, last.count < 4, last.lowercased().last == "x",
      last.dropLast().allSatisfy(\.isNumber)
    {
      value = value.dropLast(last.count).trimmed
    }
    return value
  }

  private enum Token: Hashable {
    case number(Double)
    case word(String)
    case border
  }

  package static let servings: Set<String> = [
    "serving", "servings", "serves", "serve", "portion", "portions", "portionen", "person",
    "persons",
    "people", "personen", "personne", "personnes", "pers", "convives", "portie", "porties",
    "porciones",
    "porzioni", "personer", "portioner", "persone", "persona", "personas", "pessoas", "comensales", "raciones",
    "ración",
    "porções", "porção", "porce", "porcí", "porcie", "porcií", "porcje", "porcji", "osoby", "osób", "adag", "porsjoner",
    "annosta", "porția", "porții", "порции", "порций", "порція", "μερίδες", "άτομα", "kişilik", "porciók",
    "порция", "человек", "человека", "人份", "人分", "人前", "名分", "인분", "أشخاص", "اشخاص", "حصص",
  ]
  package static let introductions: Set<String> = [
    "serves", "serve", "servings", "serving", "für", "pour", "portionen", "portions", "personen",
    "personnes", "personen", "porciones", "porções", "porzioni", "raciones", "personas", "persone", "porcje", "porcí",
    "porce",
    "adag", "porsjoner", "portioner", "personer", "μερίδες", "порций", "порции", "الحصص",
  ]
}
