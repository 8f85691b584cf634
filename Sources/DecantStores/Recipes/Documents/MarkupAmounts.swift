/// Numbers and times in texts.
enum MarkupAmounts {
  /// The number that `text` is, or the ends of a range; `nil` for anything else.
  ///
  /// Such as 2, 1/2, 1 1/2, 1½ and 0,75; 2-3 and 2 to 3.
  static func amount(_ text: String?) -> (from: Double, to: Double?)? {
    guard let text = text.flatMap(MarkupTexts.trimmed) else { return nil }
    if let number = number(text) { return (number, nil) }
    for separator in [" to ", " bis ", " - ", "-", "–", "—"] {
      guard let place = text.firstRange(of: separator),
        let from = number(String(text[..<place.lowerBound])),
        let to = number(String(text[place.upperBound...]))
      else { continue }
      return from == to ? (from, nil) : (from, to)
    }
    return nil
  }

  /// The number that `text` is; fractions and mixed numbers count.
  static func number(_ text: String) -> Double? {
    var sum = 0.0
    var parts = 0
    for part in separated(text.trimmingBlanks).split(whereSeparator: \.isWhitespace) {
      guard let value = single(part), parts < 2, parts == 0 || value < 1 else { return nil }
      sum += value
      parts += 1
    }
    return parts > 0 ? sum : nil
  }

  /// The first number in `text`, as in “Serves 4”.
  static func firstNumber(_ text: String?) -> Double? {
    guard let text else { return nil }
    let start = text.drop { !$0.isNumber }
    return number(String(start.prefix { $0.isNumber || ".,".contains($0) }).trimmingPoints)
  }

  private static func single(_ text: Substring) -> Double? {
    if text.count == 1, let value = fractions[text] { return value }
    let sides = text.split(separator: "/", omittingEmptySubsequences: false)
    if sides.count == 2, let top = plain(sides[0]), let bottom = plain(sides[1]), bottom != 0 {
      return top / bottom
    }
    return sides.count == 1 ? plain(text) : nil
  }

  private static func plain(_ text: Substring) -> Double? {
    guard text.contains(where: \.isNumber),
      text.allSatisfy({ $0.isASCII && ($0.isNumber || ".,".contains($0)) })
    else { return nil }
    // “1,000” is a thousand, “0,125” and “1,5” are German.
    let sides = text.split(separator: ",", omittingEmptySubsequences: false)
    let isThousands = sides.count == 2 && sides[1].count == 3 && sides[0] != "0"
    return Double(sides.joined(separator: isThousands ? "" : "."))
  }

  /// A blank in front of ½ and the like.
  private static func separated(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "⁄" {
        result.append("/")
      } else if fractions[Substring(String(character))] != nil {
        result += " \(character)"
      } else {
        result.append(character)
      }
    }
  }

  private static let fractions: [Substring: Double] = [
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5,
    "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8,
  ]

  /// A time as written, in minutes where it can be told; `nil` for an empty one.
  static func time(_ text: String?) -> RecipeTime? {
    text.flatMap(MarkupTexts.trimmed).map { RecipeTime(text: $0, minutes: minutes($0)) }
  }

  /// A time given in minutes; `nil` for none and for zero.
  static func time(minutes text: String?) -> RecipeTime? {
    guard let text = text.flatMap(MarkupTexts.trimmed) else { return nil }
    guard let minutes = Double(text) else { return time(text) }
    return minutes == 0 ? nil : RecipeTime(text: text, minutes: minutes)
  }

  /// The minutes of “1 hour 30 mins”, “1:30”, “PT1H30M”; `nil` for what is not understood to its end.
  static func minutes(_ text: String) -> Double? {
    let text = text.trimmingBlanks.lowercased()
    if text.hasPrefix("p"), let minutes = isoMinutes(text.dropFirst()) { return minutes }
    let clock = text.split(separator: ":", omittingEmptySubsequences: false)
    if clock.count == 2 || clock.count == 3 {
      let parts = clock.map {
        $0.allSatisfy { $0.isASCII && $0.isNumber } ? Double(String($0)) : nil
      }
      if let hours = parts[0], let minutes = parts[1] { return hours * 60 + minutes }
      return nil
    }
    return wordMinutes(text)
  }

  private static func isoMinutes(_ text: Substring) -> Double? {
    var sum = 0.0
    var digits = ""
    var isTime = false
    var isAny = false
    for character in text {
      if character == "t" { isTime = true; continue }
      if character.isNumber || character == "." { digits.append(character); continue }
      guard let value = Double(digits) else { return nil }
      digits = ""
      isAny = true
      switch character {
      case "w": sum += value * 7 * 1440
      case "d": sum += value * 1440
      case "h": sum += value * 60
      case "m" where isTime: sum += value
      case "s": sum += value / 60
      default: return nil
      }
    }
    return isAny && digits.isEmpty ? sum : nil
  }

  private static let units: [(name: String, minutes: Double)] = [
    ("minut", 1), ("min", 1), ("mn", 1), ("stunde", 60), ("std", 60), ("heure", 60), ("hour", 60),
    ("hr", 60), ("sec", 1 / 60), ("sek", 1 / 60), ("day", 1440), ("tag", 1440), ("jour", 1440),
    ("week", 10080), ("m", 1), ("h", 60), ("s", 1 / 60), ("d", 1440),
  ]

  private static func wordMinutes(_ text: String) -> Double? {
    var sum = 0.0
    var number = ""
    var rest = text[...]
    while let first = rest.first {
      if first.isNumber || "./⁄ ".contains(first) || first.isWhitespace {
        number.append(first)
        rest = rest.dropFirst()
        continue
      }
      guard first.isLetter else { return nil }
      let word = rest.prefix { $0.isLetter || $0 == "." }
      rest = rest.dropFirst(word.count)
      if ["and", "und", "et"].contains(word), Self.number(number) == nil { continue }
      guard let value = Self.number(number),
        let unit = units.first(where: {
          $0.name.count > 1 ? word.hasPrefix($0.name) : word == $0.name
        })
      else { return nil }
      sum += value * unit.minutes
      number = ""
    }
    return number.trimmingBlanks.isEmpty && sum > 0 ? sum : nil
  }
}

extension String {
  /// Without points and commas at its end.
  fileprivate var trimmingPoints: String {
    var text = self[...]
    while text.last == "." || text.last == "," { text = text.dropLast() }
    return String(text)
  }
}
