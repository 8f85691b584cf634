internal import DecantXML

/// Reads XML or HTML written by other programs from beginning to end, one event at a time.
///
/// libxml2 is not used: its recovery mode drops the text after a bare `<` or `&` and the rest of a tag with a quote too
/// many, and it holds all of a text in memory. This reader interprets damaged markup as far as it makes sense, keeps
/// the rest as text, and warns. Nothing outside the document is read: a DTD is skipped, and only the entities of HTML
/// are known.
final class MarkupReader {
  /// The next item of the document.
  enum Event {
    /// An element begins; its content follows. An empty element is followed by its `end`, too.
    case start(MarkupElement)
    /// Text or a CDATA section, in `text` until the next event; one run may come in several pieces.
    case text
    /// The element of this name ends.
    case end(String)
  }

  let isHTML: Bool
  /// The text of the last event, in UTF-8.
  private(set) var text: [UInt8] = []
  var input: MarkupInput
  /// The number of bytes examined in vain for tags that never end.
  var wastedByteCount = 0

  /// The elements that are open, the outermost first.
  private var open: [String] = []
  private var pending: [Event] = []
  private var pendingPlace = 0
  /// The HTML element whose text contains no markup, such as `script`.
  private var rawName: String?
  private var isInSection = false
  /// Where the CDATA section or the element of `rawName` begins.
  private var textLine = 0
  /// The XML element that holds the current recipe: no text or comment continues beyond its end tag.
  var recordName: String?

  /// The maximum depth of nested elements.
  static let depthLimit = 400
  /// The maximum length of a piece of text, in bytes.
  static let pieceByteCount = 1 << 15

  /// Reads the bytes that `fill` writes into the buffer it is given, until `fill` returns 0.
  init(isHTML: Bool, _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    self.isHTML = isHTML
    input = try MarkupInput(fill)
  }

  /// Returns the warnings since the last call, with line numbers.
  func takeWarnings() -> [String] { input.takeWarnings() }

  /// Returns the next event, or `nil` at the end of the document.
  ///
  /// - Throws: `XMLError` for a document that is nested too deeply or hardly markup, and errors from `fill`.
  func next() throws -> Event? {
    while true {
      if pendingPlace < pending.count {
        pendingPlace += 1
        return pending[pendingPlace - 1]
      }
      pending.removeAll(keepingCapacity: true)
      pendingPlace = 0
      if isInSection {
        if try sectionText() { return .text }
      } else if let name = rawName {
        if try rawText(name) { return .text }
      } else if try input.peek() == nil {
        guard !open.isEmpty else { return nil }
        isCutOff = true
        if !isHTML { warn("the document ends inside \(open[open.count - 1])") }
        while let name = open.popLast() { pending.append(.end(name)) }
      } else if try !markup(), try characters() {
        return .text
      }
    }
  }

  /// The number of open elements.
  var depth: Int { open.count }

  /// Whether the document ends within an element or a tag.
  var isCutOff = false
  /// Whether elements were nested too deeply to be read.
  private(set) var isTooDeep = false

  /// Ends all elements above `depth`, except one that has just begun, without events.
  func end(above depth: Int) {
    let isOpen = pendingPlace == pending.count
    open.removeSubrange(depth..<(isOpen ? open.count - 1 : open.count))
  }

  /// Adds the warning `text` for the current line.
  func warn(_ text: String) { input.warnings.add(text, line: input.line) }

  func error(_ message: String) -> XMLError { XMLError(message, line: input.line) }

  // MARK: - Texts

  private static let textStops = (0..<256).map { $0 == 0x3c || $0 == 0x26 }
  private static let sectionStops = (0..<256).map { $0 == 0x5d || $0 == 0x3c }
  private static let rawStops = (0..<256).map { $0 == 0x3c }

  /// Reads text up to the next markup, and returns whether there was any.
  private func characters() throws -> Bool {
    text.removeAll(keepingCapacity: true)
    while text.count < Self.pieceByteCount {
      try input.move(to: &text, limit: Self.pieceByteCount, stops: Self.textStops)
      guard let byte = try input.peek(), text.count < Self.pieceByteCount else { break }
      if byte == 0x26 {
        try reference()
      } else if text.isEmpty {
        // This `<` was already examined and begins no markup.
        if !isHTML { warn("a < without a tag was kept") }
        text.append(byte)
        input.skip(1)
      } else {
        break
      }
    }
    return !text.isEmpty
  }

  private func reference() throws {
    let count = try reference(at: 0, inAttribute: false, into: &text)
    input.skip(count)
  }

  private func sectionText() throws -> Bool {
    text.removeAll(keepingCapacity: true)
    while text.count < Self.pieceByteCount {
      try input.move(to: &text, limit: Self.pieceByteCount, stops: Self.sectionStops)
      guard text.count < Self.pieceByteCount else { break }
      let isEnded = try input.holds("]]>")
      if try isEnded || isAtEndOfRecord() {
        if !isEnded { input.warnings.add("a CDATA section is not closed", line: textLine) }
        if isEnded { input.skip(3) }
        isInSection = false
        break
      }
      try text.append(input.peek() ?? 0x5d)
      input.skip(1)
    }
    return !text.isEmpty
  }

  /// Reads the text of an element such as `script` up to its end tag.
  private func rawText(_ name: String) throws -> Bool {
    text.removeAll(keepingCapacity: true)
    let resolves = name == "textarea" || name == "title"
    while text.count < Self.pieceByteCount {
      let stops = resolves ? Self.textStops : Self.rawStops
      try input.move(to: &text, limit: Self.pieceByteCount, stops: stops)
      guard text.count < Self.pieceByteCount else { break }
      let byte = try input.peek()
      if byte == nil {
        input.warnings.add("\(name) is not closed", line: textLine)
        rawName = nil
        break
      } else if byte == 0x26 {
        try reference()
      } else if try input.holds("</\(name)", ignoresCase: true) {
        rawName = nil
        break
      } else {
        text.append(0x3c)
        input.skip(1)
      }
    }
    return !text.isEmpty
  }

  // MARK: - Markup

  /// Reads the markup that comes next, and returns whether there was any.
  private func markup() throws -> Bool {
    guard try input.peek() == 0x3c, let byte = try input.peek(1) else { return false }
    switch byte {
    case 0x21: return try declaration()
    case 0x3f:
      input.skip(2)
      try skip(past: isHTML ? ">" : "?>", "a processing instruction is not closed")
      return true
    case 0x2f: return try endTag()
    default: return try startTag()
    }
  }

  private func declaration() throws -> Bool {
    if try input.holds("<!--") {
      input.skip(4)
      try skip(past: "-->", "a comment is not closed")
    } else if try input.holds("<![CDATA[") {
      textLine = input.line
      input.skip(9)
      isInSection = true
    } else if try input.holds("<!doctype", ignoresCase: true) {
      try skipDocumentType()
    } else if isHTML {
      try skip(past: ">", "a comment is not closed")
    } else {
      return false
    }
    return true
  }

  private func skip(past end: String, _ warning: String) throws {
    let start = input.line
    while try !input.holds(end) {
      guard try !isAtEndOfRecord() else {
        input.warnings.add(warning, line: start)
        return
      }
      input.skip(1)
    }
    input.skip(end.utf8.count)
  }

  /// Whether the document or the current recipe ends here, beyond which no text may continue.
  private func isAtEndOfRecord() throws -> Bool {
    guard let byte = try input.peek() else { return true }
    guard byte == 0x3c, let name = recordName else { return false }
    return try input.holds("</\(name)>")
  }

  /// Skips a DOCTYPE with everything in it.
  private func skipDocumentType() throws {
    var brackets = 0
    var quote: UInt8?
    input.skip(2)
    while let byte = try input.peek() {
      if brackets > 0, quote == nil, try input.holds("<!ENTITY") {
        warn("the document declares its own entities, which are not read")
      }
      input.skip(1)
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x5b: brackets += 1
      case 0x5d: brackets -= 1
      case 0x3e where brackets <= 0: return
      default: break
      }
    }
    warn("the document type is not closed")
  }

  private func startTag() throws -> Bool {
    guard let (element, endsAtOnce) = try scanStartTag() else { return false }
    var isEmpty = endsAtOnce
    if isHTML {
      let closed = HTMLNesting.ended(by: element.name, in: open)
      for _ in 0..<closed { open.popLast().map { pending.append(.end($0)) } }
      isEmpty = HTMLNesting.empty.contains(element.name)
      if open.count >= Self.depthLimit, !isEmpty {
        isTooDeep = true
        warn("elements nested more than \(Self.depthLimit) levels deep were read as empty")
        isEmpty = true
      }
    } else if open.count >= Self.depthLimit {
      throw error("the elements are nested more than \(Self.depthLimit) levels deep")
    }
    let name = element.name
    pending.append(.start(element))
    if isEmpty {
      pending.append(.end(name))
    } else {
      open.append(name)
      if isHTML, HTMLNesting.raw.contains(name) { (rawName, textLine) = (name, input.line) }
    }
    return true
  }

  private func endTag() throws -> Bool {
    guard let name = try scanEndTag() else { return false }
    let depth =
      isHTML ? HTMLNesting.opening(of: name, in: open) : open.lastIndex(of: name)
    guard let depth else {
      if !isHTML { warn("the end tag of \(name.prefix(60)), which was not open, was ignored") }
      return true
    }
    while open.count > depth, let closed = open.popLast() {
      if !isHTML, open.count > depth { warn("\(closed.prefix(60)) was not closed") }
      pending.append(.end(closed))
    }
    return true
  }
}
