internal import DecantBase
internal import DecantPlan

/// The words of a CREATE statement, equal for statements of the same meaning.
///
/// Blanks, comments, quotation marks around names, and the case of keywords and names are ignored; texts and all other
/// signs are significant.
struct SQLWords: Hashable {
  /// The words in order: names and keywords in lower case and without quotation marks.
  let words: [String]

  init(_ sql: String) {
    var tokens = SQLTokens(sql)
    tokens.dropSemicolons()
    words = tokens.tokens.map(\.comparedText)
  }
}

extension SQLTokens.Token {
  /// The text of the token for comparisons, equal for tokens of the same meaning.
  fileprivate var comparedText: String {
    switch kind {
    case .word, .number: text.foldedName
    case .quotedName: unquoted.foldedName
    case .text, .sign, .parameter: text
    }
  }

  /// The name without quotation marks of any kind.
  private var unquoted: String {
    let inner = String(text.dropFirst().dropLast())
    return switch text.first {
    case "\"": inner.replacing("\"\"", with: "\"")
    case "`": inner.replacing("``", with: "`")
    default: inner
    }
  }
}
