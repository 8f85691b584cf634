internal import DecantBase

/// Rejoins lines of prose that a program has wrapped.
package enum Paragraphs {
  /// Returns the paragraphs of `lines`, which are separated by blank lines.
  ///
  /// The lines of a paragraph are joined with spaces, except those that begin with `:`, a number (“2. ”), a bullet or a
  /// larger indentation than the others: these remain separate lines.
  package static func unwrapped(_ lines: [String]) -> [String] {
    let margin = lines.filter { !$0.trimmed.isEmpty }.map(indentation).min() ?? 0
    var paragraphs: [String] = []
    var paragraph = ""
    for line in lines + [""] {
      var text = line.trimmed
      guard !text.isEmpty else {
        let whole = paragraph.trimmed
        if !whole.isEmpty { paragraphs.append(whole) }
        paragraph = ""
        continue
      }
      let isForced = text.first == ":"
      if isForced { text = text.dropFirst().trimmed }
      let begins = isForced || indentation(line) > margin || isItem(text)
      paragraph += paragraph.isEmpty ? text : (begins ? "\n" : " ") + text
    }
    return paragraphs
  }

  private static func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  /// Whether a line begins a list item, with a number, a star or a dash.
  private static func isItem(_ line: String) -> Bool {
    let digits = line.prefix { $0.isASCIIDigit }
    if !digits.isEmpty, digits.count <= 2 {
      let rest = line.dropFirst(digits.count)
      return rest.hasPrefix(". ") || rest.hasPrefix(") ")
    }
    return line.hasPrefix("* ") || line.hasPrefix("- ") || line.hasPrefix("• ")
  }
}
