internal import CDecantNettle

/// HMAC (RFC 2104) with SHA-256: a digest that cannot be computed without the key.
package struct HMAC: Sendable {
  private let keyed: hmac_sha256_ctx

  /// Creates it with a key of any length.
  package init(key: [UInt8]) {
    var context = hmac_sha256_ctx()
    decant_hmac_sha256_set_key(&context, key.count, key)
    keyed = context
  }

  /// Returns the digest of `bytes`, 32 bytes.
  package func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var context = keyed
    if !bytes.isEmpty {
      let address = bytes.bindMemory(to: UInt8.self).baseAddress
      decant_hmac_sha256_update(&context, bytes.count, address)
    }
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      decant_hmac_sha256_digest(&context, digest.baseAddress)
      count = 32
    }
  }
}
