internal import DecantBase
internal import DecantPlan

/// Writes the page as plain text, for mail programs and people who prefer it.
final class PlainTextWriter: PageWriter {
  private let output: PageOutput
  private var isAtLineStart = true
  private var hasBlankLine = true
  /// Whether the line contains only the mark of an item.
  private var hasMark = false
  /// The number of the next item of each open list, 0 for lists without numbers.
  private var lists: [Int] = []

  /// Writes to `output`.
  init(to output: PageOutput) { self.output = output }

  func begin(title: String, heading: String?, count: String?) throws(DecantError) {
    guard let heading else { return }
    try self.heading(heading, level: 1)
    if let count { try paragraph(count) }
  }

  func end() throws(DecantError) {
    try endLine()
    try output.flush()
  }

  // The content follows immediately: a list of it would only be in the way.
  func beginContents() throws(DecantError) {}
  func contents(_ heading: String, _ number: Int) throws(DecantError) {}
  func contents(_ title: String, _ object: PageReference) throws(DecantError) {}
  func endContents() throws(DecantError) {}

  func beginSection(_ heading: String) throws(DecantError) { try self.heading(heading, level: 2) }
  func endSection() throws(DecantError) { try blankLine() }

  func beginChapter(_ heading: String, _ number: Int) throws(DecantError) { try self.heading(heading, level: 2) }
  func endChapter() throws(DecantError) { try blankLine() }

  func heading(_ text: String, _ object: PageReference?, level: Int) throws(DecantError) {
    try blankLine()
    try heading(text, level: level)
  }

  func beginObject(_ title: String?, _ object: PageReference?, level: Int, isRecipe: Bool) throws(DecantError) {
    try blankLine()
    if let title { try heading(title, level: level) }
  }

  func endObject() throws(DecantError) { try blankLine() }

  func beginPart(_ kind: PagePart, _ heading: String?, level: Int) throws(DecantError) {
    if let heading { try self.heading(heading, level: level) }
  }

  func endPart(_ kind: PagePart) throws(DecantError) { if lists.isEmpty { try blankLine() } }

  func lead(_ text: String) throws(DecantError) { try paragraph(text) }

  func paragraphs(_ text: String) throws(DecantError) {
    for lines in HTMLText.paragraphs(of: text) {
      try paragraph(lines.map(String.init).joined(separator: "\n"))
    }
  }

  func aside(_ text: String) throws(DecantError) { try paragraph(text) }

  func data(of recipe: PageObject, picture: PageBytes?) throws(DecantError) {}
}

// Lists and content within a line.
extension PlainTextWriter {
  func beginValues(areFacts: Bool) throws(DecantError) { try endLine() }

  func beginValue(_ label: String) throws(DecantError) {
    try endLine()
    try write("\(label): ")
  }

  func endValue() throws(DecantError) { try endLine() }
  func endValues() throws(DecantError) { try blankLine() }

  func beginList(isNumbered: Bool) throws(DecantError) {
    try endLine()
    lists.append(isNumbered ? 1 : 0)
  }

  func beginItem(_ object: PageReference?) throws(DecantError) {
    try endLine()
    let number = lists.popLast() ?? 0
    try write(String(repeating: "  ", count: lists.count) + (number > 0 ? "\(number). " : "- "))
    lists.append(number > 0 ? number + 1 : 0)
    // The item's text continues after its mark.
    isAtLineStart = true
    hasMark = true
  }

  func ticked(_ line: () throws(DecantError) -> Void) throws(DecantError) { try line() }
  func endItem() throws(DecantError) { try endLine() }

  func endList(isNumbered: Bool) throws(DecantError) {
    try endLine()
    _ = lists.popLast()
    if lists.isEmpty { try blankLine() }
  }

  func text(_ text: String, isStrong: Bool) throws(DecantError) { try write(text) }
  func words(_ words: String) throws(DecantError) { try write(words) }
  func link(_ title: String, _ object: PageReference) throws(DecantError) { try write(title) }
  func address(_ address: String) throws(DecantError) { try write(address) }

  func bytes(_ bytes: PageBytes, _ caption: PageCaption) throws(DecantError) {
    if bytes.isLost { return try paragraph("[\(caption.label): its file is lost]") }
    let kind = bytes.isShown ? "picture" : bytes.format?.name ?? "data"
    try paragraph("[\(kind): \(caption.text ?? caption.description)]")
  }
}

extension PlainTextWriter {
  private func write(_ text: String) throws(DecantError) {
    try output.write(HTMLText.plain(text))
    isAtLineStart = false
    hasBlankLine = false
    hasMark = false
  }

  private func endLine() throws(DecantError) {
    if !isAtLineStart || hasMark { try output.write("\n") }
    isAtLineStart = true
    hasMark = false
  }

  private func blankLine() throws(DecantError) {
    try endLine()
    if !hasBlankLine { try output.write("\n") }
    hasBlankLine = true
  }

  private func paragraph(_ text: String) throws(DecantError) {
    if !hasMark { try endLine() }
    try write(text)
    if lists.isEmpty { try blankLine() } else { try endLine() }
  }

  private func heading(_ text: String, level: Int) throws(DecantError) {
    if lists.isEmpty { try blankLine() } else { try endLine() }
    try write(text)
    try endLine()
    guard level <= 2, lists.isEmpty else { return }
    try output.write(String(repeating: level == 1 ? "=" : "-", count: min(max(text.count, 1), 72)))
    try output.write("\n\n")
    hasBlankLine = true
  }
}
