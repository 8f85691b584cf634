/// What the formats of XML and HTML make of the texts in them.
enum MarkupTexts {
  /// `text` without blanks at its ends, `nil` for nothing else; lines end in line feeds.
  static func trimmed(_ text: some StringProtocol) -> String? {
    let trimmed = withLineFeeds(String(text)).trimmingBlanks
    return trimmed.isEmpty ? nil : trimmed
  }

  /// `text` with line feeds alone at the ends of lines.
  static func withLineFeeds(_ text: String) -> String {
    guard text.utf8.contains(0x0d) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var endedInReturn = false
    for byte in text.utf8 {
      defer { endedInReturn = byte == 0x0d }
      if byte == 0x0a, endedInReturn { continue }
      bytes.append(byte == 0x0d ? 0x0a : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lines of `text` that are not empty, trimmed.
  static func lines(_ text: String) -> [String] {
    withLineFeeds(text).split(separator: "\n").compactMap(trimmed)
  }

  /// The parts of `text` between commas, or what else parts them, trimmed and each once.
  static func list(_ text: String?, separators: Set<Character> = [","]) -> [String] {
    var parts: [String] = []
    for part in (text ?? "").split(whereSeparator: separators.contains).compactMap(trimmed)
    where !parts.contains(part) {
      parts.append(part)
    }
    return parts
  }

  /// The paragraphs of `text`: what blank lines part; where there are none, its lines.
  static func paragraphs(_ text: String) -> [String] {
    let all = withLineFeeds(text).split(separator: "\n", omittingEmptySubsequences: false)
    var paragraphs: [String] = []
    var current: [Substring] = []
    for line in all + [""] {
      if line.allSatisfy(\.isWhitespace) {
        if !current.isEmpty { paragraphs.append(current.joined(separator: "\n").trimmingBlanks) }
        current = []
      } else {
        current.append(line)
      }
    }
    return paragraphs.count == 1 ? lines(text) : paragraphs
  }

  /// The parts of an ingredient as one line: “2 cups flour, sifted”.
  static func line(_ parts: [String?], note: String? = nil) -> String {
    let line = parts.compactMap { $0 }.joined(separator: " ")
    return note.map { line.isEmpty ? $0 : "\(line), \($0)" } ?? line
  }

  /// Text with tags in it, such as `&lt;i&gt;`, without them, its entities resolved.
  static func withoutTags(_ text: String) throws -> String {
    guard text.utf8.contains(0x3c) || text.utf8.contains(0x26) else { return text }
    let bytes = Array(text.utf8)
    var place = 0
    let reader = try MarkupReader(isHTML: true) { buffer in
      let count = min(buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<(place + count)])
      place += count
      return count
    }
    var plain: [UInt8] = []
    while let event = try reader.next() {
      switch event {
      case .text: plain += reader.text
      case .start(let element):
        let begins = element.name == "br" || HTMLNesting.blocks.contains(element.name)
        if begins, plain.last != 0x0a { plain.append(0x0a) }
        if InlineText.isMarked(element.name) { plain += Array(String(InlineText.mark).utf8) }
      case .end: break
      }
    }
    return InlineText.whole(String(decoding: plain, as: UTF8.self))
  }
}
