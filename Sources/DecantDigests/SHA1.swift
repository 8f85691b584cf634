internal import CDecantNettle

/// SHA-1 (FIPS 180-4) of what is small and whole: what name-based UUIDs are made with (RFC 9562, version 5).
///
/// It protects nothing: who wants to can make two texts of one digest.
package enum SHA1 {
  /// Returns the 20 bytes of the digest of `bytes`.
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
