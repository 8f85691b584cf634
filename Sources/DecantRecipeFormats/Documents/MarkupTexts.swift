internal import DecantXML
internal import DecantBase

/// Helpers of the XML and HTML formats for the texts in them.
enum MarkupTexts {
  /// Returns `text` without white space at its ends and with line feeds as line ends; `nil` where nothing is left.
  static func trimmed(_ text: some StringProtocol) -> String? {
    let trimmed = withLineFeeds(String(text)).trimmed
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Returns `text` with line feeds as its only line ends.
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

  /// Returns the lines of `text` that are not empty, trimmed.
  static func lines(_ text: String) -> [String] {
    withLineFeeds(text).split(separator: "\n").compactMap(trimmed)
  }

  /// Returns the parts of `text` between `separators`, trimmed and without duplicates.
  static func list(_ text: String?, separators: Set<Character> = [","]) -> [String] {
    var parts: [String] = []
    parts.appendNew((text ?? "").split(whereSeparator: separators.contains).compactMap(trimmed))
    return parts
  }

  /// Returns the paragraphs of `text`, separated by blank lines; without blank lines, its lines.
  static func paragraphs(_ text: String) -> [String] {
    let all = withLineFeeds(text).split(separator: "\n", omittingEmptySubsequences: false)
    var paragraphs: [String] = []
    var current: [Substring] = []
    for line in all + [""] {
      if line.allSatisfy(\.isWhitespace) {
        if !current.isEmpty { paragraphs.append(current.joined(separator: "\n").trimmed) }
        current = []
      } else {
        current.append(line)
      }
    }
    return paragraphs.count == 1 ? lines(text) : paragraphs
  }

  /// Joins the parts of an ingredient into one line: “2 cups flour, sifted”.
  static func line(_ parts: [String?], note: String? = nil) -> String {
    let line = parts.compactMap { $0 }.joined(separator: " ")
    return note.map { line.isEmpty ? $0 : "\(line), \($0)" } ?? line
  }

  /// Returns text that contains tags or entities, such as `&lt;i&gt;`, without the tags and with the entities resolved.
  static func withoutTags(_ text: String) throws -> String {
    guard text.utf8.contains(0x3c) || text.utf8.contains(0x26) else { return text }
    let reader = try reader(of: text)
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

  private static func reader(of text: some StringProtocol) throws -> MarkupReader {
    let bytes = Array(text.utf8)
    var place = 0
    return try MarkupReader(isHTML: true) { buffer in
      let count = min(buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<(place + count)])
      place += count
      return count
    }
  }

  /// Returns the first 100 `img` elements in a text that may be HTML, each with the index of its line in the plain text.
  static func images(in text: String) throws -> [(image: MarkupElement, line: Int)] {
    guard text.holds("<img") || text.holds("<IMG") else { return [] }
    var images: [(MarkupElement, Int)] = []
    var before = ""
    var rest = text[...]
    while images.count < 100, let start = rest.firstRange(of: /<(?:img|IMG)[\s\/]/)?.lowerBound {
      before += rest[..<start]
      rest = rest[start...]
      if case .start(let image)? = try reader(of: rest).next() {
        images.append((image, PlainText.lines(before + "x").count - 1))
      }
      rest = rest[(rest.firstIndex(of: ">") ?? start)...].dropFirst()
    }
    return images
  }
}
