internal import XML

/// An XML or HTML document of which only the elements that are asked for are held, one at a time.
final class MarkupDocument {
  private let spool: TextSpool
  private let reader: MarkupReader
  /// The names of the elements that are open outside of a record, the outermost first.
  private var path: [String] = []
  private var seenRoot: MarkupElement?

  /// The elements of the record at hand that are open, the outermost first.
  private var open: [MarkupElement] = []
  private var text: [UInt8] = []
  private var isSpooling = false
  private var byteCount = 0

  /// How much of one record may be in memory; its long texts do not count.
  private static let recordByteCount = 256 << 20

  /// Reads what `fill` writes into the buffer it is given, until that returns 0.
  ///
  /// - Parameters:
  ///   - spool: Takes texts longer than `TextSpool.shortByteCount`; it is cleared after each record.
  ///   - isHTML: Whether the document is HTML, where elements may end unsaid, and not XML.
  ///   - fill: Fills a buffer and returns how many bytes are in it.
  /// - Throws: What `fill` throws.
  init(
    spool: TextSpool,
    isHTML: Bool,
    _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    self.spool = spool
    reader = try MarkupReader(isHTML: isHTML, fill)
  }

  /// Returns what was found amiss since the last call, with line numbers.
  func takeWarnings() -> [String] { reader.takeWarnings() }

  /// The outermost element without its content, or `nil` where there is none.
  func root() throws -> MarkupElement? {
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

  /// Reads on to the end, and hands each record to `body` as soon as it is whole.
  ///
  /// - Parameters:
  ///   - isRecord: Whether an element that begins is one, told its name and attributes and the names of the
  ///     elements around it, the outermost first. What lies in a record belongs to it.
  ///   - body: Takes the record; its long texts are gone when it returns.
  /// - Throws: `XMLError` for a document that cannot be read on, and what the closures throw.
  func forEachRecord(
    isRecord: (MarkupElement, [String]) -> Bool,
    _ body: (MarkupElement) throws -> Void
  ) throws {
    if isRootPending, let root = seenRoot {
      isRootPending = false
      begin(root, isRecord)
    }
    while let event = try reader.next() {
      switch event {
      case .start(let element):
        if seenRoot == nil { seenRoot = element }
        if open.isEmpty {
          begin(element, isRecord)
        } else {
          try endText()
          try count(element)
          open.append(element)
        }
      case .text:
        if !open.isEmpty { try append(reader.text) }
      case .end:
        guard !open.isEmpty else {
          _ = path.popLast()
          continue
        }
        try endText()
        guard let element = open.popLast() else { continue }
        if open.isEmpty {
          byteCount = 0
          defer { spool.clear() }
          try body(element)
        } else {
          open[open.count - 1].nodes.append(.element(element))
        }
      }
    }
  }

  private func begin(_ element: MarkupElement, _ isRecord: (MarkupElement, [String]) -> Bool) {
    if isRecord(element, path) { open.append(element) } else { path.append(element.name) }
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
