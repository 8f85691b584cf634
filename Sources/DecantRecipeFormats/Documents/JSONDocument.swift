internal import DecantJSON

/// A JSON document written by another program, read from front to back.
///
/// In addition to what `JSONReader` tolerates, it accepts a byte order mark and UTF-16. Bytes that are not valid UTF-8
/// are read as Windows-1252.
///
/// Strings longer than `TextSpool.shortByteCount` go into the spool as they are read. Time is linear in the
/// length of the document; memory is bounded by `Limits`.
package final class JSONDocument {
  /// The limits on a single value.
  package struct Limits: Sendable {
    /// How deep arrays and objects may be nested.
    var depth = 64
    /// The maximum number of bytes in memory, not counting those in the spool.
    package var byteCount = 64 << 20
  }

  private var reader: JSONReader
  private let spool: TextSpool
  package let limits: Limits
  /// The part of the current string that is not in the spool.
  private var scratch: [UInt8] = []
  /// The part of `limits.byteCount` that the current value uses.
  package private(set) var byteCount = 0
  /// Receives warnings about text that was left out.
  package var warn: (String) -> Void = { _ in }
  /// The byte offset of anything after the end of the value, which was not read.
  package private(set) var leftover: Int64?
  private var leftoverFault: RecipeFault?
  private var keepsElement = false

  /// The memory that a value uses in addition to its text, in bytes.
  private static let overhead = 64

  /// Reads the bytes that `fill` writes into the buffer it is given, until `fill` returns 0.
  package init(
    spool: TextSpool,
    limits: Limits = Limits(),
    _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.spool = spool
    self.limits = limits
    reader = JSONReader(depthLimit: limits.depth, UTF16Feed.plain(fill, isJSON: true))
    scratch.reserveCapacity(TextSpool.shortByteCount)
  }

  /// Reads a text, such as the text of an element of a page.
  package convenience init(_ text: DocumentText, spool: TextSpool, limits: Limits = Limits()) {
    self.init(spool: spool, limits: limits, text.bytes)
  }

  /// Reads the whole document as one value.
  ///
  /// - Throws: `RecipeFault` with the byte offset, for invalid JSON or an exceeded limit.
  package func read() throws -> DocumentValue {
    try read { reader in try wholeValue(&reader) }
  }

  /// Reads the document, and passes the elements of long arrays to `onElement` one by one.
  ///
  /// After it has returned, it may be called again for the value at `leftover`.
  ///
  /// The elements are those of the outermost array, or of the arrays in the members `keys` of the outermost object. The
  /// long texts of an element are valid until `onElement` returns.
  ///
  /// - Parameters:
  ///   - keys: Names of members; members whose values are not arrays are not passed on.
  ///   - skipsOthers: Whether the other members are skipped rather than kept and returned.
  ///   - onElement: Receives the name of the member (`nil` in an outermost array) and the element, or the limit that it
  ///     exceeds; the elements after it follow nevertheless.
  /// - Returns: Everything that was not passed to `onElement`; an empty array for an outermost array.
  /// - Throws: `RecipeFault` with the byte offset for invalid JSON, and errors from `onElement`.
  package func read(
    streaming keys: Set<String>,
    skipsOthers: Bool = false,
    _ onElement: (_ key: String?, _ element: Result<DocumentValue, RecipeFault>) throws -> Void
  ) throws -> DocumentValue {
    try read { reader in
      byteCount = 0
      switch try reader.kind() {
      case .array:
        try forEachElement(&reader) { try onElement(nil, $0) }
        return .array([])
      case .object:
        var rest: [(String, DocumentValue)] = []
        try forEachMember(&reader) { key, reader in
          if keys.contains(key), try reader.kind() == .array {
            let byteCount = byteCount
            try forEachElement(&reader) { try onElement(key, $0) }
            self.byteCount = byteCount
          } else if skipsOthers {
            try reader.skip()
          } else {
            rest.append((key, try value(&reader)))
          }
        }
        return .object(rest)
      default: return try value(&reader)
      }
    }
  }

  /// Keeps the long texts of the current element valid after `onElement` returns.
  package func keepElement() { keepsElement = true }

  /// Advances to the next value, skipping commas and similar separators.
  ///
  /// - Returns: The byte offset of that value; `nil` at the end.
  /// - Throws: `RecipeFault` for an unterminated comment.
  package func next() throws -> Int64? {
    guard leftover != nil else { return nil }
    if let leftoverFault { throw leftoverFault }
    // 0x1e is the record separator that some programs write before each value of a sequence (RFC 7464).
    return try skip([0x2c, 0x3b, 0x1e])
  }

  /// Whether an object or an array begins here.
  package var isAtStructure: Bool {
    get throws {
      let byte = try reader.next()
      return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }
  }

  /// Skips `signs` and white space, and returns the byte offset of what follows; `nil` at the end.
  private func skip(_ signs: Set<UInt8>) throws -> Int64? {
    do {
      while let byte = try reader.next() {
        guard signs.contains(byte) else { return reader.offset }
        reader.pass()
      }
      return nil
    } catch let fault as JSONFault {
      throw RecipeFault(fault)
    }
  }

  /// Reads a value with `body`, and notes anything that follows it.
  private func read(_ body: (inout JSONReader) throws -> DocumentValue) throws -> DocumentValue {
    let value: DocumentValue
    leftover = nil
    do {
      value = try body(&reader)
    } catch let fault as JSONFault {
      throw RecipeFault(fault)
    }
    do {
      leftover = try skip([UInt8(ascii: ";")])
    } catch let fault as RecipeFault {
      // An error after the value does not affect the value itself: `next` throws it.
      (leftover, leftoverFault) = (reader.offset, fault)
    }
    return value
  }

  private func wholeValue(_ reader: inout JSONReader) throws -> DocumentValue {
    byteCount = 0
    return try value(&reader)
  }

  /// Passes on the elements of the array that begins here, discarding the long texts of each afterwards.
  private func forEachElement(
    _ reader: inout JSONReader,
    _ body: (Result<DocumentValue, RecipeFault>) throws -> Void
  ) throws {
    try reader.array { reader in
      let mark = spool.mark
      let level = reader.depth
      let element: Result<DocumentValue, RecipeFault>
      do {
        element = .success(try wholeValue(&reader))
      } catch let fault as JSONFault where fault.isExcess {
        try reader.skip(downTo: level)
        element = .failure(RecipeFault(fault))
      }
      keepsElement = false
      try body(element)
      if !keepsElement { spool.clear(from: mark) }
    }
  }

  // MARK: Values

  /// Reads the value that begins here, after any white space.
  private func value(_ reader: inout JSONReader) throws -> DocumentValue {
    let kind = try reader.kind()
    try charge(Self.overhead, reader.offset)
    switch kind {
    case .string:
      let text = try string(&reader)
      if case .short(let text) = text { try charge(text.utf8.count, reader.offset) }
      return .text(text)
    case .object:
      var members: [(String, DocumentValue)] = []
      try forEachMember(&reader) { key, reader in members.append((key, try value(&reader))) }
      return .object(members)
    case .array:
      var elements: [DocumentValue] = []
      try reader.array { reader in elements.append(try value(&reader)) }
      return .array(elements)
    default:
      switch try reader.literal() {
      case .null: return .null
      case .bool(let bool): return .bool(bool)
      case .number(let digits): return .number(digits)
      }
    }
  }

  /// Calls `body` before the value of each member of the object that begins here.
  private func forEachMember(
    _ reader: inout JSONReader,
    _ body: (_ key: String, _ reader: inout JSONReader) throws -> Void
  ) throws {
    try reader.object { name, reader in
      let key: String
      if name.allSatisfy({ 0x20..<0x7f ~= $0 }) {
        key = String(decoding: name, as: UTF8.self)
      } else {
        var bytes = Array(name)
        key = try text(of: &bytes)
      }
      try charge(Self.overhead + key.utf8.count, reader.offset)
      try body(key, &reader)
    }
  }

  /// The text of a short string.
  private func text(of bytes: inout [UInt8]) throws -> String {
    var string = LongString(spool: spool)
    return try text(&string, &bytes).string
  }

  private func text(_ string: inout LongString, _ rest: inout [UInt8]) throws -> DocumentText {
    let text = try string.finish(&rest)
    if string.hadControls { warn("control characters were removed") }
    return text
  }

  private func string(_ reader: inout JSONReader) throws -> DocumentText {
    var string = LongString(spool: spool)
    scratch.removeAll(keepingCapacity: true)
    try reader.string { piece in
      if piece.count + scratch.count > TextSpool.shortByteCount {
        try string.spill(&scratch)
        if piece.count > TextSpool.shortByteCount { return try string.spill(piece) }
      }
      scratch.append(contentsOf: piece)
    }
    return try text(&string, &scratch)
  }

  private func charge(_ count: Int, _ place: Int64) throws {
    byteCount += count
    guard byteCount <= limits.byteCount else {
      throw JSONFault(.memory, "a value takes more than \(limits.byteCount) bytes of memory", at: place)
    }
  }
}
