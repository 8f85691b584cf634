/// A length of time as people write it: “15 minutes”, “1 hour 30 min”, “0:45”, “1½ Stunden”.
enum MinutesText {
  /// The minutes that a text says.
  ///
  /// - Parameter text: Numbers with units; a bare number is minutes, one with a colon hours and minutes.
  /// - Returns: `nil` where it says none, a range, or something else besides.
  static func minutes(in text: String) -> Double? {
    let text = text.trimmingBlanks
    if let clock = clock(text) { return clock }
    var rest = text[...]
    var total = 0.0
    var isFound = false
    while true {
      rest = rest.drop { $0 == " " || $0 == "," }
      for word in ["and ", "und ", "et ", "ca. ", "ca "] where rest.hasPrefix(word) {
        rest = rest.dropFirst(word.count)
      }
      guard !rest.isEmpty else { return isFound ? total : nil }
      guard let quantity = Quantity(reading: &rest), quantity.to == nil, !quantity.isAmbiguous
      else { return nil }
      rest = rest.drop { $0 == " " }
      let word = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(word.count)
      if rest.first == "." { rest = rest.dropFirst() }
      if word.isEmpty {
        guard !isFound, rest.isEmpty else { return nil }
        return quantity.from
      }
      guard let factor = factors[word.lowercased()] else { return nil }
      total += quantity.from * factor
      isFound = true
    }
  }

  /// A time that was written, in minutes as well where they can be told; `nil` for an empty one.
  static func time(_ text: String?) -> RecipeTime? {
    guard let text = text?.trimmingBlanks, !text.isEmpty else { return nil }
    return RecipeTime(text: text, minutes: minutes(in: text))
  }

  /// Hours and minutes with a colon between them.
  private static func clock(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      parts[1].count <= 2, let minutes = Double(parts[1]), minutes < 60,
      let hours = parts[0].isEmpty ? 0 : Double(parts[0])
    else { return nil }
    return hours * 60 + minutes
  }

  private static let factors: [String: Double] = {
    var factors: [String: Double] = [:]
    for word in "m min mins minute minutes minuten minuti mn".split(separator: " ") {
      factors[String(word)] = 1
    }
    for word in "h hr hrs hour hours std stdn stunde stunden heure heures".split(separator: " ") {
      factors[String(word)] = 60
    }
    for word in "d day days tag tage jour jours".split(separator: " ") {
      factors[String(word)] = 1440
    }
    for word in "s sec secs second seconds sek sekunde sekunden".split(separator: " ") {
      factors[String(word)] = 1 / 60
    }
    return factors
  }()
}
