internal import CDecantNettle

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
///
/// For values that are never in memory at once; `SHA2` digests what is small and whole.
package struct SHA256 {
  private var context = sha256_ctx()

  /// Begins with no bytes.
  package init() { decant_sha256_init(&context) }

  /// Returns the 64 hexadecimal digits of the digest of `bytes`.
  package static func text(of bytes: UnsafeRawBufferPointer) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return text(digest.finish())
  }

  /// The hexadecimal digits of a digest.
  package static func text(_ digest: [UInt8]) -> String {
    digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// Takes in the next piece.
  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    guard !piece.isEmpty else { return }
    decant_sha256_update(&context, piece.count, piece.bindMemory(to: UInt8.self).baseAddress)
  }

  /// Returns the 32 bytes of the digest, and begins with no bytes again.
  package mutating func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      decant_sha256_digest(&context, digest.baseAddress)
      count = 32
    }
  }
}
