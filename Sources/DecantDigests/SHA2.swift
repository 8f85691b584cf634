internal import CDecantNettle

/// SHA-256 and SHA-512 (FIPS 180-4) of small data in memory: the digests in a store's metadata.
package enum SHA2 {
  /// Returns the SHA-256 digest of `bytes`, 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  /// Returns the SHA-512 digest of `bytes`, 64 bytes.
  package static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    var context = sha512_ctx()
    decant_sha512_init(&context)
    decant_sha512_update(&context, bytes.count, bytes)
    return [UInt8](unsafeUninitializedCapacity: 64) { digest, count in
      decant_sha512_digest(&context, digest.baseAddress)
      count = 64
    }
  }
}
