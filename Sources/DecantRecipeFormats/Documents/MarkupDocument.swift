internal import DecantXML

/// An XML or HTML document of which only the requested elements are held, one at a time.
package final class MarkupDocument {
  private let spool: TextSpool
  private let reader: MarkupReader
  /// The names of the elements that are open outside a record, the outermost first.
  private var path: [String] = []
  private var seenRoot: MarkupElement?

  /// The open elements of the current record, the outermost first.
  private var open: [MarkupElement] = []
  private var text: [UInt8] = []
  private var isSpooling = false
  private var byteCount = 0
  /// Receives everything in the document, if set.
  var page: (any PageReader)?
  /// The number of the reader's open elements around the record.
  private var outerDepth = 0

  /// The maximum number of bytes of one record in memory, not counting its long texts.
  private static let recordByteCount = 256 << 20

  /// Reads the bytes that `fill` writes into the buffer it is given, until `fill` returns 0.
  ///
  /// - Parameters:
  ///   - spool: Takes texts longer than `TextSpool.shortByteCount`; it is cleared after each record.
  ///   - isHTML: Whether the document is HTML, where elements may end implicitly, and not XML.
  ///   - fill: Fills a buffer and returns how many bytes are in it.
  /// - Throws: Errors from `fill`.
  package init(spool: TextSpool, isHTML: Bool, _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    self.spool = spool
    reader = try MarkupReader(isHTML: isHTML, fill)
  }

  /// Whether the document ends while elements are open.
  package var isCutOff: Bool { reader.isCutOff }

  /// The reason part of the document was not read; `nil` if all of it was.
  package var omission: String? {
    reader.isTooDeep ? "elements nested more than \(MarkupReader.depthLimit) levels deep were not read" : nil
  }

  /// Returns the warnings since the last call, with line numbers.
  package func takeWarnings() -> [String] { reader.takeWarnings() }

  /// The outermost element without its content, or `nil` where there is none.
  package func root() throws -> MarkupElement? {
    if let seenRoot { return seenRoot }
    while let event = try reader.next() {
      guard case .start(let element) = event else { continue }
      seenRoot = element
      isRootPending = true
      return element
    }
    return nil
  }

  private var isRootPending = false

  /// Reads to the end, and passes each record to `body` as soon as it is complete.
  ///
  /// - Parameters:
  ///   - isRecord: Returns whether an element that begins is a record, given its name and attributes and the names of
  ///     the elements around it, the outermost first. Everything in a record belongs to it.
  ///   - body: Receives the record, whose long texts are valid until it returns.
  /// - Throws: `XMLError` for a document that cannot be read further, and errors from the closures.
  package func forEachRecord(
    isRecord: (MarkupElement, [String]) -> Bool,
    _ body: (MarkupElement) throws -> Void
  ) throws {
    if isRootPending, let root = seenRoot {
      isRootPending = false
      try page?.start(root)
      begin(root, isRecord)
    }
    while let event = try reader.next() {
      switch event {
      case .start(let element):
        if seenRoot == nil { seenRoot = element }
        try page?.start(element)
        if open.isEmpty {
          begin(element, isRecord)
        } else if begins(element) {
          reader.warn("\(element.name), which begins on line \(open[0].line), is not closed")
          reader.end(above: outerDepth)
          while open.count > 1 { try endElement() }
          try endRecord(body)
          begin(element, isRecord)
        } else {
          try endText()
          try count(element)
          open.append(element)
        }
      case .text:
        page?.text(reader.text)
        if !open.isEmpty { try append(reader.text) }
      case .end:
        page?.end()
        guard !open.isEmpty else {
          _ = path.popLast()
          continue
        }
        if open.count > 1 {
          try endElement()
        } else {
          if reader.isHTML, reader.isCutOff {
            reader.warn("the document ends inside \(open[0].name), which begins on line \(open[0].line)")
          }
          try endRecord(body)
        }
      }
    }
  }

  private func begin(_ element: MarkupElement, _ isRecord: (MarkupElement, [String]) -> Bool) {
    guard isRecord(element, path) else { return path.append(element.name) }
    open.append(element)
    outerDepth = reader.depth - 1
    reader.recordName = reader.isHTML ? nil : element.name
  }

  /// Whether an XML element inside a record begins the next record, because the end of the current one is missing.
  private func begins(_ element: MarkupElement) -> Bool {
    guard !reader.isHTML, element.name == open[0].name else { return false }
    // Dictionaries of a property list contain others, after their keys.
    return element.name != "dict" || open.count == 1 && open[0].children.last?.name != "key"
  }

  /// Ends the innermost element of the record.
  private func endElement() throws {
    try endText()
    guard let element = open.popLast() else { return }
    open[open.count - 1].nodes.append(.element(element))
  }

  /// Ends the record, in which only the outermost element is open.
  private func endRecord(_ body: (MarkupElement) throws -> Void) throws {
    try endText()
    guard let element = open.popLast() else { return }
    byteCount = 0
    reader.recordName = nil
    defer { spool.clear() }
    try body(element)
  }

  private func append(_ piece: [UInt8]) throws {
    if !isSpooling, text.count + piece.count > TextSpool.shortByteCount {
      isSpooling = true
      spool.begin()
      try text.withUnsafeBytes { try spool.append($0) }
      text.removeAll(keepingCapacity: true)
    }
    if isSpooling {
      try piece.withUnsafeBytes { try spool.append($0) }
    } else {
      text.append(contentsOf: piece)
    }
  }

  private func endText() throws {
    if isSpooling {
      isSpooling = false
      open[open.count - 1].nodes.append(.text(.long(spool.finish())))
    } else if !text.isEmpty {
      try count(text.count)
      open[open.count - 1].nodes.append(.text(.short(String(decoding: text, as: UTF8.self))))
      text.removeAll(keepingCapacity: true)
    }
  }

  private func count(_ element: MarkupElement) throws {
    try count(element.attributes.reduce(100) { $0 + $1.key.utf8.count + $1.value.utf8.count })
  }

  private func count(_ more: Int) throws {
    byteCount += more
    guard byteCount <= Self.recordByteCount else {
      throw reader.error("a recipe takes more than \(Self.recordByteCount >> 20) MiB")
    }
  }
}
