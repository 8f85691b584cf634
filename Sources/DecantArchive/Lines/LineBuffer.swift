internal import DecantBase64
internal import DecantBase

/// The buffer for one line of an archive during writing: JSON in UTF-8, appended piece by piece.
///
/// An export spends most of its time here: escaping works on words of eight bytes, base64 uses a table of pairs, and no
/// objects are created.
struct LineBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity = 1 << 16
  private(set) var count = 0

  init() { memory = .allocate(byteCount: capacity, alignment: 16) }

  deinit { memory.deallocate() }

  /// The bytes of the line so far.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  /// Starts another line in the same memory.
  mutating func removeAll() { count = 0 }

  /// Removes the bytes after `end`.
  mutating func cut(to end: Int) { count = end }

  /// Adds members to the object in braces that was just written.
  mutating func amend(_ body: (inout LineBuffer) -> Void) {
    count -= 1
    body(&self)
    append(byte: 0x7d)
  }

  /// Reserves room for `more` bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    while capacity < count + more { capacity *= 2 }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }

  /// Appends text that is already JSON.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    (memory + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  /// Appends one byte.
  @inline(__always)
  mutating func append(byte: UInt8) {
    reserve(1)
    memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends bytes unchanged.
  @inline(__always)
  mutating func append(raw bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    (memory + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends bytes unchanged.
  mutating func append(raw bytes: [UInt8]) { bytes.withUnsafeBytes { append(raw: $0) } }

  /// Appends an integer.
  mutating func append(_ integer: Int64) {
    reserve(20)
    if integer < 0 { append(byte: 0x2d) }
    var rest = integer.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while digits < 20, rest >= bound {
      digits += 1
      let next = bound.multipliedReportingOverflow(by: 10)
      if next.overflow { break }
      bound = next.partialValue
    }
    for place in stride(from: count + digits - 1, through: count, by: -1) {
      memory.storeBytes(of: 0x30 + UInt8(truncatingIfNeeded: rest % 10), toByteOffset: place, as: UInt8.self)
      rest /= 10
    }
    count += digits
  }

  /// Appends a finite number with the fewest digits that restore it, always distinct from an integer.
  mutating func append(_ number: Double) {
    var text = "\(number)"
    text.withUTF8 { append(raw: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a date as text in braces; returns false if no text represents it exactly.
  mutating func append(date seconds: Double) -> Bool {
    let start = count
    append(#"{"date":""#)
    reserve(30)
    let room = UnsafeMutableRawBufferPointer(start: memory + count, count: 30)
    guard let written = DateText.writeExact(seconds, to: room) else {
      count = start
      return false
    }
    count += written
    append(#""}"#)
    return true
  }

  /// Appends a string with its quotes.
  mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
  }

  /// Appends valid UTF-8 as a string with its quotes.
  mutating func append(string bytes: UnsafeRawBufferPointer) {
    append(byte: 0x22)
    reserve(bytes.count)
    var start = 0
    var position = 0
    let end = bytes.count
    while position < end {
      // Eight bytes at once, if none of them is a quote, a backslash or less than a space.
      if position + 8 <= end {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if !LineBuffer.mustEscape(word) {
          position += 8
          continue
        }
      }
      let byte = bytes[position]
      if byte >= 0x20, byte != 0x22, byte != 0x5c {
        position += 1
        continue
      }
      append(raw: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      appendEscape(byte)
      position += 1
      start = position
    }
    append(raw: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    append(byte: 0x22)
  }

  @inline(__always)
  private static func mustEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let control = (word &- (ones &* 0x20)) & ~word
    let zero = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control
    return zero & high != 0
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case 0x22: append(#"\""#)
    case 0x5c: append(#"\\"#)
    case 0x0a: append(#"\n"#)
    case 0x0d: append(#"\r"#)
    case 0x09: append(#"\t"#)
    default:
      append(#"\u00"#)
      append(byte: byte >> 4 == 0 ? 0x30 : 0x31)
      let digits: StaticString = "0123456789abcdef"
      append(byte: digits.utf8Start[Int(byte & 15)])
    }
  }

  /// Appends bytes in base64, with padding and without quotes.
  mutating func append(base64 bytes: UnsafeRawBufferPointer) {
    reserve((bytes.count + 2) / 3 * 4)
    Base64Encoder.encode(bytes, to: memory + count)
    count += (bytes.count + 2) / 3 * 4
  }

  /// Appends bytes as hexadecimal digits, in upper case if `isUpper`.
  mutating func append(hex bytes: UnsafeRawBufferPointer, isUpper: Bool) {
    let digits: StaticString = isUpper ? "0123456789ABCDEF" : "0123456789abcdef"
    for byte in bytes {
      append(byte: digits.utf8Start[Int(byte >> 4)])
      append(byte: digits.utf8Start[Int(byte & 15)])
    }
  }
}
