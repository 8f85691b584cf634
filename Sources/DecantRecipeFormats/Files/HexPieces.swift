/// Decodes hexadecimal digits piece by piece, ignoring white space and angle brackets.
struct HexPieces {
  private var high: UInt8?

  /// Decodes the next piece and passes the bytes to `body`.
  mutating func decode(_ piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var output: [UInt8] = []
    output.reserveCapacity(piece.count / 2 + 1)
    for byte in piece {
      let value: UInt8
      switch byte {
      case 0x30...0x39: value = byte - 0x30
      case 0x41...0x46: value = byte - 0x37
      case 0x61...0x66: value = byte - 0x57
      case 0x20, 0x09, 0x0a, 0x0d, 0x3c, 0x3e: continue
      default: throw RecipeFault("a picture is not hexadecimal")
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

  /// - Throws: `RecipeFault` if the last digit is unpaired.
  func finish() throws {
    guard high == nil else { throw RecipeFault("a hexadecimal picture is truncated") }
  }
}
