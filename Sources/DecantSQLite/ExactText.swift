/// Exact conversion of text between UTF-8 and UTF-16, or failure.
///
/// SQLite's own conversion never fails: an unpaired surrogate swallows the next character, invalid UTF-8 becomes
/// U+FFFD, and so do U+FFFE and U+FFFF on conversion to UTF-16.
final class ExactText {
  /// Whether an unpaired surrogate is treated as a character, three bytes in UTF-8: for texts that are converted back
  /// later.
  private let keepsHalves: Bool
  private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)

  /// The size up to which a buffer is kept for the next text.
  private static let keptByteCount = 1 << 20

  init(keepsHalves: Bool = false) { self.keepsHalves = keepsHalves }

  deinit { room.deallocate() }

  /// Calls `body` with the UTF-16 text in `bytes`, in native byte order, as UTF-8; `nil` if it is not valid UTF-16.
  func withUTF8<Result>(
    ofUTF16 bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    // A unit takes three bytes at most; a surrogate pair takes four.
    makeRoom(bytes.count / 2 * 3)
    defer { makeRoom(0) }
    guard let end = writeUTF8(bytes) else { return nil }
    return try body(UnsafeRawBufferPointer(rebasing: room[..<end]))
  }

  /// Calls `body` with the UTF-8 text in `bytes` as UTF-16 in native byte order; `nil` if it is not valid UTF-8.
  ///
  /// A text that begins with a byte order mark, which SQLite would remove, gets another one in front.
  func withUTF16<Result>(
    ofUTF8 bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    makeRoom(bytes.count * 2 + 2)
    defer { makeRoom(0) }
    guard let end = writeUTF16(bytes) else { return nil }
    return try body(UnsafeRawBufferPointer(rebasing: room[ExactText.start(room, end)..<end]))
  }

  /// Returns the UTF-8 text in `bytes` as UTF-16 in the same way.
  func utf16(of bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { bytes in
      makeRoom(bytes.count * 2 + 2)
      guard let end = writeUTF16(bytes) else { return nil }
      return Array(room[ExactText.start(room, end)..<end])
    }
  }

  /// Calls `body` with the same UTF-16 text, with an additional byte order mark if it begins with one.
  func withMarked<Result>(
    utf16 bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    makeRoom(bytes.count + 2)
    defer { makeRoom(0) }
    room.storeBytes(of: ExactText.mark, as: UInt16.self)
    UnsafeMutableRawBufferPointer(rebasing: room[2...]).copyMemory(from: bytes)
    let end = bytes.count + 2
    return try body(UnsafeRawBufferPointer(rebasing: room[ExactText.start(room, end)..<end]))
  }

  private static let mark: UInt16 = 0xfeff

  /// Returns the start of a text that was written after a byte order mark: the mark is included only if needed.
  private static func start(_ room: UnsafeMutableRawBufferPointer, _ end: Int) -> Int {
    guard end >= 4 else { return 2 }
    let first = room.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
    return first == mark || first == mark.byteSwapped ? 0 : 2
  }

  private func makeRoom(_ byteCount: Int) {
    guard byteCount > room.count || room.count > max(byteCount, ExactText.keptByteCount) else {
      return
    }
    room.deallocate()
    room = .allocate(byteCount: max(byteCount, 4096), alignment: 16)
  }

  /// Writes the UTF-16 text `bytes` to the buffer as UTF-8; returns its end.
  private func writeUTF8(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var (from, to) = (0, 0)
    let room = room
    while from < bytes.count {
      // Four ASCII characters at a time, as most texts are ASCII.
      if from + 8 <= bytes.count {
        let four = bytes.loadUnaligned(fromByteOffset: from, as: UInt64.self)
        if four & 0xff80_ff80_ff80_ff80 == 0 {
          let packed = (four | four >> 8) & 0x0000_ffff_0000_ffff
          room.storeBytes(of: UInt32(truncatingIfNeeded: packed | packed >> 16), toByteOffset: to, as: UInt32.self)
          from += 8
          to += 4
          continue
        }
      }
      let unit = UInt32(bytes.loadUnaligned(fromByteOffset: from, as: UInt16.self))
      from += 2
      switch unit {
      case ..<0x80:
        room[to] = UInt8(unit)
        to += 1
      case ..<0x800:
        room[to] = UInt8(0xc0 | unit >> 6)
        room[to + 1] = UInt8(0x80 | unit & 0x3f)
        to += 2
      case 0xd800..<0xe000:
        guard let scalar = ExactText.scalar(unit, and: bytes, at: from) else {
          guard keepsHalves else { return nil }
          fallthrough
        }
        from += 2
        room[to] = UInt8(0xf0 | scalar >> 18)
        room[to + 1] = UInt8(0x80 | scalar >> 12 & 0x3f)
        room[to + 2] = UInt8(0x80 | scalar >> 6 & 0x3f)
        room[to + 3] = UInt8(0x80 | scalar & 0x3f)
        to += 4
      default:
        room[to] = UInt8(0xe0 | unit >> 12)
        room[to + 1] = UInt8(0x80 | unit >> 6 & 0x3f)
        room[to + 2] = UInt8(0x80 | unit & 0x3f)
        to += 3
      }
    }
    return to
  }

  /// Returns the character of a surrogate pair; `nil` if the two units are not a pair.
  private static func scalar(_ unit: UInt32, and bytes: UnsafeRawBufferPointer, at place: Int) -> UInt32? {
    guard unit < 0xdc00, place + 2 <= bytes.count else { return nil }
    let second = UInt32(bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
    guard (0xdc00..<0xe000).contains(second) else { return nil }
    return 0x10000 + ((unit & 0x3ff) << 10) + (second & 0x3ff)
  }

  /// Writes the UTF-8 text `bytes` to the buffer as UTF-16 after a byte order mark; returns its end.
  private func writeUTF16(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var (from, to) = (0, 2)
    let room = room
    room.storeBytes(of: ExactText.mark, as: UInt16.self)
    while from < bytes.count {
      let first = UInt32(bytes[from])
      if first < 0x80 {
        room.storeBytes(of: UInt16(first), toByteOffset: to, as: UInt16.self)
        from += 1
        to += 2
        continue
      }
      let (length, least): (Int, UInt32)
      var scalar: UInt32
      switch first {
      case 0xc2..<0xe0: (length, least, scalar) = (2, 0x80, first & 0x1f)
      case 0xe0..<0xf0: (length, least, scalar) = (3, 0x800, first & 0x0f)
      case 0xf0..<0xf5: (length, least, scalar) = (4, 0x10000, first & 0x07)
      default: return nil
      }
      guard from + length <= bytes.count else { return nil }
      for byte in bytes[from + 1..<from + length] {
        guard byte & 0xc0 == 0x80 else { return nil }
        scalar = scalar << 6 | UInt32(byte & 0x3f)
      }
      guard scalar >= least, scalar <= 0x10ffff,
        keepsHalves || !(0xd800..<0xe000).contains(scalar)
      else { return nil }
      from += length
      if scalar < 0x10000 {
        room.storeBytes(of: UInt16(scalar), toByteOffset: to, as: UInt16.self)
        to += 2
      } else {
        let rest = scalar - 0x10000
        room.storeBytes(of: UInt16(0xd800 + (rest >> 10)), toByteOffset: to, as: UInt16.self)
        room.storeBytes(of: UInt16(0xdc00 + (rest & 0x3ff)), toByteOffset: to + 2, as: UInt16.self)
        to += 4
      }
    }
    return to
  }
}
