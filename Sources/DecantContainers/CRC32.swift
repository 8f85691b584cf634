internal import CDecantCompression

/// The checksum of zip and gzip, over bytes that come piece by piece.
package enum CRC32 {
  /// Returns the checksum of all that `seed` stands for followed by `bytes`.
  package static func update(_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    crc32_gzip_refl(seed, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
  }

  /// The checksum with one line feed behind it.
  package static func updateLineFeed(_ seed: UInt32) -> UInt32 {
    withUnsafeBytes(of: UInt8(0x0a)) { update(seed, $0) }
  }
}
