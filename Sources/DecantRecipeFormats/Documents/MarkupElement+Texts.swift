internal import DecantXML
internal import DecantBase

/// The texts of elements in the form that recipes need.
extension MarkupElement {
  /// Returns the attribute `name`, trimmed; `nil` for an empty one.
  func value(_ name: String) -> String? { attribute(name).flatMap(MarkupTexts.trimmed) }

  /// Returns all text of the first child of this name, trimmed; `nil` where there is no such child or text.
  func text(_ name: String) throws -> String? {
    try child(name).flatMap { MarkupTexts.trimmed(try $0.allText) }
  }

  /// All text of each child of this name, trimmed, without the empty ones.
  func texts(_ name: String) throws -> [String] {
    try children(named: name).compactMap { MarkupTexts.trimmed(try $0.allText) }
  }

  /// The value of `display` in its own style, in small letters: `none`, `block`; of several the last.
  package var display: String? {
    guard let style = attributes["style"], style.holds("isplay") || style.holds("ISPLAY") else { return nil }
    var display: String?
    for declaration in style.utf8.prefix(2_000).split(separator: UInt8(ascii: ";")) {
      let text = String(decoding: declaration.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
      if text.hasPrefix("display:") { display = String(text.dropFirst("display:".count)) }
    }
    return display
  }

  /// The text of HTML as a browser shows it: white space is collapsed, `br` and blocks begin lines.
  var shownText: String {
    get throws {
      var lines = ShownText()
      try lines.add(self)
      return lines.text
    }
  }

  /// The lines of `shownText` that are not empty.
  var shownLines: [String] { get throws { MarkupTexts.lines(try shownText) } }
}

/// HTML text assembled line by line.
private struct ShownText {
  private var lines: [String] = []
  private var line = ""
  private var inline = InlineText()

  var text: String { (lines + [InlineText.whole(line)]).map(\.trimmed).joined(separator: "\n").trimmed }

  mutating func add(_ element: MarkupElement) throws {
    if element.name == "script" || element.name == "style" { return }
    if element.name == "br" { return end() }
    let isBlock = HTMLNesting.blocks.contains(element.name) || element.display?.hasPrefix("block") == true
    inline.begin(element.name, &line)
    if isBlock, !line.trimmed.isEmpty { end() }
    for node in element.nodes {
      switch node {
      case .element(let child): try add(child)
      case .text(let text): add(try text.string, keepsLines: element.name == "pre")
      }
    }
    inline.end(element.name, line)
    if element.name == "td" || element.name == "th" { line += " " }
    if isBlock, !line.trimmed.isEmpty { end() }
    if element.name == "p", lines.last?.isEmpty == false { lines.append("") }
  }

  private mutating func add(_ text: String, keepsLines: Bool) {
    inline.add(text, &line)
    for character in text {
      if keepsLines, character == "\n" {
        end()
      } else if character.isWhitespace {
        // A non-breaking space is intentional.
        if character == "\u{a0}" || (!line.isEmpty && line.last != " ") { line += " " }
      } else {
        line.append(character)
      }
    }
  }

  private mutating func end() {
    lines.append(InlineText.whole(line).trimmed)
    line = ""
  }
}
