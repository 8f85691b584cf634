/// A part of a text as lines of ingredients are read: scalars that lie in memory one behind the other.
///
/// It is valid as long as the text was lent, see `withScalars`; no part of it is counted by anybody.
typealias Scalars = Slice<UnsafeBufferPointer<Unicode.Scalar>>

extension String {
  /// Lends the scalars of the text, which may be changed.
  func withScalars<Result>(_ body: (UnsafeMutableBufferPointer<Unicode.Scalar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: Unicode.Scalar.self, capacity: utf8.count) { memory in
      var count = 0
      for scalar in unicodeScalars {
        memory.initializeElement(at: count, to: scalar)
        count += 1
      }
      return body(UnsafeMutableBufferPointer(rebasing: memory[..<count]))
    }
  }

  /// The text that `scalars` are.
  init(_ scalars: Scalars) {
    let byteCount = scalars.reduce(0) { $0 + ($1.value < 0x80 ? 1 : UTF8.width($1)) }
    self.init(unsafeUninitializedCapacity: byteCount) { bytes in
      var place = 0
      for scalar in scalars {
        if scalar.value < 0x80 {
          bytes[place] = UInt8(truncatingIfNeeded: scalar.value)
          place += 1
        } else {
          for byte in String(scalar).utf8 {
            bytes[place] = byte
            place += 1
          }
        }
      }
      return place
    }
  }
}

extension Collection where Element == Unicode.Scalar, SubSequence == Self {
  /// Without the blanks of ASCII in front.
  var droppingBlanks: Self { drop { $0 == " " } }

  /// Whether the text begins with `words`.
  func begins(with words: String) -> Bool { starts(with: words.unicodeScalars) }
}

extension BidirectionalCollection where Element == Unicode.Scalar {
  /// Whether the text ends with `words`.
  func ends(with words: String) -> Bool { reversed().starts(with: words.unicodeScalars.reversed()) }
}

extension UnsafeMutableBufferPointer<Unicode.Scalar> {
  /// All scalars.
  var scalars: Scalars { UnsafeBufferPointer(self)[...] }

  /// The scalars from `start` on, now with one blank for each run of white space.
  func replacingBlanks(from start: Int) -> Scalars {
    var end = start
    for place in start..<count {
      let scalar = self[place]
      if !scalar.isBlank {
        self[end] = scalar
      } else if end > start, self[end - 1] == " " {
        continue
      } else {
        self[end] = " "
      }
      end += 1
    }
    return scalars[start..<end]
  }
}

extension Scalars {
  /// Without blanks, line ends and the like at both ends.
  var trimmingBlanks: Scalars {
    var text = self
    while text.first?.isBlank == true { text.removeFirst() }
    while text.last?.isBlank == true { text.removeLast() }
    return text
  }

  /// The scalar before `index`.
  func before(_ index: Index) -> Unicode.Scalar? { index > startIndex ? self[self.index(before: index)] : nil }

  /// The words between the blanks of ASCII.
  var words: [Scalars] { split(separator: " ") }

  /// The last of these words.
  var lastWord: Scalars? {
    guard let end = lastIndex(where: { $0 != " " }) else { return nil }
    let text = self[...end]
    return text.lastIndex(of: " ").map { text[index(after: $0)...] } ?? text
  }

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

  /// Whether it is a letter.
  var isAlphabetic: Bool { value < 0x80 ? 0x61...0x7a ~= value | 0x20 : properties.isAlphabetic }

  /// Whether it is a letter, or a mark on one.
  var isWordLetter: Bool {
    if isAlphabetic { return true }
    return value >= 0x80 && [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
  }
}
