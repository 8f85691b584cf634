/// Base64 as strangers write it, decoded piece by piece: with `data:…,` in front, with blanks, without padding.
struct Base64Pieces {
  private var word: UInt32 = 0
  private var count = 0
  private var isPadded = false
  private var isBegun = false
  private var isInPrefix = false

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    values[0x2d] = 62
    values[0x5f] = 63
    for blank in [0x20, 0x09, 0x0a, 0x0d] { values[blank] = 0xfe }
    values[0x3d] = 0xfd
    return values
  }()

  /// Decodes the next piece and lends what it stands for.
  ///
  /// - Throws: `RecipeFault` for a character that does not belong there, and what `body` throws.
  mutating func decode(
    _ piece: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var bytes = piece[...]
    if !isBegun, let first = bytes.first(where: { Self.values[Int($0)] != 0xfe }) {
      isBegun = true
      // Six characters of “data:” could be base64; its colon could not.
      isInPrefix = first == 0x64 && bytes.prefix(64).contains(0x3a)
    }
    if isInPrefix {
      guard let comma = bytes.firstIndex(of: 0x2c) else { return }
      bytes = bytes[(comma + 1)...]
      isInPrefix = false
    }
    let capacity = (bytes.count + 3) / 4 * 3
    let output = try [UInt8](unsafeUninitializedCapacity: capacity) { output, filled in
      try decode(piece, from: bytes.startIndex, into: output, &filled)
    }
    if !output.isEmpty { try output.withUnsafeBytes { try body($0) } }
  }

  private mutating func decode(
    _ piece: UnsafeRawBufferPointer,
    from start: Int,
    into output: UnsafeMutableBufferPointer<UInt8>,
    _ filled: inout Int
  ) throws {
    var place = start
    while place < piece.count {
      if count == 0, !isPadded { Self.decodeWords(piece, &place, into: output, &filled) }
      guard place < piece.count else { return }
      let value = Self.values[Int(piece[place])]
      place += 1
      guard value < 64 else {
        if value == 0xfe { continue }
        guard value == 0xfd else { throw RecipeFault("a picture is no base64") }
        isPadded = true
        continue
      }
      guard !isPadded else {
        throw RecipeFault("a picture is no base64: it goes on behind its end")
      }
      word = word << 6 | UInt32(value)
      count += 1
      guard count == 4 else { continue }
      Self.put(word, into: output, &filled)
      (word, count) = (0, 0)
    }
  }

  /// Decodes four characters at a time, as long as all of them are of the alphabet.
  private static func decodeWords(
    _ piece: UnsafeRawBufferPointer,
    _ place: inout Int,
    into output: UnsafeMutableBufferPointer<UInt8>,
    _ filled: inout Int
  ) {
    values.withUnsafeBufferPointer { values in
      while place + 4 <= piece.count {
        let (a, b) = (values[Int(piece[place])], values[Int(piece[place + 1])])
        let (c, d) = (values[Int(piece[place + 2])], values[Int(piece[place + 3])])
        // What is not of the alphabet has the highest bit.
        guard (a | b | c | d) & 0x80 == 0 else { return }
        put(UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d), into: output, &filled)
        place += 4
      }
    }
  }

  @inline(__always)
  private static func put(
    _ word: UInt32,
    into output: UnsafeMutableBufferPointer<UInt8>,
    _ filled: inout Int
  ) {
    output[filled] = UInt8(truncatingIfNeeded: word >> 16)
    output[filled + 1] = UInt8(truncatingIfNeeded: word >> 8)
    output[filled + 2] = UInt8(truncatingIfNeeded: word)
    filled += 3
  }

  /// Lends what is left of the last characters.
  ///
  /// - Throws: `RecipeFault` where one character stands alone, which is half a byte.
  mutating func finish(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var rest: [UInt8] = []
    switch count {
    case 0: return
    case 2: rest = [UInt8(truncatingIfNeeded: word >> 4)]
    case 3: rest = [UInt8(truncatingIfNeeded: word >> 10), UInt8(truncatingIfNeeded: word >> 2)]
    default: throw RecipeFault("a picture in base64 is cut off")
    }
    try rest.withUnsafeBytes { try body($0) }
  }
}

/// Hexadecimal digits, decoded piece by piece, blanks and angle brackets left out.
struct HexPieces {
  private var high: UInt8?

  /// Decodes the next piece and lends what it stands for.
  mutating func decode(
    _ piece: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var output: [UInt8] = []
    output.reserveCapacity(piece.count / 2 + 1)
    for byte in piece {
      let value: UInt8
      switch byte {
      case 0x30...0x39: value = byte - 0x30
      case 0x41...0x46: value = byte - 0x37
      case 0x61...0x66: value = byte - 0x57
      case 0x20, 0x09, 0x0a, 0x0d, 0x3c, 0x3e: continue
      default: throw RecipeFault("a picture is not in hexadecimal digits")
      }
      if let first = high {
        output.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    if !output.isEmpty { try output.withUnsafeBytes { try body($0) } }
  }

  /// - Throws: `RecipeFault` where one digit stands alone.
  func finish() throws {
    guard high == nil else { throw RecipeFault("a picture in hexadecimal digits is cut off") }
  }
}
