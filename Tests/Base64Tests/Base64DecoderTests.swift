import DecantBase64
import Foundation
import TestSupport
import Testing

/// Base64 in pieces, held against what Foundation makes of it.
@Suite struct Base64DecoderTests {
  private static let lenient: Base64Decoder.Leniency = [.blanks, .unpadded, .address]

  /// Decodes `text` in pieces of `size` characters.
  private func decode(
    _ text: String,
    by size: Int,
    _ leniency: Base64Decoder.Leniency = lenient
  ) throws(Base64Decoder.Fault) -> [UInt8] {
    var decoder = Base64Decoder(leniency)
    var (decoded, piece): ([UInt8], [UInt8]) = ([], [1, 2, 3])
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let result = bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { bytes in
        Result { () throws(Base64Decoder.Fault) in try decoder.decode(bytes, to: &piece) }
      }
      try result.get()
      decoded += piece
    }
    try decoder.finish(to: &piece)
    return decoded + piece
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 76, 77, 1000])
  func `pieces make no difference`(_ size: Int) throws {
    for count in [0, 1, 2, 3, 4, 5, 6, 255, 256, 1001] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 7) }
      let coded = Data(bytes).base64EncodedString()
      #expect(try decode(coded, by: size) == bytes)
      #expect(try decode(coded, by: size, []) == bytes)
      #expect(try decode(coded.replacing("=", with: ""), by: size) == bytes)
      let wrapped = Data(bytes).base64EncodedString(options: [
        .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
      ])
      #expect(try decode(wrapped, by: size) == bytes)
      #expect(try decode(wrapped, by: size, .blanks) == bytes)
      let odd = coded.enumerated().map { $0 % 5 == 3 ? "\($1)\n" : "\($1)" }.joined()
      #expect(try decode(odd, by: size) == bytes)
      #expect(try decode(odd, by: size, .blanks) == bytes)
    }
  }

  @Test func `both alphabets and an address in front are read if they are asked for`() throws {
    #expect(try decode("+/-_", by: 4) == [0xfb, 0xff, 0xbf])
    #expect(try decode("data:image/png;base64,AAEC", by: 100) == [0, 1, 2])
    for text in ["+/-_", "data:image/png;base64,AAEC"] {
      #expect(throws: Base64Decoder.Fault.foreign) {
        try decode(text, by: 4, [.blanks, .unpadded])
      }
    }
  }

  @Test(arguments: ["AAA!", "AAAA*", "AA==AA", "AAAAA", "A", "AAé="])
  func `what is no base64 is a fault`(_ text: String) {
    for size in [1, 3, 100] {
      #expect(throws: Base64Decoder.Fault.self) { try decode(text, by: size) }
      #expect(throws: Base64Decoder.Fault.self) { try decode(text, by: size, []) }
    }
  }

  /// To the letter there is one way to write something: the one in which it is written.
  @Test func `to the letter only what is written so is read`() throws {
    var texts = [
      "", "=", "==", "===", "====", "A===", "AA=A", "AA=", "AA", "AAA", "AAAA=", "AAAA====",
    ]
    let characters = Array("ABab01+/=-_ \n.wxyz")
    for number in 0..<(characters.count * characters.count * characters.count) {
      let (a, rest) = (characters[number % characters.count], number / characters.count)
      let (b, c) = (characters[rest % characters.count], characters[rest / characters.count])
      texts += ["A\(a)\(b)\(c)", "QUJDA\(a)\(b)\(c)", "\(a)\(b)\(c)=QUJD"]
    }
    var validCount = 0
    for text in texts {
      let expected = Data(base64Encoded: text).flatMap { data in
        data.base64EncodedString() == text ? [UInt8](data) : nil
      }
      var read: [UInt8] = [7, 7, 7, 7, 7, 7, 7, 7]
      let isRead = Array(text.utf8).withUnsafeBytes { Base64Decoder.decode($0, to: &read) }
      #expect(isRead == (expected != nil), "\(text)")
      if let expected { #expect(read == expected, "\(text)") }
      #expect((try? decode(text, by: 1, [])) == expected, "\(text)")
      if isRead { validCount += 1 }
    }
    #expect(validCount > 500)
  }

  /// A picture whose lines are short takes no longer than one on a single line, but for its line ends.
  @Test func `many lines are not slow`() throws {
    let coded = String(repeating: "AAAA\n", count: 400_000)
    var count = 0
    let time = try CPUTime.of { count = try decode(coded, by: 1 << 20).count }
    #expect(count == 1_200_000)
    #expect(time < .seconds(20))
  }
}
