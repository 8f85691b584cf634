import DecantBase64
import Foundation
import Testing

/// What is written piece by piece, held against what Foundation writes.
@Suite struct Base64EncoderTests {
  /// A piece of any size ends anywhere: within a group of three, at a line's end, in a buffer's middle.
  @Test(arguments: [1, 2, 3, 56, 57, 58, 4_096, 49_149, 100_000])
  func `base64 is the same however it comes`(_ size: Int) {
    for count in [0, 1, 2, 3, 56, 57, 58, 114, 9_000, 9_001, 49_150, 70_000, 150_001] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }
      for isWrapped in [false, true] {
        var written: [UInt8] = []
        var encoder = Base64Encoder(isWrapped: isWrapped)
        for start in stride(from: 0, to: count, by: size) {
          bytes[start..<min(start + size, count)].withUnsafeBytes { piece in
            encoder.encode(piece) { written += $0 }
          }
        }
        encoder.finish { written += $0 }
        let options: Data.Base64EncodingOptions =
          isWrapped
          ? [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed] : []
        var expected = Data(bytes).base64EncodedString(options: options)
        if isWrapped, !expected.isEmpty, !expected.hasSuffix("\r\n") { expected += "\r\n" }
        #expect(written == Array(expected.utf8), "\(count) bytes, wrapped: \(isWrapped)")
        if !isWrapped { #expect(Base64Encoder.text(of: bytes) == expected) }
      }
    }
  }
}
