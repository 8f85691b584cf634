internal import DecantBase

extension StringProtocol {
  /// Returns the parts of a text between occurrences of `separator`, at most `limit` of them.
  func components(of separator: String, limit: Int = .max) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while parts.count < limit - 1, let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  /// The text, trimmed and with a single space for each run of white space.
  var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Returns the text without `character` and white space at both ends.
  package func trimming(_ character: Character) -> String {
    String(trimming { $0 == character || $0.isWhitespace })
  }
}

extension [String] {
  /// Appends those of `texts` that the list does not contain.
  mutating func appendNew(_ texts: some Sequence<String>) {
    let texts = Array(texts)
    // For a few texts a search takes less time than a set.
    guard texts.count > 8 else {
      for text in texts where !contains(text) { append(text) }
      return
    }
    var known = Set(self)
    for text in texts where known.insert(text).inserted { append(text) }
  }
}
