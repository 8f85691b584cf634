internal import DecantBase64
internal import DecantDigests
internal import DecantPropertyList

/// The digests that Core Data stores for all version hashes of a model.
///
/// - Source: the metadata of stores, and of compiled models; Formats, “A store made after a model”.
package enum ModelDigest {
  /// Returns the metadata keys of a store for these hashes.
  static func metadata(of hashes: [String: [UInt8]]) -> [String: PropertyList] {
    [
      "NSStoreModelVersionHashes": .dictionary(hashes.mapValues { .data($0) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashesDigest": .string(digest(of: hashes)),
      "NSStoreModelVersionChecksumKey": .string(checksum(of: hashes)),
    ]
  }

  /// Returns the SHA-512 of names and hashes, as base64.
  package static func digest(of hashes: [String: [UInt8]]) -> String {
    Base64Encoder.text(of: SHA2.sha512(inOrder(hashes).flatMap { Array($0.key.utf8) + $0.value }))
  }

  /// Returns the SHA-256 of the hashes alone, as base64; compiled models contain it as well.
  package static func checksum(of hashes: [String: [UInt8]]) -> String {
    Base64Encoder.text(of: SHA2.sha256(inOrder(hashes).flatMap(\.value)))
  }

  /// Returns the names sorted by their bytes.
  private static func inOrder(_ hashes: [String: [UInt8]]) -> [(key: String, value: [UInt8])] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
