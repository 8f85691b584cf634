internal import DecantBase

extension SQLTokens {
  /// Returns a CREATE TABLE statement, without the comments between its columns, in which the columns with these folded
  /// names follow the other ones.
  package static func moving(_ columns: Set<String>, toEndOf sql: String) -> String {
    let tokens = SQLTokens(sql).tokens
    guard let open = tokens.firstIndex(where: { $0.text == "(" }) else { return sql }
    var parts: [ArraySlice<Token>] = []
    var (start, depth, close) = (open + 1, 0, tokens.endIndex)
    for place in tokens.indices[(open + 1)...] where close == tokens.endIndex {
      switch tokens[place].text {
      case "(": depth += 1
      case ")" where depth > 0: depth -= 1
      case ")":
        parts.append(tokens[start..<place])
        close = place
      case "," where depth == 0:
        parts.append(tokens[start..<place])
        start = place + 1
      default: break
      }
    }
    guard close < tokens.endIndex else { return sql }
    let count = parts.firstIndex { constraints.contains($0.first?.word ?? "") } ?? parts.count
    let isMoved = { (part: ArraySlice<Token>) in columns.contains(part.first?.columnName?.foldedName ?? "") }
    let own = parts[..<count]
    let ordered = own.filter { !isMoved($0) } + own.filter(isMoved) + parts[count...]
    let bytes = Array(sql.utf8)
    let text = { (start: Int, end: Int) in String(decoding: bytes[start..<end], as: UTF8.self) }
    let list = ordered.map { text($0.first?.start ?? 0, $0.last?.end ?? 0) }.joined(separator: ",\n")
    return text(0, tokens[open].end) + list + text(tokens[close].start, bytes.count)
  }

  /// The words that begin a constraint of a table, which follows all columns.
  private static let constraints: Set<String> = ["constraint", "primary", "unique", "check", "foreign"]
}

extension SQLTokens.Token {
  /// The name at the beginning of a column's declaration: SQLite accepts one in single quotes, too.
  fileprivate var columnName: String? {
    kind == .text ? String(text.dropFirst().dropLast()).replacing("''", with: "'") : name
  }
}
