/// Writes base64 (RFC 4648, with padding), piece by piece, on one line or on several.
package struct Base64Encoder {
  /// The number of bytes on a line; `nil` for a single line.
  private let lineByteCount: Int?
  /// The bytes of an incomplete group of three.
  private var rest: [UInt8] = []
  /// The number of bytes on the current line.
  private var column = 0

  /// The maximum number of characters passed on at once.
  private static let limit = 1 << 16

  /// Starts a text; if `isWrapped`, on lines of 76 characters that end with CR and LF, as mail requires.
  package init(isWrapped: Bool = false) { lineByteCount = isWrapped ? 57 : nil }

  /// Passes the text of the next bytes to `put`, as far as they form whole groups.
  package mutating func encode<Failure>(
    _ bytes: UnsafeRawBufferPointer,
    _ put: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    // At most two more for the end of each line, and room for one group and line end beyond the limit.
    let size = min(Self.limit, (rest.count + bytes.count) / 3 * 6) + 6
    let text = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 2)
    defer { text.deallocate() }
    var (start, filled) = (0, 0)
    while start < bytes.count {
      let left = bytes.count - start
      if rest.isEmpty, left >= 3 {
        let room = min((size - filled - 2) / 4 * 3, lineByteCount.map { $0 - column } ?? .max)
        let count = min(left / 3 * 3, room)
        let group = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
        Self.encode(group, to: text + filled)
        (start, filled, column) = (start + count, filled + count / 3 * 4, column + count)
      } else {
        rest.append(bytes[start])
        start += 1
        guard rest.count == 3 else { continue }
        rest.withUnsafeBytes { Self.encode($0, to: text + filled) }
        rest.removeAll(keepingCapacity: true)
        (filled, column) = (filled + 4, column + 3)
      }
      if column == lineByteCount {
        text.storeBytes(of: 0x0d, toByteOffset: filled, as: UInt8.self)
        text.storeBytes(of: 0x0a, toByteOffset: filled + 1, as: UInt8.self)
        (filled, column) = (filled + 2, 0)
      }
      if size - filled < 6 {
        try put(UnsafeRawBufferPointer(start: text, count: filled))
        filled = 0
      }
    }
    if filled > 0 { try put(UnsafeRawBufferPointer(start: text, count: filled)) }
  }

  /// Passes on the remaining text, and the end of the last line.
  package mutating func finish<Failure>(_ put: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    var text = Array(Self.text(of: rest).utf8)
    if lineByteCount != nil, column + rest.count > 0 { text += [0x0d, 0x0a] }
    (rest, column) = ([], 0)
    guard !text.isEmpty else { return }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: text)
    try put(UnsafeRawBufferPointer(copy))
  }

  /// Returns `bytes` in base64.
  package static func text(of bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { bytes in
      String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
        guard let start = text.baseAddress, bytes.count > 0 else { return 0 }
        encode(bytes, to: start)
        return (bytes.count + 2) / 3 * 4
      }
    }
  }

  /// Two characters for each value of twelve bits.
  private static let pairs: [UInt16] = {
    let alphabet = Array(Base64Alphabet.characters.utf8)
    return (0..<4096).map { bits in
      UInt16(littleEndian: UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8)
    }
  }()

  /// Writes `bytes` to `output`, which must have room for four characters for every three bytes or part of them.
  package static func encode(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) {
    pairs.withUnsafeBufferPointer { pairs in
      var place = output
      var position = 0
      while position + 3 <= bytes.count {
        let word =
          Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
        place.storeBytes(of: pairs[word >> 12], as: UInt16.self)
        (place + 2).storeBytes(of: pairs[word & 0xfff], as: UInt16.self)
        place += 4
        position += 3
      }
      let rest = bytes.count - position
      guard rest > 0 else { return }
      let word = Int(bytes[position]) << 16 | (rest == 2 ? Int(bytes[position + 1]) << 8 : 0)
      place.storeBytes(of: pairs[word >> 12], as: UInt16.self)
      (place + 2).storeBytes(of: pairs[word & 0xfff], as: UInt16.self)
      (place + 3).storeBytes(of: 0x3d, as: UInt8.self)
      if rest == 1 { (place + 2).storeBytes(of: 0x3d, as: UInt8.self) }
    }
  }
}

/// The base64 alphabet, in the order of the values.
enum Base64Alphabet {
  static let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
}
