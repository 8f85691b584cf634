/// Checks that bytes are UTF-8 as Unicode defines it: no surrogates, no overlong forms.
package enum UTF8Check {
  /// Returns whether the bytes are valid; checks eight bytes at a time while they are ASCII.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    let end = bytes.count
    while place < end {
      if place + 8 <= end,
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        place += 8
        continue
      }
      let first = bytes[place]
      if first < 0x80 {
        place += 1
        continue
      }
      let count: Int
      let second: ClosedRange<UInt8>
      switch first {
      case 0xc2...0xdf: (count, second) = (2, 0x80...0xbf)
      case 0xe0: (count, second) = (3, 0xa0...0xbf)
      case 0xe1...0xec, 0xee...0xef: (count, second) = (3, 0x80...0xbf)
      case 0xed: (count, second) = (3, 0x80...0x9f)
      case 0xf0: (count, second) = (4, 0x90...0xbf)
      case 0xf1...0xf3: (count, second) = (4, 0x80...0xbf)
      case 0xf4: (count, second) = (4, 0x80...0x8f)
      default: return false
      }
      guard place + count <= end, second.contains(bytes[place + 1]) else { return false }
      for offset in 2..<max(count, 2) where bytes[place + offset] & 0xc0 != 0x80 { return false }
      place += count
    }
    return true
  }
}
