/// Control characters in UTF-8 text, which mean nothing in texts that people write: all except tab and line ends.
package enum ControlBytes {
  /// Whether `bytes` contain any control characters.
  package static func areIn(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if mayHold(word), bytes[place..<(place + 8)].contains(where: isControl) { return true }
      place += 8
    }
    return bytes[place...].contains(where: isControl)
  }

  /// Removes control characters; a space replaces those other than NUL that separate two words.
  package static func remove(from bytes: inout [UInt8]) {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for (place, byte) in bytes.enumerated() {
      guard isControl(byte) else {
        kept.append(byte)
        continue
      }
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0x20
      if byte != 0, let last = kept.last, last > 0x20, next > 0x20, next != 0x7f {
        kept.append(0x20)
      }
    }
    bytes = kept
  }

  /// Whether any of the eight bytes of `word` is below 0x20 or equal to 0x7f.
  private static func mayHold(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = (word &- ones &* 0x20) & ~word
    let delete = word ^ (ones &* 0x7f)
    return (low | ((delete &- ones) & ~delete)) & (ones &* 0x80) != 0
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 ? byte != 0x09 && byte != 0x0a && byte != 0x0d : byte == 0x7f
  }
}
