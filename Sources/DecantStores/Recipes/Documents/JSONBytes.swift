internal import Glibc

/// The bytes of a JSON document in UTF-8, with a view of what comes next.
final class JSONBytes {
  private var fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
  private var place = 0
  private var end = 0
  private var isAtEnd = false
  private var isBegun = false
  /// How many bytes went through the buffer and out of it.
  private var gone: Int64 = 0

  private static let size = 1 << 16

  /// Reads what `fill` writes into the buffer it is given, until that returns 0.
  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.fill = fill }

  deinit { buffer.deallocate() }

  /// How many bytes are behind; of UTF-16 as many as they would be in UTF-8.
  var offset: Int64 { gone + Int64(place) }

  /// How many of the next bytes are in memory.
  var available: Int { end - place }

  /// Returns the next byte, or `nil` at the end.
  @inline(__always)
  func peek() throws -> UInt8? {
    if place < end { return buffer[place] }
    return try has(1) ? buffer[place] : nil
  }

  /// Passes over bytes that are in memory.
  @inline(__always)
  func advance(_ count: Int = 1) { place += count }

  /// The next `count` bytes, which are in memory.
  func window(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[place..<(place + count)])
  }

  /// How far it is to the first `byte` of the next `count` that are in memory, or of all that are.
  func distance(to byte: UInt8, within count: Int? = nil) -> Int? {
    guard let start = buffer.baseAddress.map({ $0 + place }),
      let found = memchr(start, Int32(byte), count ?? available)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  /// Whether there are `count` more bytes; if so, they are in memory.
  func has(_ count: Int) throws -> Bool {
    if !isBegun { try begin() }
    while end - place < count {
      guard !isAtEnd else { return false }
      if place > 0 {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[place..<end]))
        gone += Int64(place)
        (place, end) = (0, end - place)
      }
      let read = try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      end += read
      isAtEnd = read == 0
    }
    return true
  }

  /// Whether `text` is what comes next.
  func starts(with text: [UInt8]) throws -> Bool {
    guard try peek() == text.first else { return false }
    return try has(text.count) && window(text.count).elementsEqual(text)
  }

  /// Passes over the byte order mark, and has UTF-16 come as UTF-8.
  private func begin() throws {
    isBegun = true
    _ = try has(4)
    let head = Array(window(min(4, available)))
    let isBigEndian: Bool
    if head.starts(with: [0xef, 0xbb, 0xbf]) {
      return advance(3)
    } else if head.starts(with: [0xff, 0xfe]) {
      isBigEndian = false
    } else if head.starts(with: [0xfe, 0xff]) {
      isBigEndian = true
    } else if head.count == 4, head[0] != 0, head[1] == 0, head[2] != 0 || head[3] == 0 {
      isBigEndian = false
    } else if head.count == 4, head[0] == 0, head[1] != 0 {
      isBigEndian = true
    } else {
      return
    }
    let feed = UTF16Feed(Array(window(available)), isBigEndian: isBigEndian, fill)
    fill = feed.read
    (place, end, isAtEnd) = (0, 0, false)
    _ = try has(3)
    if available >= 3, window(3).elementsEqual([0xef, 0xbb, 0xbf]) { advance(3) }
  }
}

extension JSONBytes {
  private static let cdata = Array("<![CDATA[".utf8)
  private static let cdataEnd = Array("]]>".utf8)
  private static let commentEnd = Array("*/".utf8)
  /// What a page puts around its scripts, and means nothing.
  private static let markers = [cdata, Array("<!--".utf8), Array("-->".utf8)]

  /// Passes over blanks, comments, and the markers that pages put around scripts.
  func skipBlanks() throws {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x0a, 0x0d, 0x09, 0x0b, 0x0c, 0: advance()
      case UInt8(ascii: "/"): try skipComment()
      case UInt8(ascii: "<"), UInt8(ascii: "-"):
        guard let marker = try Self.markers.first(where: { try starts(with: $0) }) else { return }
        advance(marker.count)
      // In front of “]]>” there is nothing to close, unless it closes something first.
      case UInt8(ascii: "]"):
        guard try starts(with: Self.cdataEnd) else { return }
        advance(Self.cdataEnd.count)
      // A space that does not break, in UTF-8, and U+FEFF.
      case 0xc2:
        guard try starts(with: [0xc2, 0xa0]) else { return }
        advance(2)
      case 0xef:
        guard try starts(with: [0xef, 0xbb, 0xbf]) else { return }
        advance(3)
      default: return
      }
    }
  }

  /// Passes over a comment: of one that is a marker of a script only over that, as the script may follow on
  /// the same line.
  private func skipComment() throws {
    let beginning = offset
    advance()
    switch try peek() {
    case UInt8(ascii: "/"):
      advance()
      while let byte = try peek(), byte == 0x20 || byte == 0x09 { advance() }
      for marker in [Self.cdata, Self.cdataEnd] where try starts(with: marker) {
        return advance(marker.count)
      }
      while let byte = try peek(), byte != 0x0a, byte != 0x0d {
        advance(min(distance(to: 0x0a) ?? available, distance(to: 0x0d) ?? available))
      }
    case UInt8(ascii: "*"):
      advance()
      while try !starts(with: Self.commentEnd) {
        guard try peek() != nil else {
          throw RecipeFault("byte \(beginning): the text ends within a comment that begins here")
        }
        advance()
        advance(distance(to: UInt8(ascii: "*")) ?? available)
      }
      advance(2)
    default: throw try fault(expected: "a comment behind “/”")
    }
  }

  /// What to say where something else is expected.
  func fault(expected: String) throws -> RecipeFault {
    _ = try has(12)
    guard available > 0 else {
      return RecipeFault("byte \(offset): expected \(expected), found the end")
    }
    let found = LenientUTF8.string(Array(window(min(12, available)))).prefix { !$0.isWhitespace }
    return RecipeFault("byte \(offset): expected \(expected), found “\(found.prefix(8))”")
  }
}
