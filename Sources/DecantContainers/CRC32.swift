internal import CDecantCompression

/// The checksum of zip and gzip, computed piece by piece.
package enum CRC32 {
  /// Returns `seed` updated with `bytes`.
  package static func update(_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    crc32_gzip_refl(seed, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
  }

  /// Returns the checksum updated with one line feed.
  package static func updateLineFeed(_ seed: UInt32) -> UInt32 {
    withUnsafeBytes(of: UInt8(0x0a)) { update(seed, $0) }
  }
}
