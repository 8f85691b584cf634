internal import CDecantSQLite

extension String {
  /// The name as SQL writes it: unquoted where that is safe, otherwise in double quotes.
  package var sqlName: String {
    var utf8 = utf8.makeIterator()
    guard let first = utf8.next(), first.isLetterOrUnderscore else { return quotedName }
    while let next = utf8.next() {
      guard next.isLetterOrUnderscore || (48...57).contains(next) else { return quotedName }
    }
    return sqlite3_keyword_check(self, Int32(clamping: self.utf8.count)) == 0 ? self : quotedName
  }

  /// The name in double quotes, with inner quotes doubled.
  package var quotedName: String { "\"" + doubling("\"") + "\"" }

  /// The text as an SQL literal: in single quotes, with inner quotes doubled.
  package var sqlText: String { "'" + doubling("'") + "'" }

  /// Doubles quotes by scalar: with a combining mark a quote is part of another character, but SQLite still ends the
  /// name or text there.
  private func doubling(_ quote: Unicode.Scalar) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      text.append(scalar)
      if scalar == quote { text.append(scalar) }
    }
    return String(text)
  }
}

extension UInt8 {
  fileprivate var isLetterOrUnderscore: Bool {
    (65...90).contains(self) || (97...122).contains(self) || self == 95
  }
}
