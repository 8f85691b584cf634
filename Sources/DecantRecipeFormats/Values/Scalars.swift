/// A part of a text as lines of ingredients are read: by scalars, as that takes a fraction of the time of characters.
typealias Scalars = Substring.UnicodeScalarView

extension Scalars {
  /// Without blanks, line ends and the like at both ends.
  var trimmingBlanks: Scalars {
    var text = self
    while text.first?.isBlank == true { text.removeFirst() }
    while text.last?.isBlank == true { text.removeLast() }
    return text
  }

  /// Without the blanks of ASCII in front.
  var droppingBlanks: Scalars { drop { $0 == " " } }

  /// Whether the text begins with `words`.
  func begins(with words: String) -> Bool { starts(with: words.unicodeScalars) }

  /// Whether the text ends with `words`.
  func ends(with words: String) -> Bool { reversed().starts(with: words.unicodeScalars.reversed()) }

  /// The scalar before `index`.
  func before(_ index: Index) -> Unicode.Scalar? { index > startIndex ? self[self.index(before: index)] : nil }

  /// The words between the blanks of ASCII.
  var words: [Scalars] { split(separator: " ") }

  /// The text in small letters.
  var lowercased: String { String(self).lowercased() }
}

extension Unicode.Scalar {
  /// Whether it is one of 0 to 9.
  var isASCIIDigit: Bool { 0x30...0x39 ~= value }

  /// Whether it is white space.
  var isBlank: Bool { value < 0x80 ? value == 0x20 || 0x09...0x0d ~= value : properties.isWhitespace }

  /// Whether it is a number or a part of one.
  var isNumber: Bool { value < 0x80 ? isASCIIDigit : properties.numericType != nil }

  /// Whether it is a letter, or a mark on one.
  var isWordLetter: Bool {
    if value < 0x80 { return 0x61...0x7a ~= value | 0x20 }
    if properties.isAlphabetic { return true }
    return [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
  }
}
