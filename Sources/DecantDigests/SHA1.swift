internal import CDecantNettle

/// SHA-1 (FIPS 180-4) of small data in memory, used for name-based UUIDs (RFC 9562, version 5).
///
/// It is not secure: two texts with the same digest can be constructed.
package enum SHA1 {
  /// Returns the SHA-1 digest of `bytes`, 20 bytes.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var context = sha1_ctx()
    decant_sha1_init(&context)
    decant_sha1_update(&context, bytes.count, bytes)
    return [UInt8](unsafeUninitializedCapacity: 20) { digest, count in
      decant_sha1_digest(&context, digest.baseAddress)
      count = 20
    }
  }
}
