/// The tokens of an SQL statement: words, names, texts and signs, without blanks and comments.
///
/// Only as much SQL is recognised as is needed to find names, parentheses and calls; SQLite decides whether the
/// statement is valid.
package struct SQLTokens {
  package enum Kind {
    /// A bare word: a keyword or a name.
    case word
    /// A quoted name of any style; a text in single quotes, or a blob.
    case quotedName, text
    /// A number, or a sign of one character.
    case number, sign
    /// A parameter: `:name`, `@name`, `$name`, `?` or `?1`.
    case parameter
  }

  package struct Token {
    package let kind: Kind
    /// The text of the token in the statement.
    package let text: String
    /// The byte positions of its start and end.
    let start: Int
    let end: Int

    /// The word in lower case; empty for other tokens.
    package var word: String { kind == .word ? text.lowercased() : "" }

    /// The name that a word or a quoted name denotes.
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

  /// The condition of a CREATE INDEX statement, without comments: what follows WHERE after the columns.
  package var indexCondition: String? {
    var depth = 0
    for (place, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      guard depth == 0, token.word == "where", place > 0, tokens[place - 1].text == ")" else { continue }
      return SQLTokens.text(of: tokens[(place + 1)...])
    }
    return nil
  }

  /// The conditions of the CHECK constraints of a CREATE TABLE statement, without comments.
  package var checks: [String] {
    tokens.indices.compactMap { place in
      guard tokens[place].word == "check" else { return nil }
      var depth = 0
      let condition = tokens[(place + 1)...].prefix { token in
        if token.text == "(" { depth += 1 }
        if token.text == ")" { depth -= 1 }
        return depth > 0
      }
      return condition.isEmpty ? nil : SQLTokens.text(of: condition.dropFirst())
    }
  }

  private static func text(of tokens: ArraySlice<Token>) -> String {
    tokens.reduce(into: (text: "", end: 0)) { found, token in
      // Two signs may be one operator.
      found = (found.text + (token.start == found.end || found.text.isEmpty ? "" : " ") + token.text, token.end)
    }.text
  }

  /// Removes the semicolons at the end.
  package mutating func dropSemicolons() {
    while tokens.last?.text == ";" { tokens.removeLast() }
  }

  /// Removes the semicolons at the beginning.
  mutating func dropLeadingSemicolons() {
    tokens = Array(tokens.drop { $0.text == ";" })
  }

  /// Skips the token at `at`, and returns its kind; `nil` for blanks and comments.
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

  /// Skips a quotation in `quote`, which is doubled inside.
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
  /// Whether the byte may be part of an unquoted name.
  fileprivate var isWordByte: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
      || self == 95 || self == 36 || self >= 128
  }
}
