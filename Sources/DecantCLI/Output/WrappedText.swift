/// Plain text wrapped to a width; continued list items are indented.
struct WrappedText {
  /// The text, with line ends between lines.
  let text: String

  /// Wraps `text` between words, so that no line is wider than `width` except for single words; `nil` wraps nothing.
  init(_ text: String, width: Int?) {
    var lines: [String] = []
    // The indentation of the current list item; an empty line ends the item.
    var indent = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let mark = WrappedText.mark(of: line)
      if !mark.isEmpty { indent = mark.count }
      if line.isEmpty { indent = 0 }
      guard !line.isEmpty, !WrappedText.isRule(line) else {
        lines.append(String(line.prefix(width ?? line.count)))
        continue
      }
      let rest = String(line.dropFirst(mark.count))
      let space = String(repeating: " ", count: indent)
      for (number, part) in Columns.lines(rest, width.map { max($0 - indent, 20) } ?? .max, breaksWords: false)
        .enumerated()
      {
        lines.append((number == 0 && !mark.isEmpty ? String(mark) : space) + part)
      }
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    self.text = lines.joined(separator: "\n")
  }

  /// Returns the mark of a list item, `- ` or `12. `, with the blanks before it; empty for any other line.
  private static func mark(of line: Substring) -> Substring {
    let blanks = line.prefix { $0 == " " }
    let rest = line.dropFirst(blanks.count)
    if rest.hasPrefix("- ") { return line.prefix(blanks.count + 2) }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard (1...3).contains(digits.count), rest.dropFirst(digits.count).hasPrefix(". ") else { return "" }
    return line.prefix(blanks.count + digits.count + 2)
  }

  /// Returns whether a line is a rule below a heading.
  private static func isRule(_ line: Substring) -> Bool {
    line.allSatisfy { $0 == "=" } || line.allSatisfy { $0 == "-" }
  }
}
