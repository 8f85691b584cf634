import Foundation
import TestSupport
import Testing

@testable import DecantStores

/// Base64 in pieces, held against what Foundation makes of it.
@Suite struct Base64PiecesTests {
  /// Decodes `text` in pieces of `size` characters.
  private func decode(_ text: String, by size: Int) throws -> [UInt8] {
    var decoder = Base64Pieces()
    var decoded: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
        try decoder.decode(piece) { decoded += $0 }
      }
    }
    try decoder.finish { decoded += $0 }
    return decoded
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 76, 77, 1000])
  func piecesMakeNoDifference(_ size: Int) throws {
    for count in [0, 1, 2, 3, 4, 5, 6, 255, 256, 1001] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 7) }
      let coded = Data(bytes).base64EncodedString()
      #expect(try decode(coded, by: size) == bytes)
      #expect(try decode(coded.replacing("=", with: ""), by: size) == bytes)
      let wrapped = Data(bytes).base64EncodedString(options: [
        .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
      ])
      #expect(try decode(wrapped, by: size) == bytes)
      let odd = coded.enumerated().map { $0 % 5 == 3 ? "\($1)\n" : "\($1)" }.joined()
      #expect(try decode(odd, by: size) == bytes)
    }
  }

  @Test func bothAlphabetsAndAnAddressInFront() throws {
    #expect(try decode("+/-_", by: 4) == [0xfb, 0xff, 0xbf])
    #expect(try decode("data:image/png;base64,AAEC", by: 100) == [0, 1, 2])
  }

  @Test(arguments: ["AAA!", "AAAA*", "AA==AA", "AAAAA", "A", "AAé="])
  func whatIsNoBase64IsAFault(_ text: String) {
    for size in [1, 3, 100] {
      #expect(throws: RecipeFault.self) { try decode(text, by: size) }
    }
  }

  /// A picture whose lines are short takes no longer than one on a single line, but for its line ends.
  @Test func manyLinesAreNotSlow() throws {
    let coded = String(repeating: "AAAA\n", count: 400_000)
    var count = 0
    let time = try CPUTime.of { count = try decode(coded, by: 1 << 20).count }
    #expect(count == 1_200_000)
    #expect(time < .seconds(20))
  }
}
