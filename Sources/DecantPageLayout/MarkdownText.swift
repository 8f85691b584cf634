internal import DecantBase
internal import DecantRecipeFormats

/// A line of Markdown without the marks of links, pictures, emphasis and code.
///
/// Every pass takes a time proportional to the length of the line, whatever is in it.
struct MarkdownText {
  private var characters: [Character]

  /// Returns `text` without its marks, and with escapes resolved.
  static func plain(_ text: String) -> String {
    guard text.contains(where: { "*_[`\\&<".contains($0) }) else { return text }
    var line = MarkdownText(characters: Array(text))
    if text.contains("[") { line.removeLinks() }
    line.removeMarks(2) { line, start in
      line.hasWord(at: start + 2)
    } closes: { line, _ in
      true
    }
    line.removeMarks(1) { line, start in
      line.hasWord(at: start + 1) && (start == 0 || line.isBlank(start - 1) || line.characters[start - 1] == "(")
    } closes: { line, end in
      end == line.characters.count || line.isBlank(end) || ").,;:!?".contains(line.characters[end])
    }
    line.removeCode()
    line.removeEscapes()
    let plain = String(line.characters)
    return (plain.contains("&") || plain.contains("<") ? PlainText.of(plain) : plain).trimmed
  }

  private func isBlank(_ index: Int) -> Bool { characters[index].isWhitespace }

  private func hasWord(at index: Int) -> Bool { index < characters.count && !isBlank(index) }

  /// A link or a picture: `[text](target)`, or `[[target|text]]`.
  struct Link {
    let isPicture: Bool
    let isWiki: Bool
    /// With all marks, from an exclamation mark on.
    let range: Range<Int>
    let text: Range<Int>
    let target: Range<Int>
  }

  /// Returns the links and pictures of a line; `text` and `target` of a wiki link without a bar are the same.
  static func links(_ characters: [Character]) -> [Link] {
    let ends = positions(of: ")", in: characters)
    let bars = positions(of: "|", in: characters)
    var open: [Int] = []
    var links: [Link] = []
    var index = 0
    while index < characters.count {
      defer { index += 1 }
      if characters[index] == "[" { open.append(index) }
      guard characters[index] == "]", let start = open.popLast(), index + 1 < characters.count else { continue }
      let isWiki = characters[index + 1] == "]" && open.last == start - 1
      guard isWiki || characters[index + 1] == "(", let end = isWiki ? index + 1 : ends[index + 1] else { continue }
      if isWiki { open.removeLast() }
      let first = isWiki ? start - 1 : start
      let isPicture = first > 0 && characters[first - 1] == "!"
      let bar = isWiki ? bars[start].flatMap { $0 < index ? $0 : nil } : nil
      links.append(
        Link(
          isPicture: isPicture,
          isWiki: isWiki,
          range: (isPicture ? first - 1 : first)..<end + 1,
          text: (bar ?? start) + 1..<index,
          target: isWiki ? start + 1..<(bar ?? index) : index + 2..<end
        )
      )
      index = end
    }
    return links
  }

  /// Returns for each position the next one of `character`.
  private static func positions(of character: Character, in characters: [Character]) -> [Int?] {
    var next = [Int?](repeating: nil, count: characters.count + 1)
    for index in characters.indices.reversed() {
      next[index] = characters[index] == character ? index : next[index + 1]
    }
    return next
  }

  /// Keeps the text of links, and nothing of pictures.
  private mutating func removeLinks() {
    remove(
      MarkdownText.links(characters).flatMap { link in
        let (range, text) = (link.range, link.text)
        return link.isPicture
          ? [range] : [range.lowerBound..<text.lowerBound, text.upperBound..<range.upperBound]
      }
    )
  }

  /// Removes pairs of equal marks, asterisks or underscores, around words.
  ///
  /// - Parameters:
  ///   - width: The number of characters of a mark.
  ///   - opens: Whether a mark at a position may be the first of a pair.
  ///   - closes: Whether a mark may be the second, from the position after it.
  private mutating func removeMarks(
    _ width: Int,
    _ opens: (MarkdownText, Int) -> Bool,
    closes: (MarkdownText, Int) -> Bool
  ) {
    func isMark(_ mark: Character, _ start: Int) -> Bool {
      start + width <= characters.count && characters[start..<start + width].allSatisfy { $0 == mark }
    }
    func isEnd(_ mark: Character, _ start: Int) -> Bool {
      isMark(mark, start) && start > 0 && !isBlank(start - 1) && closes(self, start + width)
    }
    // Where the last pair can end: behind it nothing is searched.
    let marks: [Character] = ["*", "_"]
    let last = marks.map { mark in characters.indices.last { isEnd(mark, $0) } ?? -1 }
    var dropped: [Range<Int>] = []
    var index = 0
    while index < characters.count {
      guard let number = marks.firstIndex(of: characters[index]), isMark(marks[number], index), opens(self, index),
        let end = (index + width + 1..<max(index + width + 1, last[number] + 1)).first(where: {
          isEnd(marks[number], $0)
        })
      else {
        index += 1
        continue
      }
      dropped += [index..<index + width, end..<end + width]
      index = end + width
    }
    remove(dropped)
  }

  private mutating func removeCode() {
    var ticks = characters.indices.filter { characters[$0] == "`" }
    if !ticks.count.isMultiple(of: 2) { ticks.removeLast() }
    remove(ticks.map { $0..<$0 + 1 })
  }

  private mutating func removeEscapes() {
    var dropped: [Range<Int>] = []
    var index = 0
    while index + 1 < characters.count {
      let isEscape = characters[index] == "\\" && "\\`*_{}[]()#+-.!".contains(characters[index + 1])
      if isEscape { dropped.append(index..<index + 1) }
      index += isEscape ? 2 : 1
    }
    remove(dropped)
  }

  /// Removes `ranges`, which may overlap.
  private mutating func remove(_ ranges: [Range<Int>]) {
    guard !ranges.isEmpty else { return }
    var changes = [Int](repeating: 0, count: characters.count + 1)
    for range in ranges {
      changes[range.lowerBound] += 1
      changes[range.upperBound] -= 1
    }
    var depth = 0
    var kept: [Character] = []
    for (index, character) in characters.enumerated() {
      depth += changes[index]
      if depth == 0 { kept.append(character) }
    }
    characters = kept
  }
}
