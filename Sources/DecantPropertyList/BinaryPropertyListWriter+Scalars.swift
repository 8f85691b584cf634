extension PropertyList {
  /// The bytes of a value that contains no other: a marker and its content.
  var scalarBytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .boolean(let isTrue):
      bytes.append(isTrue ? 0x09 : 0x08)
    case .integer(let integer):
      bytes.appendInteger(integer)
    case .real(let real):
      bytes.append(0x23)
      bytes.appendBigEndian(Int(bitPattern: UInt(real.bitPattern)), width: 8)
    case .date(let seconds):
      bytes.append(0x33)
      bytes.appendBigEndian(Int(bitPattern: UInt(seconds.bitPattern)), width: 8)
    case .data(let data):
      bytes.appendMarker(0x40, count: data.count)
      bytes += data
    case .string(let string):
      bytes.appendString(string)
    case .uid(let uid):
      precondition(uid >= 0, "an archive has no object \(uid)")
      let width = uid.byteWidth
      bytes.append(0x80 | UInt8(width - 1))
      bytes.appendBigEndian(uid, width: width)
    case .array, .dictionary:
      preconditionFailure("a container is no scalar")
    }
    return bytes
  }
}

extension Int {
  /// The smallest of 1, 2, 4 and 8 bytes that can hold this non-negative number.
  var byteWidth: Int {
    switch self {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}

extension [UInt8] {
  /// Appends the lowest `width` bytes of `number`, most significant byte first.
  mutating func appendBigEndian(_ number: Int, width: Int) {
    for byte in stride(from: width - 1, through: 0, by: -1) {
      append(UInt8(truncatingIfNeeded: number >> (byte * 8)))
    }
  }

  /// Appends a marker for a kind of object and its count, which is part of the marker if it is less than 15.
  mutating func appendMarker(_ kind: UInt8, count: Int) {
    guard count >= 15 else {
      append(kind | UInt8(count))
      return
    }
    append(kind | 0x0F)
    appendInteger(Int64(count))
  }

  /// Appends an integer object; the narrow forms are unsigned, so a negative number takes 8 bytes.
  mutating func appendInteger(_ integer: Int64) {
    let width = integer < 0 ? 8 : Int(integer).byteWidth
    append(0x10 | UInt8(width.trailingZeroBitCount))
    appendBigEndian(Int(integer), width: width)
  }

  /// Appends a string object: ASCII if possible, else UTF-16, counted in its units.
  mutating func appendString(_ string: String) {
    guard !string.utf8.allSatisfy({ $0 < 0x80 }) else {
      appendMarker(0x50, count: string.utf8.count)
      self += string.utf8
      return
    }
    appendMarker(0x60, count: string.utf16.count)
    for unit in string.utf16 { appendBigEndian(Int(unit), width: 2) }
  }
}
