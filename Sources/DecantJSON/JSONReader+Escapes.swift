/// Escapes in strings.
extension JSONReader {
  /// Reads the next escape and passes its character on; in lenient mode, an invalid escape is passed unchanged.
  mutating func escape(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let columnRole: UInt8
    switch try has(2) ? byte(position + 1) : nil {
    case let letter? where letter == 0x22 || letter == 0x5c || letter == 0x2f: columnRole = letter
    case 0x27 where isLenient: columnRole = 0x27
    case 0x62: columnRole = 0x08
    case 0x66: columnRole = 0x0c
    case 0x6e: columnRole = 0x0a
    case 0x72: columnRole = 0x0d
    case 0x74: columnRole = 0x09
    case 0x75:
      if let unit = try codeUnit(at: 2) { return try append(unit, take) }
      guard isLenient else {
        throw JSONFault(.syntax, "an escape does not have four digits", at: offset)
      }
      return try passBackslash(take)
    default:
      guard isLenient else {
        throw JSONFault(.syntax, "unknown escape", at: offset)
      }
      return try passBackslash(take)
    }
    position += 2
    try withUnsafeBytes(of: columnRole, take)
  }

  /// Passes a backslash on unchanged.
  private mutating func passBackslash(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    position += 1
    try withUnsafeBytes(of: UInt8(0x5c), take)
  }

  /// Passes on the UTF-16 code unit of the next escape, together with a following low surrogate.
  private mutating func append(_ unit: UInt32, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    var (value, count) = (unit, 6)
    if 0xd800...0xdbff ~= unit, try has(8), byte(position + 6) == 0x5c,
      byte(position + 7) == 0x75, let second = try codeUnit(at: 8), 0xdc00...0xdfff ~= second
    {
      value = 0x10000 + (unit - 0xd800) << 10 + (second - 0xdc00)
      count = 12
    }
    guard let scalar = Unicode.Scalar(value) ?? (isLenient ? "\u{fffd}" : nil) else {
      throw JSONFault(.syntax, "unpaired surrogate in a string", at: offset)
    }
    position += count
    let bytes = Array(UTF8.encode(scalar) ?? .init())
    try bytes.withUnsafeBytes(take)
  }

  /// Returns the code unit of the four hexadecimal digits `count` bytes ahead.
  private mutating func codeUnit(at count: Int) throws -> UInt32? {
    guard try has(count + 4) else { return nil }
    var value: UInt32 = 0
    for byte in window(count + 4).dropFirst(count) {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }
}
