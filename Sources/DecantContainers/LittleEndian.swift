/// Numbers as zip and gzip store them, lowest byte first.
extension [UInt8] {
  /// Returns the number in the two bytes at `index`, which must exist.
  func number16(at index: Int) -> Int {
    Int(self[index]) | Int(self[index + 1]) << 8
  }

  /// Returns the number in the four bytes at `index`, which must exist.
  func number32(at index: Int) -> Int {
    number16(at: index) | number16(at: index + 2) << 16
  }

  /// Returns the number in the eight bytes at `index`, which must exist.
  ///
  /// A number that does not fit into `Int` becomes `Int.max`: no size or offset is that large.
  func number64(at index: Int) -> Int {
    let high = number32(at: index + 4)
    return high > 0x7FFF_FFFF ? .max : number32(at: index) | high << 32
  }

  /// Appends the given number of lowest bytes of each value.
  mutating func append(littleEndian numbers: [(byteCount: Int, value: Int)]) {
    for (byteCount, value) in numbers {
      for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
  }
}
