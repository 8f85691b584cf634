/// The words, names, texts and signs of an SQL statement, without blanks and comments.
///
/// As much of SQL as has to be known to find names, parentheses and calls; whether the statement is
/// right, SQLite decides.
package struct SQLTokens {
  package enum Kind {
    /// A bare word: a keyword or a name.
    case word
    /// A name in quotes of any make, or a text in single ones; a blob.
    case quotedName, text
    /// A number, or a sign of one character.
    case number, sign
    /// A parameter: `:name`, `@name`, `$name`, `?` or `?1`.
    case parameter
  }

  package struct Token {
    package let kind: Kind
    /// The token as it stands in the statement.
    package let text: String
    /// Where it stands, in bytes.
    let start: Int
    let end: Int

    /// The word in small letters; empty for what is no word.
    package var word: String { kind == .word ? text.lowercased() : "" }

    /// The name that a word or a name in quotes stands for.
    package var name: String? {
      switch kind {
      case .word: text
      case .quotedName:
        String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
      case .text, .number, .sign, .parameter: nil
      }
    }
  }

  package private(set) var tokens: [Token] = []

  package init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var at = 0
    while at < bytes.count {
      let start = at
      let kind = SQLTokens.scan(bytes, &at)
      guard let kind else { continue }
      let text = String(decoding: bytes[start..<at], as: UTF8.self)
      tokens.append(Token(kind: kind, text: text, start: start, end: at))
    }
  }

  /// Takes away the semicolons at the end.
  package mutating func dropSemicolons() {
    while tokens.last?.text == ";" { tokens.removeLast() }
  }

  /// Takes away the semicolons at the beginning.
  mutating func dropLeadingSemicolons() {
    tokens = Array(tokens.drop { $0.text == ";" })
  }

  /// Goes past what begins at `at`; `nil` for blanks and comments.
  private static func scan(_ bytes: [UInt8], _ at: inout Int) -> Kind? {
    let byte = bytes[at]
    let next = at + 1 < bytes.count ? bytes[at + 1] : 0
    switch byte {
    case 9, 10, 12, 13, 32:
      at += 1
      return nil
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
      while at < bytes.count, bytes[at] != 10 { at += 1 }
      return nil
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      at += 2
      while at < bytes.count, !bytes[at...].starts(with: "*/".utf8) { at += 1 }
      at = min(at + 2, bytes.count)
      return nil
    case UInt8(ascii: "'"):
      skip(to: byte, bytes, &at)
      return .text
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      skip(to: byte, bytes, &at)
      return .quotedName
    case UInt8(ascii: "["):
      while at < bytes.count, bytes[at] != UInt8(ascii: "]") { at += 1 }
      at = min(at + 1, bytes.count)
      return .quotedName
    case _ where (byte | 32) == UInt8(ascii: "x") && next == UInt8(ascii: "'"):
      at += 1
      skip(to: next, bytes, &at)
      return .text
    case UInt8(ascii: "?"):
      at += 1
      while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
      return .parameter
    case _ where ":@$".utf8.contains(byte) && next.isWordByte:
      at += 1
      while at < bytes.count, bytes[at].isWordByte || bytes[at...].starts(with: "::".utf8) {
        at += bytes[at].isWordByte ? 1 : 2
      }
      return .parameter
    case _ where byte.isWordByte:
      while at < bytes.count, bytes[at].isWordByte { at += 1 }
      return (48...57).contains(byte) ? .number : .word
    default:
      at += 1
      return .sign
    }
  }

  /// Goes past a quotation in `quote`, which is doubled inside.
  private static func skip(to quote: UInt8, _ bytes: [UInt8], _ at: inout Int) {
    at += 1
    while at < bytes.count {
      if bytes[at] == quote {
        at += 1
        guard at < bytes.count, bytes[at] == quote else { return }
      }
      at += 1
    }
  }
}

extension UInt8 {
  /// Whether the byte may be part of a bare name.
  fileprivate var isWordByte: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
      || self == 95 || self == 36 || self >= 128
  }
}
