internal import DecantBase
internal import DecantRecipeFormats

/// A line of Markdown.
struct MarkdownLine {
  /// The text without the marks of headings.
  let text: String
  /// The text without marks of items, links and emphasis.
  let words: String
  /// The level of a heading; `nil` for any other line.
  let level: Int?
  /// The number of lines it spans: a heading may be underlined.
  let count: Int
  let isItem: Bool
  let isIndented: Bool
  /// Whether the whole line is bold.
  let isBold: Bool
  let pictures: [(path: String, text: String?)]

  init(_ lines: [String], _ index: Int) {
    let written = lines[index]
    isIndented = written.hasPrefix("  ") || written.hasPrefix("\t")
    var line = written.trimmed
    let marks = line.prefix { $0 == "#" }.count
    let next = index + 1 < lines.count ? lines[index + 1].trimmed : ""
    if (1...6).contains(marks), line.dropFirst(marks).first?.isWhitespace ?? true {
      level = marks
      count = 1
      line = line.dropFirst(marks).trimming("#")
    } else if !line.isEmpty, next.count > 2, next.allSatisfy({ $0 == "=" }) || next.allSatisfy({ $0 == "-" }),
      !line.hasPrefix("- ")
    {
      level = next.first == "=" ? 1 : 2
      count = 2
    } else {
      level = nil
      count = 1
    }
    pictures = Self.pictures(in: line)
    let (rest, isItem) = level == nil ? Self.withoutItemMark(line) : (line, false)
    self.isItem = isItem
    isBold =
      ["**", "__"].contains { rest.hasPrefix($0) && rest.trimming(":").hasSuffix($0) && rest.count > 4 }
    words = MarkdownText.plain(rest)
    text = level == nil ? line : words
  }

  /// Whether it is a horizontal rule.
  var isRule: Bool { level == nil && words.count > 2 && words.allSatisfy { "-*_ ".contains($0) } }

  /// The cells of a row of a table; empty for any other line.
  var cells: [String] {
    guard level == nil, text.count > 2, text.first == "|", text.last == "|" else { return [] }
    return text.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
      MarkdownText.plain($0.trimmed)
    }
  }

  /// Whether it separates the head of a table from its rows.
  var isTableRule: Bool {
    let cells = cells
    return !cells.isEmpty && cells.allSatisfy { $0.contains("-") && $0.allSatisfy { "-:".contains($0) } }
  }

  /// Whether it acts as a heading.
  var isLabel: Bool { level == nil && !isItem && (isBold || words.last == ":") }

  /// The part of a recipe whose heading it is.
  var part: PagePart? {
    guard level != nil || isLabel else { return nil }
    return PagePart(heading: words.withoutColon, isHeading: true)
  }

  /// A name and a value, separated by a colon.
  var field: FrontMatter.Field? {
    guard let colon = words.firstIndex(of: ":"), words[..<colon].count < 30 else { return nil }
    let value = words[words.index(after: colon)...].trimmed
    guard !value.isEmpty else { return nil }
    let field = FrontMatter.Field(name: words[..<colon].trimmed, values: [value], isList: false)
    return MarkdownBody.field(field)
  }

  /// Returns the line without `- `, `* `, `1. ` and the checkbox of a task.
  private static func withoutItemMark(_ line: String) -> (String, Bool) {
    var rest = line[...]
    if let mark = rest.first, "-*+•".contains(mark), rest.dropFirst().first?.isWhitespace == true {
      rest = rest.dropFirst(2)
    } else {
      let digits = rest.prefix { $0.isNumber }
      guard (1...3).contains(digits.count), let mark = rest.dropFirst(digits.count).first, ".)".contains(mark),
        rest.dropFirst(digits.count + 1).first?.isWhitespace == true
      else { return (line, false) }
      rest = rest.dropFirst(digits.count + 2)
    }
    let text = rest.trimmed
    for box in ["[ ]", "[x]", "[X]"] where text.hasPrefix(box) { return (text.dropFirst(3).trimmed, true) }
    return (text, true)
  }

  private static func pictures(in line: String) -> [(path: String, text: String?)] {
    guard line.contains("![") else { return [] }
    let characters = Array(line)
    return MarkdownText.links(characters).compactMap { link in
      let path = characters[link.target].drop { !link.isWiki && $0 == "<" }
        .prefix { link.isWiki || $0 != ">" && !$0.isWhitespace }
      guard link.isPicture, !path.isEmpty else { return nil }
      let text = link.isWiki || link.text.isEmpty ? nil : String(characters[link.text])
      return (String(path), text)
    }
  }
}
