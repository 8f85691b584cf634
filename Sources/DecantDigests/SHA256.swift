internal import CDecantNettle

/// SHA-256 (FIPS 180-4), computed piece by piece.
///
/// For values that are never in memory at once; `SHA2` is for small data in memory.
package struct SHA256 {
  private var context = sha256_ctx()

  /// Creates a digest of no bytes.
  package init() { decant_sha256_init(&context) }

  /// Returns the SHA-256 digest of `bytes` as 64 hexadecimal digits.
  package static func text(of bytes: UnsafeRawBufferPointer) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return text(digest.finish())
  }

  /// Returns a digest as hexadecimal digits.
  package static func text(_ digest: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * digest.count) { text in
      func digit(_ half: UInt8) -> UInt8 { half + (half < 10 ? 0x30 : 0x57) }
      for (index, byte) in digest.enumerated() {
        text[2 * index] = digit(byte >> 4)
        text[2 * index + 1] = digit(byte & 15)
      }
      return 2 * digest.count
    }
  }

  /// Adds the next piece.
  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    guard !piece.isEmpty else { return }
    decant_sha256_update(&context, piece.count, piece.bindMemory(to: UInt8.self).baseAddress)
  }

  /// Returns the digest, 32 bytes, and starts again with no bytes.
  package mutating func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      decant_sha256_digest(&context, digest.baseAddress)
      count = 32
    }
  }
}
