internal import DecantSystem

/// What documents have between values that means nothing.
extension JSONReader {
  private static let cdata = Array("<![CDATA[".utf8)
  private static let cdataEnd = Array("]]>".utf8)
  private static let commentEnd = Array("*/".utf8)
  /// What a page puts around its scripts, and means nothing.
  private static let markers = [cdata, Array("<!--".utf8), Array("-->".utf8)]

  /// Passes over blanks, comments, and the markers that pages put around scripts; returns the byte behind them.
  mutating func skipLeniently() throws -> UInt8? {
    while try has(1) {
      let byte = byte(position)
      switch byte {
      case 0x20, 0x0a, 0x0d, 0x09, 0x0b, 0x0c, 0: position += 1
      case UInt8(ascii: "/"): try skipComment()
      case UInt8(ascii: "<"), UInt8(ascii: "-"):
        guard try passes(oneOf: Self.markers) else { return byte }
      // In front of “]]>” there is nothing to close, unless it closes something first.
      case UInt8(ascii: "]"): guard try passes(oneOf: [Self.cdataEnd]) else { return byte }
      // A space that does not break, in UTF-8, and U+FEFF.
      case 0xc2: guard try passes(oneOf: [[0xc2, 0xa0]]) else { return byte }
      case 0xef: guard try passes(oneOf: [[0xef, 0xbb, 0xbf]]) else { return byte }
      default: return byte
      }
    }
    return nil
  }

  /// Whether one of `texts` comes next; then it is passed.
  private mutating func passes(oneOf texts: [[UInt8]]) throws -> Bool {
    for text in texts where try has(text.count) && window(text.count).elementsEqual(text) {
      position += text.count
      return true
    }
    return false
  }

  /// How far it is to the first `byte` of those at hand; to their end where there is none.
  private func distance(to byte: UInt8) -> Int {
    let rest = window(end - position)
    guard let start = rest.baseAddress, let found = memchr(start, Int32(byte), rest.count) else {
      return rest.count
    }
    return UnsafeRawPointer(found) - start
  }

  /// Passes over a comment: of one that is a marker of a script only over that, as the script may follow on
  /// the same line.
  private mutating func skipComment() throws {
    let place = offset
    position += 1
    switch try has(1) ? byte(position) : nil {
    case UInt8(ascii: "/"):
      position += 1
      while try has(1), byte(position) == 0x20 || byte(position) == 0x09 { position += 1 }
      if try passes(oneOf: [Self.cdata, Self.cdataEnd]) { return }
      while try has(1), byte(position) != 0x0a, byte(position) != 0x0d {
        position += min(distance(to: 0x0a), distance(to: 0x0d))
      }
    case UInt8(ascii: "*"):
      position += 1
      while try !passes(oneOf: [Self.commentEnd]) {
        guard try has(1) else {
          throw JSONFault(.syntax, "a comment that begins here is not closed", at: place)
        }
        position += 1
        position += distance(to: UInt8(ascii: "*"))
      }
    default: throw try expected("a comment after “/”")
    }
  }

  /// Passes over the value that begins here, or behind blanks, without a look at what it says.
  mutating func skipUnread() throws {
    let level = depth
    switch try next() {
    case 0x22: try string { _ in }
    case 0x7b, 0x5b:
      position += 1
      depth += 1
      try skip(downTo: level)
    default: _ = try literal()
    }
  }

  /// Passes over the rest of what is open above `level` in a document, however deep it goes.
  package mutating func skip(downTo level: Int) throws {
    while depth > level {
      switch try next() {
      case nil: throw expectedAtEnd("“]” or “}”")
      case 0x22: try string { _ in }
      case 0x7b, 0x5b:
        depth += 1
        position += 1
      case 0x7d, 0x5d:
        depth -= 1
        position += 1
      default: position += 1
      }
    }
  }
}
