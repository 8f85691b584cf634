internal import DecantBase64
import DecantDigests
import DecantPropertyList

/// What a store says about itself, in `Z_METADATA`.
struct Metadata {
  let schema: Schema

  /// Returns the property list of the row, with `extra` keys beside Core Data's own.
  func bytes(extra: [String: PropertyList]) -> [UInt8] {
    let hashes = Dictionary(
      uniqueKeysWithValues: schema.entities.map { ($0.name, PropertyList.data(hash(of: $0.name))) }
    )
    let own: [String: PropertyList] = [
      "NSStoreType": .string("SQLite"),
      "NSPersistenceFrameworkVersion": .integer(1344),
      "_NSAutoVacuumLevel": .string("2"),
      "NSStoreModelVersionIdentifiers": .array(schema.versionIdentifiers.map(PropertyList.string)),
      "NSStoreModelVersionHashes": .dictionary(hashes),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashesDigest": .string(Base64Encoder.text(of: hashesDigest)),
      "NSStoreModelVersionChecksumKey": .string(Base64Encoder.text(of: checksum)),
    ]
    return BinaryPropertyListWriter.write(.dictionary(own.merging(extra) { own, _ in own }))
  }

  /// Returns the 32 bytes that stand for this version of an entity.
  ///
  /// Only Apple's frameworks can compute true ones. These are plainly made up: the entity's name
  /// after a word that says so, over and over.
  func hash(of entity: String) -> [UInt8] {
    let pattern = Array("sample:\(entity):".utf8)
    return (0..<32).map { pattern[$0 % pattern.count] }
  }

  private var names: [String] { schema.entities.map(\.name).sorted() }

  /// SHA-512 over every name followed by its hash.
  private var hashesDigest: [UInt8] {
    SHA2.sha512(names.flatMap { Array($0.utf8) + hash(of: $0) })
  }

  /// SHA-256 over the hashes alone.
  private var checksum: [UInt8] {
    SHA2.sha256(names.flatMap(hash))
  }
}
