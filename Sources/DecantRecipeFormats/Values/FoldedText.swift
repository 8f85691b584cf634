internal import DecantBase
internal import CDecantUTF8Proc
internal import DecantDigests

/// Text for comparison: differences in case, encoding of accents, white space and punctuation are ignored.
package enum FoldedText {
  /// Returns the letters and digits of `text`, composed (NFC) and in one case, with nothing between them.
  package static func letters(of text: String) -> [UInt8] {
    var letters: [UInt8] = []
    append(lettersOf: text, to: &letters)
    return letters
  }

  /// Appends the letters and digits of `text` to `bytes`.
  private static func append(lettersOf text: String, to bytes: inout [UInt8]) {
    if !append(lettersOfLatin: text, to: &bytes) { bytes += composedLetters(of: text) }
  }

  private static func composedLetters(of text: String) -> [UInt8] {
    let folded = folded(Array(text.utf8))
    var letters: [UInt8] = []
    letters.reserveCapacity(folded.count)
    for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        if let letter = lettersOfASCII[Int(scalar.value)] { letters.append(letter) }
        continue
      }
      let properties = scalar.properties
      guard properties.isAlphabetic || properties.numericType != nil else { continue }
      letters.append(contentsOf: Array(String(scalar).utf8))
    }
    return letters
  }

  /// The form in which ASCII characters are compared; `nil` for those that are ignored.
  private static let lettersOfASCII: [UInt8?] = (UInt8(0)..<128).map { byte in
    switch byte {
    case 0x30...0x39, 0x61...0x7a: byte
    case 0x41...0x5a: byte + 0x20
    default: nil
    }
  }

  /// Appends the letters and digits of a text that consists only of ASCII and letters such as “é”; returns `false` for
  /// any other text.
  private static func append(lettersOfLatin text: String, to bytes: inout [UInt8]) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf8.count) { letters in
        var count = 0
        func append(_ byte: UInt8) {
          letters[count] = byte
          count += 1
        }
        var place = 0
        while place < utf8.count {
          let byte = utf8[place]
          place += 1
          if byte < 0x80 {
            // This is a digit, or a letter converted to lower case.
            let lower = byte | 0x20
            if 0x61...0x7a ~= lower || 0x30...0x39 ~= byte { append(lower) }
            continue
          }
          // “À” to “ÿ” begin with 0xC3; combining marks begin otherwise.
          guard byte == 0xc3, place < utf8.count else { return false }
          let second = utf8[place]
          place += 1
          switch second {
          case 0x97, 0xb7: continue
          case 0x9f:
            append(UInt8(ascii: "s"))
            append(UInt8(ascii: "s"))
          default:
            append(byte)
            append(second | 0x20)
          }
        }
        bytes.append(contentsOf: letters[..<count])
        return true
      }
    }
  }

  /// Returns `text` in the form used for searching and sorting, in UTF-8: in one case, without accents and other marks,
  /// with plain spellings of letters such as œ, ø and ł, and with one form of apostrophe.
  package static func searched(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 >= 0x80 }) else {
      return bytes.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
    }
    return plain(folded(bytes, UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_STRIPMARK.rawValue))
  }

  /// Returns the form of a text for searching as a String.
  package static func searchedText(_ text: String) -> String { String(decoding: searched(text), as: UTF8.self) }

  /// Returns the words of a search in the form of `searched`, without duplicates and surrounding punctuation.
  package static func words(of text: String) -> [String] {
    var words: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let end = word.lastIndex { !$0.isPunctuation }.map { word.index(after: $0) } ?? word.startIndex
      let bare = word[..<end].drop(while: \.isPunctuation)
      guard !bare.isEmpty else { continue }
      let folded = searchedText(String(bare))
      if !words.contains(folded) { words.append(folded) }
    }
    return words
  }

  /// Replaces letters that have no plain form in Unicode, and apostrophes, in folded text.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte >= 0xc3, place + 1 < bytes.count {
        let third = place + 2 < bytes.count ? bytes[place + 2] : 0
        if let (letters, length) = plainForm(byte, bytes[place + 1], third) {
          result.append(contentsOf: letters.utf8)
          place += length
          continue
        }
      }
      result.append(byte)
      place += 1
    }
    return result
  }

  /// Returns the plain spelling of the letter that begins with these bytes, and its length in bytes.
  private static func plainForm(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> (String, Int)? {
    switch (first, second) {
    case (0xc3, 0xa6): ("ae", 2)
    case (0xc3, 0xb8): ("o", 2)
    case (0xc4, 0x91): ("d", 2)
    case (0xc4, 0xb1): ("i", 2)
    case (0xc5, 0x82): ("l", 2)
    case (0xc5, 0x93): ("oe", 2)
    case (0xca, 0xbc): ("'", 2)
    case (0xe2, 0x80) where third == 0x98 || third == 0x99: ("'", 3)
    default: nil
    }
  }

  private static func folded(_ bytes: [UInt8], _ form: UInt32 = UTF8PROC_COMPOSE.rawValue) -> [UInt8] {
    var result: UnsafeMutablePointer<UInt8>?
    let options = UTF8PROC_STABLE.rawValue | UTF8PROC_CASEFOLD.rawValue | form
    let count = utf8proc_map(bytes, bytes.count, &result, utf8proc_option_t(options))
    defer { result?.deallocate() }
    // This fails only for invalid UTF-8, which a String never contains.
    guard count >= 0, let result else { return bytes }
    return Array(UnsafeBufferPointer(start: result, count: count))
  }

  /// Returns 32 hexadecimal digits that identify the content of a recipe.
  ///
  /// They are derived from title, ingredients and steps, ignoring headings, step numbers, case, spaces and punctuation.
  package static func fingerprint(of recipe: Recipe) -> String {
    // The substitute for a title depends on the recipe's file, not on its content.
    fingerprint(
      title: recipe.isUntitled ? Recipe.untitled : recipe.title,
      ingredients: recipe.ingredients.lazy.filter { !$0.isHeading }.map(\.text),
      steps: recipe.steps.lazy.filter { !$0.isHeading }.map(\.text)
    )
  }

  /// Returns the fingerprint of a title and of lines without headings.
  package static func fingerprint(title: String, ingredients: some Sequence<String>, steps: some Sequence<String>)
    -> String
  {
    var text = letters(of: title)
    text.append(0)
    for ingredient in ingredients {
      append(signsOf: ingredient, to: &text)
      append(lettersOf: ingredient, to: &text)
      text.append(1)
    }
    text.append(0)
    for step in steps { append(lettersOf: step.withoutStepNumber, to: &text) }
    return SHA256.text(Array(SHA2.sha256(text).prefix(16)))
  }

  /// Returns the form in which an ingredient is compared: “1.5 kg” is not “15 kg”, so signs between digits count.
  package static func line(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(signsOf: text, to: &bytes)
    append(lettersOf: text, to: &bytes)
    return bytes
  }

  /// Appends the digits of a text, with the signs between them: `1.5` of “1,5 kg”, `1 1/2` of “1 1/2 cups”.
  private static func append(signsOf text: String, to signs: inout [UInt8]) {
    let start = signs.count
    // The separator of the current digit and the one before it: nothing, a sign that joins them, or anything else.
    var gap: UInt8?
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39:
        if signs.count > start, let gap { signs.append(gap) }
        gap = nil
        signs.append(byte)
      case 0x2c where gap == nil, 0x2e where gap == nil: gap = 0x2e
      case 0x2f where gap == nil: gap = 0x2f
      default: gap = 0x20
      }
    }
  }

  /// Returns a UUID (version 8) derived from `name` alone, and therefore the same on every device and in every run.
  package static func uuid(of name: String) -> String {
    var bytes = Array(SHA2.sha256(Array("decant recipe\n\(name)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    var digits = Array(SHA256.text(bytes).uppercased().utf8)
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension String {
  /// The text without a number such as “1.”, “2)” or “Step 3:” at its beginning.
  package var withoutStepNumber: String {
    // Most steps begin with a letter other than “S”.
    if let first = utf8.first, 0x41...0x7a ~= first, first | 0x20 != UInt8(ascii: "s") { return self }
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    if rest.prefix(5).lowercased() == "step " { rest = rest.dropFirst(5) }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count) else { return self }
    let behind = rest.dropFirst(digits.count)
    guard let sign = behind.first, ".):".contains(sign),
      behind.dropFirst().first?.isWhitespace ?? true
    else { return self }
    return String(behind.dropFirst()).trimmed
  }
}
