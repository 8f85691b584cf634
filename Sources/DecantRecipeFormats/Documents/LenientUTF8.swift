/// UTF-8 whose invalid bytes are taken for Windows-1252, read piece by piece.
struct LenientUTF8 {
  /// The beginning of a character that continues in the next piece.
  private var carry: [UInt8] = []

  /// Whether no partial character is pending.
  var isEmpty: Bool { carry.isEmpty }

  /// Returns the text that `bytes` encode.
  static func string(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var mender = LenientUTF8()
    var mended: [UInt8] = []
    mended.reserveCapacity(bytes.count + bytes.count / 8)
    bytes.withUnsafeBytes { mender.mend($0, into: &mended) }
    mender.finish(into: &mended)
    return String(decoding: mended, as: UTF8.self)
  }

  /// Whether no byte is above 0x7f.
  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var seen: UInt64 = 0
    var place = 0
    while place + 8 <= bytes.count {
      seen |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < bytes.count {
      seen |= UInt64(bytes[place])
      place += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  /// Appends the text of the next piece to `output`, in UTF-8.
  mutating func mend(_ piece: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    guard carry.isEmpty else {
      let joined = carry + piece
      carry = []
      return joined.withUnsafeBytes { mend($0, into: &output) }
    }
    var place = 0
    while place < piece.count {
      let byte = piece[place]
      guard byte >= 0x80 else {
        output.append(byte)
        place += 1
        continue
      }
      let rest = piece[place...]
      switch Self.sequence(rest) {
      case .whole(let count):
        output.append(contentsOf: rest.prefix(count))
        place += count
      case .cut:
        carry = Array(rest)
        return
      case .none:
        output.append(scalar: Self.scalar(byte))
        place += 1
      }
    }
  }

  /// Appends the pending bytes when no further piece follows.
  mutating func finish(into output: inout [UInt8]) {
    for byte in carry { output.append(scalar: Self.scalar(byte)) }
    carry = []
  }

  private enum Sequence {
    case whole(Int)
    /// The piece ends within a character.
    case cut
    case none
  }

  /// Classifies the first bytes of `rest`, of which the first is above 0x7f.
  private static func sequence(_ rest: Slice<UnsafeRawBufferPointer>) -> Sequence {
    let first = rest[rest.startIndex]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch first {
    case 0xc2...0xdf: count = 2
    case 0xe0: (count, second) = (3, 0xa0...0xbf)
    case 0xed: (count, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: count = 3
    case 0xf0: (count, second) = (4, 0x90...0xbf)
    case 0xf4: (count, second) = (4, 0x80...0x8f)
    case 0xf1...0xf3: count = 4
    default: return .none
    }
    for (position, byte) in rest.prefix(count).enumerated().dropFirst() {
      guard (position == 1 ? second : 0x80...0xbf) ~= byte else { return .none }
    }
    return rest.count < count ? .cut : .whole(count)
  }

  /// Returns the character of a byte in Windows-1252.
  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    TextEncoding.windows1252.character(byte) ?? "\u{fffd}"
  }
}

extension [UInt8] {
  /// Appends a character in UTF-8.
  mutating func append(scalar: Unicode.Scalar) {
    append(contentsOf: UTF8.encode(scalar) ?? .init())
  }
}
