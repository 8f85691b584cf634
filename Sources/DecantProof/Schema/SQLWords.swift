internal import DecantBase
internal import DecantPlan

/// The words of a statement that made a table, an index, a trigger or a view, so that statements of one meaning
/// are equal.
///
/// Blanks, comments, quotation marks around names, and the case of keywords and names do not count; texts and
/// all other signs do.
struct SQLWords: Hashable {
  /// The words, one after the other: names and keywords in small letters and without quotation marks.
  let words: [String]

  init(_ sql: String) {
    var tokens = SQLTokens(sql)
    tokens.dropSemicolons()
    words = tokens.tokens.map(\.comparedText)
  }
}

extension SQLTokens.Token {
  /// The token so that tokens of one meaning are equal.
  fileprivate var comparedText: String {
    switch kind {
    case .word, .number: text.foldedName
    case .quotedName: unquoted.foldedName
    case .text, .sign, .parameter: text
    }
  }

  /// A name without the quotation marks around it, of whichever make.
  private var unquoted: String {
    let inner = String(text.dropFirst().dropLast())
    return switch text.first {
    case "\"": inner.replacing("\"\"", with: "\"")
    case "`": inner.replacing("``", with: "`")
    default: inner
    }
  }
}
