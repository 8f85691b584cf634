internal import Decant

/// A JSON document as strangers write them, read from front to back.
///
/// Beyond the standard it takes a byte order mark, UTF-16, trailing and doubled commas, comments, the markers of
/// CDATA sections, line ends and tabs in strings, escapes that are none (as they stand), numbers such as `+1`
/// and `.5`, and `NaN` and `undefined` (as `null`). Bytes that are no UTF-8 are read as Windows-1252, and half
/// a surrogate pair as U+FFFD.
///
/// Strings longer than `TextSpool.shortByteCount` go into the spool as they are read. Time is linear in the
/// length of the document; memory is bounded by `Limits`.
final class JSONDocument {
  /// What one value may take.
  struct Limits: Sendable {
    /// How many arrays and objects may lie in each other.
    var depth = 64
    /// Bytes in memory, without those in the spool.
    var byteCount = 64 << 20
  }

  let bytes: JSONBytes
  let spool: TextSpool
  let limits: Limits
  /// The string at hand, as far as it is not in the spool.
  var scratch: [UInt8] = []
  /// How many arrays and objects are open.
  var openCount = 0
  /// What the value at hand takes of `limits.byteCount`.
  var byteCount = 0
  /// Is told what was left out of the texts.
  var warn: (String) -> Void = { _ in }
  /// Where, in bytes, something stands behind the end of the value: what is there was not read.
  private(set) var leftover: Int64?
  private var leftoverFault: RecipeFault?
  private var keepsElement = false

  /// What exceeds a limit: the document is sound, and can be read on behind the value that it is part of.
  struct Excess: Error {
    let fault: RecipeFault
  }

  /// Reads what `fill` writes into the buffer it is given, until that returns 0.
  init(
    spool: TextSpool,
    limits: Limits = Limits(),
    _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.spool = spool
    self.limits = limits
    bytes = JSONBytes(fill)
    scratch.reserveCapacity(TextSpool.shortByteCount)
  }

  /// Reads a text, such as that of an element of a page.
  convenience init(_ text: DocumentText, spool: TextSpool, limits: Limits = Limits()) {
    switch text {
    case .long(let text):
      var done: Int64 = 0
      self.init(spool: spool, limits: limits) { buffer in
        let count = try text.read(at: done, into: buffer)
        done += Int64(count)
        return count
      }
    case .short(let text):
      var rest = Array(text.utf8)[...]
      self.init(spool: spool, limits: limits) { buffer in
        let count = min(rest.count, buffer.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
      }
    }
  }

  /// Reads the whole document as one value.
  ///
  /// - Throws: `RecipeFault` with the place in bytes, for what is no JSON or exceeds a limit.
  func read() throws -> DocumentValue {
    try read { try wholeValue() }
  }

  /// Reads the document, and hands out the elements of long arrays one by one.
  ///
  /// Once it returned, it may be called again for what is at `leftover`.
  ///
  /// These are the elements of the outermost array, or of the arrays that the members `keys` of the outermost
  /// object are. The long texts of an element are valid until `onElement` returns.
  ///
  /// - Parameters:
  ///   - keys: Names of members; of one whose value is no array nothing is handed out.
  ///   - skipsOthers: Whether what is not handed out is passed over rather than kept and returned.
  ///   - onElement: Takes the name of the member (`nil` in an outermost array) and the element, or why
  ///     that exceeds a limit; the ones behind it come all the same.
  /// - Returns: What was not handed out; of an outermost array nothing.
  /// - Throws: `RecipeFault` with the place in bytes for what is no JSON, and what `onElement` throws.
  func read(
    streaming keys: Set<String>,
    skipsOthers: Bool = false,
    _ onElement: (_ key: String?, _ element: Result<DocumentValue, RecipeFault>) throws -> Void
  ) throws -> DocumentValue {
    try read {
      byteCount = 0
      try bytes.skipBlanks()
      switch try bytes.peek() {
      case UInt8(ascii: "["):
        try forEachElement { try onElement(nil, $0) }
        return .array([])
      case UInt8(ascii: "{"):
        var rest: [(String, DocumentValue)] = []
        try forEachMember { key in
          try bytes.skipBlanks()
          if keys.contains(key), try bytes.peek() == UInt8(ascii: "[") {
            let byteCount = byteCount
            try forEachElement { try onElement(key, $0) }
            self.byteCount = byteCount
          } else if skipsOthers {
            try skipValue()
          } else {
            rest.append((key, try value()))
          }
        }
        return .object(rest)
      default: return try value()
      }
    }
  }

  /// Has the long texts of the element that `onElement` is given stay valid behind it.
  func keepElement() { keepsElement = true }

  /// Goes on to what stands behind the value, with commas and the like between them.
  ///
  /// - Returns: Where that is, in bytes; `nil` at the end.
  /// - Throws: `RecipeFault` for a comment that does not end.
  func next() throws -> Int64? {
    guard leftover != nil else { return nil }
    if let leftoverFault { throw leftoverFault }
    try bytes.skipBlanks()
    // The last is a sign that some put in front of each of a row of values (RFC 7464).
    while let byte = try bytes.peek(), [0x2c, 0x3b, 0x1e].contains(byte) {
      bytes.advance()
      try bytes.skipBlanks()
    }
    return try bytes.peek() == nil ? nil : bytes.offset
  }

  /// Whether what stands next begins as an object or an array does.
  var isAtStructure: Bool {
    get throws {
      let byte = try bytes.peek()
      return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }
  }

  /// Reads what `body` reads, and what stands behind it.
  private func read(_ body: () throws -> DocumentValue) throws -> DocumentValue {
    do {
      leftover = nil
      let value = try body()
      do {
        try bytes.skipBlanks()
        while try bytes.peek() == UInt8(ascii: ";") {
          bytes.advance()
          try bytes.skipBlanks()
        }
        if try bytes.peek() != nil { leftover = bytes.offset }
      } catch let fault as RecipeFault {
        // What is wrong behind the value is not wrong with it: `next` tells it.
        (leftover, leftoverFault) = (bytes.offset, fault)
      }
      return value
    } catch let excess as Excess {
      throw excess.fault
    }
  }

  private func wholeValue() throws -> DocumentValue {
    byteCount = 0
    return try value()
  }

  /// Hands out the elements of the array that begins here, and forgets the long texts of each.
  private func forEachElement(_ body: (Result<DocumentValue, RecipeFault>) throws -> Void) throws {
    try forEachItem(closedBy: UInt8(ascii: "]")) {
      let mark = spool.mark
      let level = openCount
      let element: Result<DocumentValue, RecipeFault>
      do {
        element = .success(try wholeValue())
      } catch let excess as Excess {
        try skip(downTo: level)
        element = .failure(excess.fault)
      }
      keepsElement = false
      try body(element)
      if !keepsElement { spool.clear(from: mark) }
    }
  }
}
