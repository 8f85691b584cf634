internal import DecantSystem

/// Insignificant text between values.
extension JSONReader {
  private static let cdata = Array("<![CDATA[".utf8)
  private static let cdataEnd = Array("]]>".utf8)
  private static let commentEnd = Array("*/".utf8)
  /// Markers that a page puts around its scripts.
  private static let markers = [cdata, Array("<!--".utf8), Array("-->".utf8)]

  /// Skips blanks, comments and script markers; returns the byte after them.
  mutating func skipLeniently() throws -> UInt8? {
    while try has(1) {
      let byte = byte(position)
      switch byte {
      case 0x20, 0x0a, 0x0d, 0x09, 0x0b, 0x0c, 0: position += 1
      case UInt8(ascii: "/"): try skipComment()
      case UInt8(ascii: "<"), UInt8(ascii: "-"):
        guard try passes(oneOf: Self.markers) else { return byte }
      // “]]>” has nothing to close here, but a single “]” may close a list.
      case UInt8(ascii: "]"): guard try passes(oneOf: [Self.cdataEnd]) else { return byte }
      // A no-break space in UTF-8, and U+FEFF.
      case 0xc2: guard try passes(oneOf: [[0xc2, 0xa0]]) else { return byte }
      case 0xef: guard try passes(oneOf: [[0xef, 0xbb, 0xbf]]) else { return byte }
      default: return byte
      }
    }
    return nil
  }

  /// Skips one of `texts` if it comes next; returns whether it did.
  private mutating func passes(oneOf texts: [[UInt8]]) throws -> Bool {
    for text in texts where try has(text.count) && window(text.count).elementsEqual(text) {
      position += text.count
      return true
    }
    return false
  }

  /// Returns the distance to the first `byte` in the buffer, or to its end if there is none.
  private func distance(to byte: UInt8) -> Int {
    let rest = window(end - position)
    guard let start = rest.baseAddress, let found = memchr(start, Int32(byte), rest.count) else {
      return rest.count
    }
    return UnsafeRawPointer(found) - start
  }

  /// Skips a comment; of a comment that is a script marker only the marker, as the script may follow on the same line.
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

  /// Skips the next value, also after blanks, without checking it.
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

  /// Skips the rest of everything open above `level` in a document, however deeply nested.
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
