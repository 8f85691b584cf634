internal import DecantBase

/// A part of a text in the form in which ingredient lines are read: scalars that are contiguous in memory.
///
/// It is valid only within `withScalars`, and it is not reference-counted.
typealias Scalars = Slice<UnsafeBufferPointer<Unicode.Scalar>>

extension String {
  /// Passes the scalars of the text to `body`, which may change them.
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

  /// Creates the text of `scalars`.
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
  /// The text without ASCII spaces at its beginning.
  var droppingBlanks: Self { drop { $0 == " " } }

  /// Whether the text begins with `words`.
  func begins(with words: String) -> Bool { starts(with: words.unicodeScalars) }
}

extension BidirectionalCollection where Element == Unicode.Scalar {
  /// Whether the text ends with `words`.
  func ends(with words: String) -> Bool { reversed().starts(with: words.unicodeScalars.reversed()) }
}

extension UnsafeMutableBufferPointer<Unicode.Scalar> {
  /// All scalars of the buffer.
  var scalars: Scalars { UnsafeBufferPointer(self)[...] }

  /// Returns the scalars from `start` on, after replacing each run of white space with one space.
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
  /// The text without white space at both ends.
  var trimmed: Scalars { trimming(while: \.isBlank) }

  /// Returns the scalar before `index`.
  func before(_ index: Index) -> Unicode.Scalar? { index > startIndex ? self[self.index(before: index)] : nil }

  /// The words between ASCII spaces.
  var words: [Scalars] { split(separator: " ") }

  /// The last of these words.
  var lastWord: Scalars? {
    guard let end = lastIndex(where: { $0 != " " }) else { return nil }
    let text = self[...end]
    return text.lastIndex(of: " ").map { text[index(after: $0)...] } ?? text
  }

  /// The text in lower case.
  var lowercased: String { String(self).lowercased() }
}

extension Unicode.Scalar {
  /// Whether the scalar is one of 0 to 9.
  var isASCIIDigit: Bool { 0x30...0x39 ~= value }

  /// Whether the scalar is white space.
  var isBlank: Bool { value < 0x80 ? value == 0x20 || 0x09...0x0d ~= value : properties.isWhitespace }

  /// Whether the scalar is a number or a part of one.
  var isNumber: Bool { value < 0x80 ? isASCIIDigit : properties.numericType != nil }

  /// Whether the scalar is a letter.
  var isAlphabetic: Bool { value < 0x80 ? 0x61...0x7a ~= value | 0x20 : properties.isAlphabetic }

  /// Whether the scalar is a letter, or a mark on one.
  var isWordLetter: Bool {
    if isAlphabetic { return true }
    return value >= 0x80 && [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
  }
}
