internal import CSQLite

extension String {
  /// The name as SQL writes it: bare where that is safe, else in double quotes.
  public var sqlName: String {
    var utf8 = utf8.makeIterator()
    guard let first = utf8.next(), first.isLetterOrUnderscore else { return quotedName }
    while let next = utf8.next() {
      guard next.isLetterOrUnderscore || (48...57).contains(next) else { return quotedName }
    }
    return sqlite3_keyword_check(self, Int32(clamping: self.utf8.count)) == 0 ? self : quotedName
  }

  /// The name in double quotes, those inside doubled.
  public var quotedName: String { "\"" + doubling("\"") + "\"" }

  /// The text as an SQL literal: in single quotes, those inside doubled.
  public var sqlText: String { "'" + doubling("'") + "'" }

  private func doubling(_ quote: Character) -> String {
    split(separator: quote, omittingEmptySubsequences: false)
      .joined(separator: String(repeating: quote, count: 2))
  }
}

extension UInt8 {
  fileprivate var isLetterOrUnderscore: Bool {
    (65...90).contains(self) || (97...122).contains(self) || self == 95
  }
}
