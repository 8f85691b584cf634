internal import CDecantXML2

/// Reads an XML document from beginning to end, one event at a time.
///
/// Nothing outside the document is ever read: no network, no external entity, no DTD. A document that declares entities
/// is rejected, because a few lines of them can expand into gigabytes; character references and the five predefined
/// entities are plain text.
package final class XMLReader {
  /// An event in the document.
  package enum Event: Sendable, Hashable {
    /// The start of an element. An empty element is also followed by its `end`.
    case start(Tag)
    /// Text or a CDATA section; contiguous text may arrive in several events.
    case text(String)
    /// The end of the element of this name.
    case end(String)
  }

  /// The start tag of an element.
  package struct Tag: Sendable, Hashable {
    /// The name as written, with its prefix if it has one.
    package var name: String
    /// The attributes by name as written, with entities in their values resolved.
    package var attributes: [String: String]
    /// The line on which the element begins.
    package var line: Int

    /// Creates a start tag; line 0 if there is no document.
    package init(name: String, attributes: [String: String] = [:], line: Int = 0) {
      self.name = name
      self.attributes = attributes
      self.line = line
    }
  }

  /// The limits for a document.
  package struct Limits: Sendable, Hashable {
    /// The maximum size of a document in bytes; 256 MiB by default.
    package var byteCount: Int
    /// The maximum nesting depth of elements; the outermost is the first level.
    package var depth: Int

    /// Creates limits; the defaults exceed what any model or property list needs.
    package init(byteCount: Int = 1 << 28, depth: Int = 200) {
      self.byteCount = byteCount
      self.depth = depth
    }
  }

  private let limits: Limits
  /// The document; libxml2 reads it in place, so it must not move.
  private let buffer: UnsafeMutableRawBufferPointer
  private let reader: xmlTextReaderPtr
  private var depth = 0
  private var pendingEnd: String?

  /// Opens `bytes`; `encoding` overrides that of the document.
  package init(_ bytes: [UInt8], encoding: String? = nil, limits: Limits = Limits()) throws(XMLError) {
    guard bytes.count <= min(limits.byteCount, Int(Int32.max)) else {
      throw XMLError("the document is larger than \(limits.byteCount) bytes")
    }
    guard !bytes.isEmpty else { throw XMLError("the document is empty") }
    Self.startLibrary
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    buffer.copyBytes(from: bytes)
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let memory = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard
      let reader = xmlReaderForMemory(memory, Int32(bytes.count), nil, encoding, Int32(options))
    else {
      buffer.deallocate()
      throw XMLError("the document cannot be opened")
    }
    self.limits = limits
    self.buffer = buffer
    self.reader = reader
  }

  deinit {
    xmlFreeTextReader(reader)
    buffer.deallocate()
  }

  /// Returns the next event, or `nil` at the end of the document.
  package func next() throws(XMLError) -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while true {
      xmlResetLastError()
      switch xmlTextReaderRead(reader) {
      case 1: break
      case 0: return nil
      default: throw lastError()
      }
      if let event = try event() { return event }
    }
  }

  /// Returns an error at the current place.
  package func error(_ message: String) -> XMLError {
    XMLError(
      message,
      line: Int(xmlTextReaderGetParserLineNumber(reader)),
      column: Int(xmlTextReaderGetParserColumnNumber(reader))
    )
  }

  /// Returns the event of libxml2's current node, or `nil` for irrelevant nodes.
  private func event() throws(XMLError) -> Event? {
    switch xmlReaderTypes(UInt32(bitPattern: xmlTextReaderNodeType(reader))) {
    case XML_READER_TYPE_ELEMENT:
      return try start()
    case XML_READER_TYPE_END_ELEMENT:
      return .end(name)
    case XML_READER_TYPE_TEXT, XML_READER_TYPE_CDATA,
      XML_READER_TYPE_WHITESPACE, XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
      return xmlTextReaderConstValue(reader).map { .text(Self.text($0)) }
    case XML_READER_TYPE_ENTITY_REFERENCE:
      // The entity may be declared in a DTD, which is not read; the reference is kept as written.
      return .text("&\(name);")
    case XML_READER_TYPE_DOCUMENT_TYPE:
      try refuseEntities()
      return nil
    default:
      return nil
    }
  }

  private func start() throws(XMLError) -> Event {
    guard Int(xmlTextReaderDepth(reader)) < limits.depth else {
      throw error("the elements are nested more than \(limits.depth) levels deep")
    }
    // The parser may already be further on, so the line is taken from the element.
    var tag = Tag(name: name, line: xmlGetLineNo(xmlTextReaderCurrentNode(reader)))
    let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
    while xmlTextReaderMoveToNextAttribute(reader) == 1 {
      tag.attributes[name] = xmlTextReaderConstValue(reader).map(Self.text) ?? ""
    }
    _ = xmlTextReaderMoveToElement(reader)
    if isEmpty { pendingEnd = tag.name }
    return .start(tag)
  }

  private func refuseEntities() throws(XMLError) {
    guard let node = xmlTextReaderCurrentNode(reader), node.pointee.type == XML_DTD_NODE else {
      return
    }
    let declares = node.withMemoryRebound(to: xmlDtd.self, capacity: 1) {
      $0.pointee.entities != nil || $0.pointee.pentities != nil
    }
    if declares { throw error("the document declares its own entities") }
  }

  private var name: String {
    xmlTextReaderConstName(reader).map(Self.text) ?? ""
  }

  private func lastError() -> XMLError {
    guard let last = xmlGetLastError()?.pointee, let message = last.message else {
      return error("the document is damaged")
    }
    var text = String(cString: message)
    while text.last?.isWhitespace == true { text.removeLast() }
    return XMLError(text, line: Int(last.line), column: Int(last.int2))
  }

  private static func text(_ characters: UnsafePointer<xmlChar>) -> String {
    String(cString: characters)
  }

  /// libxml2 must be initialized once before several threads use it.
  private static let startLibrary: Void = xmlInitParser()
}
