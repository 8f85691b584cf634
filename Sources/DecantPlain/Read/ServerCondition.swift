internal import DecantBase
internal import DecantSQLite

/// A condition of the server that SQLite understands in the same way: which columns are NULL, and which Booleans are true.
package struct ServerCondition {
  /// The condition for SQLite.
  package let sql: String

  /// Translates `text`, as the server prints it; `nil` if it says anything else.
  ///
  /// - Parameters:
  ///   - text: The condition.
  ///   - names: The names of the columns in SQLite, by those on the server.
  package init?(_ text: String, _ names: [String: String]) {
    var parts: [String] = []
    for part in ServerCondition.parts(text) {
      guard let test = ServerCondition.test(part, names) else { return nil }
      parts.append(test)
    }
    guard !parts.isEmpty else { return nil }
    sql = parts.joined(separator: " AND ")
  }

  /// Returns the parts that AND connects, without parentheses around them.
  private static func parts(_ text: String) -> [String] {
    var text = Substring(text)
    if isInParentheses(text) { text = text.dropFirst().dropLast() }
    return text.split(separator: " AND ", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("(") && part.hasSuffix(")") ? String(part.dropFirst().dropLast()) : String(part)
    }
  }

  /// Whether the first parenthesis ends with the text.
  private static func isInParentheses(_ text: Substring) -> Bool {
    guard text.hasPrefix("("), text.hasSuffix(")") else { return false }
    var depth = 0
    for character in text.dropLast() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return false }
    }
    return true
  }

  private static func test(_ text: String, _ names: [String: String]) -> String? {
    func column(_ name: Substring) -> String? {
      let isQuoted = name.hasPrefix("\"") && name.hasSuffix("\"") && name.count > 2
      let plain = isQuoted ? String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"") : String(name)
      return names[plain]?.sqlName
    }
    for (ending, sql) in [
      (" IS NOT NULL", " IS NOT NULL"), (" IS NULL", " IS NULL"), (" = true", ""), (" = false", " = 0"),
    ]
    where text.hasSuffix(ending) {
      return column(text.dropLast(ending.count)).map { $0 + sql }
    }
    if text.hasPrefix("NOT ") { return column(text.dropFirst(4)).map { "\($0) = 0" } }
    return column(text[...])
  }
}
