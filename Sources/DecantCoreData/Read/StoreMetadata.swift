internal import DecantBase
internal import DecantPropertyList
internal import DecantSQLite

/// What goes into `Z_METADATA` of a new store: a name of its own, and what the app kept there.
package struct StoreMetadata {
  let uuid: String
  let bytes: [UInt8]
  /// Whether something was left out that must not stay readable.
  let isReduced: Bool

  /// Takes over `metadata` of the store that serves as template.
  ///
  /// Version hashes, digest and checksum go along untouched: the model is the same.
  init(_ metadata: [String: PropertyList], uuid: String, keepsSyncMetadata: Bool) {
    self.uuid = uuid
    let kept = keepsSyncMetadata ? metadata : metadata.filter { !SyncMetadata.isMetadataKey($0.key) }
    isReduced = kept.count < metadata.count
    bytes = metadata.isEmpty ? [] : BinaryPropertyListWriter.write(.dictionary(kept))
  }

  /// Returns the property list `bytes` without `keys`; every other key has the value it had.
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

  /// Draws a new store identifier, in the form Core Data gives it.
  package static func newUUID() -> String {
    var generator = SystemRandomNumberGenerator()
    return uuid(of: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Returns 16 bytes as an identifier, in the form Core Data gives it.
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

  /// Writes the row into `main`, in place of the one that is there.
  func write(on connection: Connection) throws(SQLiteError) {
    try connection.run("DELETE FROM main.Z_METADATA")
    try connection.run(
      "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
      .text(uuid),
      bytes.isEmpty ? .null : .blob(bytes)
    )
  }
}
