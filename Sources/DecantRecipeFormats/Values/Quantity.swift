internal import DecantBase

/// An amount at the beginning of a text: “1 1/2”, “½”, “2-3”, “1,5”, “4 to 4 1/2”.
package struct Quantity: Sendable, Hashable {
  /// The only number, or the lower limit.
  package var from: Double
  /// The upper limit, if two numbers are given; greater than `from`.
  package var to: Double?
  /// Whether a dot or comma may separate thousands as well as decimals: “1.500” is read as decimals, “1,000” is not.
  package var isAmbiguous = false

  /// Reads the amount at the beginning of `text` and removes it; the text after it remains.
  ///
  /// Returns `nil` without a meaningful amount; `text` is then unchanged.
  package init?(reading text: inout Substring) {
    var rest = text.unicodeScalars
    self.init(scalars: &rest)
    text = Substring(rest)
  }

  /// Reads the amount at the beginning of `text` and removes it, as above.
  init?<Text: Collection>(scalars text: inout Text) where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    var rest = text
    guard let first = Number(scalars: &rest) else { return nil }
    from = first.value
    isAmbiguous = first.isAmbiguous
    var behind = rest
    if Quantity.skipsRange(&behind), let second = Number(scalars: &behind) {
      guard second.value >= first.value else { return nil }
      to = second.value > first.value ? second.value : nil
      isAmbiguous = isAmbiguous || second.isAmbiguous
      rest = behind
    }
    text = rest
  }

  /// Reads a text that consists of an amount and nothing else.
  package init?(_ text: String?) {
    guard var rest = text?.trimmed[...] else { return nil }
    self.init(reading: &rest)
    guard rest.isEmpty else { return nil }
  }

  /// Returns the number in `text`; `nil` for a range and anything else.
  static func number(_ text: String) -> Double? {
    Quantity(text).flatMap { $0.to == nil ? $0.from : nil }
  }

  private static let rangeWords: Set = ["to", "or", "bis", "oder", "à", "ou", "till", "until"]

  /// The ASCII letters with which the words of a range begin.
  private static let rangeLetters = Array("aAbBoOtTuU".unicodeScalars)

  /// Takes the sign or word between the two numbers of a range.
  private static func skipsRange<Text: Collection>(_ text: inout Text) -> Bool
  where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    var rest = text.droppingBlanks
    if let sign = rest.first, sign == "-" || sign == "–" || sign == "—" {
      text = rest.dropFirst().droppingBlanks
      return true
    }
    guard rest.startIndex != text.startIndex, let first = rest.first,
      first.value >= 0x80 || rangeLetters.contains(first)
    else { return false }
    let word = rest.prefix { $0.isWordLetter }
    rest = rest[word.endIndex...]
    guard rest.first == " ", word.count <= 5, rangeWords.contains(word.text.lowercased()) else { return false }
    text = rest.droppingBlanks
    return true
  }
}

/// One number of an amount, at least 0.
private struct Number {
  var value: Double
  var isAmbiguous = false

  init?<Text: Collection>(scalars text: inout Text) where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    var rest = text
    if let fraction = Number.vulgarFraction(&rest) {
      value = fraction
      text = rest
      return
    }
    let digits = rest.prefix { $0.isASCIIDigit }
    let digitCount = digits.count
    // “00 flour” is a kind of flour.
    guard digitCount <= 9, digitCount < 2 || digits.contains(where: { $0 != "0" }) else { return nil }
    var value = Double(digits.integer)
    rest = rest[digits.endIndex...]
    if let sign = rest.first, sign == "." || sign == ",",
      rest.dropFirst().first?.isASCIIDigit == true
    {
      let decimals = rest.dropFirst().prefix { $0.isASCIIDigit }
      rest = rest[decimals.endIndex...]
      let count = decimals.count
      guard count <= 9, !Number.continues(rest) else { return nil }
      isAmbiguous = count == 3 && digitCount > 0 && !(digitCount == 1 && digits.first == "0")
      let all = digits.integer * Number.tens[count] + decimals.integer
      if isAmbiguous, sign == "," {
        value = Double(all)
      } else if all < 1 << 53 {
        // Both are exact, so the quotient is the nearest number.
        value = Double(all) / Double(Number.tens[count])
      } else {
        value = Double("\(digits.text).\(decimals.text)") ?? 0
      }
    } else if digitCount == 0 {
      return nil
    } else if rest.first == "/" || rest.first == "⁄" {
      guard let below = Number.denominator(&rest), !Number.continues(rest) else { return nil }
      // “80/20 beef” is lean and fat in a hundred.
      guard value < below || value + below != 100 else { return nil }
      value /= below
    } else {
      var behind = rest
      if let fraction = Number.fractionBehind(&behind) {
        guard !Number.continues(behind) else { return nil }
        value += fraction
        rest = behind
      }
    }
    self.value = value
    text = rest
  }

  /// Whether the text continues in a way that makes the number invalid: “1/2/3”, “1.2.3”.
  private static func continues<Text: Collection>(_ text: Text) -> Bool
  where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    guard let sign = text.first else { return false }
    if sign.isASCIIDigit { return true }
    return (sign == "." || sign == "/" || sign == ",") && text.dropFirst().first?.isASCIIDigit == true
  }

  /// Takes a fraction below 1 after a whole number: “ 1/2”, “½”, “-1/2”, “ and 1/2”.
  private static func fractionBehind<Text: Collection>(_ text: inout Text) -> Double?
  where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    var rest = text
    if rest.first == "-", rest.dropFirst().first?.isASCIIDigit == true {
      rest = rest.dropFirst()
    } else {
      rest = rest.droppingBlanks
      for word in joiners where rest.begins(with: word) {
        rest = rest.dropFirst(word.unicodeScalars.count)
      }
      guard rest.startIndex != text.startIndex || rest.first?.isASCIIDigit == false else {
        return nil
      }
    }
    if let fraction = vulgarFraction(&rest) {
      text = rest
      return fraction
    }
    let digits = rest.prefix { $0.isASCIIDigit }
    let count = digits.count
    guard 1...3 ~= count else { return nil }
    let above = Double(digits.integer)
    rest = rest[digits.endIndex...]
    guard let below = denominator(&rest), above > 0, above < below else { return nil }
    text = rest
    return above / below
  }

  private static func denominator<Text: Collection>(_ text: inout Text) -> Double?
  where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    guard text.first == "/" || text.first == "⁄" else { return nil }
    let digits = text.dropFirst().prefix { $0.isASCIIDigit }
    guard digits.count <= 3, digits.integer > 0 else { return nil }
    text = text[digits.endIndex...]
    return Double(digits.integer)
  }

  private static let joiners = ["and ", "& ", "und ", "et "]
  private static let tens = (0...9).map { (0..<$0).reduce(1) { ten, _ in ten * 10 } }

  private static func vulgarFraction<Text: Collection>(_ text: inout Text) -> Double?
  where Text.Element == Unicode.Scalar, Text.SubSequence == Text {
    guard let sign = text.first, !sign.isASCII, let parts = fractions[sign] else { return nil }
    text = text.dropFirst()
    return parts.0 / parts.1
  }

  private static let fractions: [Unicode.Scalar: (Double, Double)] = [
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8),
    "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
  ]
}

extension Collection where Element == Unicode.Scalar {
  /// The number that these digits, at most 18, represent; 0 for no digits.
  fileprivate var integer: Int { reduce(0) { $0 * 10 + Int($1.value - 0x30) } }

  fileprivate var text: String { String(String.UnicodeScalarView(self)) }
}

extension Character {
  /// Whether the character is one of 0 to 9.
  package var isASCIIDigit: Bool { asciiValue.map { 0x30...0x39 ~= $0 } ?? false }
}
