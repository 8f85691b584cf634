/// Converts UTF-16 into UTF-8 as it is read; half a surrogate pair becomes U+FFFD.
final class UTF16Feed {
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private let isBigEndian: Bool
  private var input: [UInt8]
  private var output: [UInt8] = []
  /// The number of bytes of `output` that were read.
  private var place = 0
  /// The first byte of an incomplete code unit, and the first code unit of an incomplete pair.
  private var half: UInt8?
  private var high: UInt16?
  private var isAtEnd = false

  /// Whether the UTF-16 byte order mark at the start of `head` is the big-endian one; `nil` without such a mark.
  static func isBigEndian(_ head: some Collection<UInt8>) -> Bool? {
    if head.starts(with: [0xfe, 0xff]) { return true }
    return head.starts(with: [0xff, 0xfe]) ? false : nil
  }

  /// Returns the first bytes of a text, converted from UTF-16 if they have a byte order mark, without a partial
  /// character.
  static func plain(_ head: [UInt8]) -> [UInt8] {
    guard let isBigEndian = isBigEndian(head) else { return head }
    let feed = UTF16Feed([], isBigEndian: isBigEndian) { _ in 0 }
    for byte in head.dropFirst(2) { feed.take(byte) }
    return feed.output
  }

  /// Returns a closure that supplies the bytes of `fill`, converting UTF-16 with a byte order mark to UTF-8; for JSON,
  /// also UTF-16 without one, and the mark is kept.
  static func plain(
    _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int,
    isJSON: Bool = false
  ) -> (UnsafeMutableRawBufferPointer) throws -> Int {
    var isBegun = false
    var feed: UTF16Feed?
    return { buffer in
      if let feed { return try feed.read(into: buffer) }
      if isBegun { return try fill(buffer) }
      isBegun = true
      var count = 0
      while count < min(isJSON ? 4 : 2, buffer.count) {
        let more = try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        guard more > 0 else { break }
        count += more
      }
      let head = buffer[..<count]
      let marked = isBigEndian(head)
      guard let isBigEndian = marked ?? (isJSON ? isUnmarkedBigEndian(head) : nil) else {
        return count
      }
      let start = isJSON || marked == nil ? 0 : 2
      let wide = UTF16Feed(Array(buffer[start..<count]), isBigEndian: isBigEndian, fill)
      feed = wide
      return try wide.read(into: buffer)
    }
  }

  /// Whether UTF-16 text that begins with an ASCII character is big-endian; `nil` for anything else.
  private static func isUnmarkedBigEndian(_ head: Slice<UnsafeMutableRawBufferPointer>) -> Bool? {
    guard head.count >= 4 else { return nil }
    if head[0] != 0, head[1] == 0, head[2] != 0 || head[3] == 0 { return false }
    return head[0] == 0 && head[1] != 0 ? true : nil
  }

  /// Converts the input that `fill` provides after `head`.
  init(_ head: [UInt8], isBigEndian: Bool, _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    input = head
    self.isBigEndian = isBigEndian
    self.fill = fill
  }

  /// Writes the next bytes into `buffer` and returns how many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while place == output.count {
      guard !isAtEnd else { return 0 }
      output.removeAll(keepingCapacity: true)
      place = 0
      if input.isEmpty {
        input = try [UInt8](unsafeUninitializedCapacity: 1 << 15) { buffer, count in
          count = try fill(UnsafeMutableRawBufferPointer(buffer))
        }
        isAtEnd = input.isEmpty
      }
      for byte in input { take(byte) }
      input = []
      if isAtEnd, half != nil || high != nil { output.append(scalar: "\u{fffd}") }
    }
    let count = min(buffer.count, output.count - place)
    buffer.copyBytes(from: output[place..<(place + count)])
    place += count
    return count
  }

  private func take(_ byte: UInt8) {
    guard let first = half else {
      half = byte
      return
    }
    half = nil
    let unit =
      isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
    if let first = high {
      high = nil
      if 0xdc00...0xdfff ~= unit {
        let value = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(unit) - 0xdc00)
        return output.append(scalar: Unicode.Scalar(value) ?? "\u{fffd}")
      }
      output.append(scalar: "\u{fffd}")
    }
    if 0xd800...0xdbff ~= unit {
      high = unit
    } else {
      output.append(scalar: Unicode.Scalar(unit) ?? "\u{fffd}")
    }
  }
}
