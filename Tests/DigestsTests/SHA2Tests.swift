import DecantDigests
import Foundation
import TestSupport
import Testing

struct SHA2Tests {
  /// Lengths on both sides of every border of padding and blocks.
  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1_000, 65_537])
  func `digests agree with those of coreutils`(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let file = folder.path("message")
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    #expect(try digest("sha256sum", of: file) == hexadecimal(SHA2.sha256(bytes)))
    #expect(try digest("sha512sum", of: file) == hexadecimal(SHA2.sha512(bytes)))
  }

  @Test(arguments: [1, 63, 64, 65, 1_000])
  func `the pieces do not matter`(length: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<70_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 5) }
    let file = folder.path("message")
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    var digest = SHA256()
    for start in stride(from: 0, to: bytes.count, by: length) {
      bytes[start..<min(start + length, bytes.count)].withUnsafeBytes { digest.update($0) }
    }
    #expect(try self.digest("sha256sum", of: file) == SHA256.text(digest.finish()))
  }

  private func digest(_ program: String, of file: String) throws -> String? {
    try Program.run([program, file]).output.split(separator: " ").first.map(String.init)
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }
}
