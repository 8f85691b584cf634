internal import DecantBase
internal import DecantPropertyList
internal import DecantSQLite

/// The content of `Z_METADATA` of a new store: a new identifier, and the app's own metadata.
package struct StoreMetadata {
  let uuid: String
  let bytes: [UInt8]
  /// Whether something was removed that must not remain readable.
  let isReduced: Bool

  /// Creates metadata from those of the template store.
  ///
  /// Version hashes, digest and checksum are copied unchanged: the model is the same.
  init(_ metadata: [String: PropertyList], uuid: String, keepsSyncMetadata: Bool) {
    self.uuid = uuid
    let kept = keepsSyncMetadata ? metadata : metadata.filter { !SyncMetadata.isMetadataKey($0.key) }
    isReduced = kept.count < metadata.count
    bytes = metadata.isEmpty ? [] : BinaryPropertyListWriter.write(.dictionary(kept))
  }

  /// Returns the property list `bytes` without `keys`; all other keys keep their values.
  static func bytes(_ bytes: [UInt8], without keys: [String], place: String) throws(DecantError) -> [UInt8] {
    let kept = try CoreDataFile.metadata(bytes, place: place).filter { !keys.contains($0.key) }
    let written = BinaryPropertyListWriter.write(.dictionary(kept))
    guard try CoreDataFile.metadata(written, place: place) == kept else {
      throw DecantError(
        .proofFailed,
        "cannot write the metadata of “\(place)” without changing it",
        place: "table Z_METADATA, column Z_PLIST",
        remedy: "this is a bug in decant: please report it"
      )
    }
    return written
  }

  /// Returns a new random store identifier, in the form of Core Data.
  package static func newUUID() -> String {
    var generator = SystemRandomNumberGenerator()
    return uuid(of: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Returns 16 bytes as an identifier, in the form of Core Data.
  static func uuid(of bytes: [UInt8]) -> String {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return groups.map { digits[$0].joined() }.joined(separator: "-")
  }

  /// Writes the row to `main`, replacing the existing one.
  func write(on connection: Connection) throws(SQLiteError) {
    try connection.run("DELETE FROM main.Z_METADATA")
    try connection.run(
      "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
      .text(uuid),
      bytes.isEmpty ? .null : .blob(bytes)
    )
  }
}
