internal import DecantContainers
package import DecantBase
internal import Synchronization

/// The model that a Core Data store contains for its own migration: `Z_MODELCACHE`.
package enum ModelCache {
  /// The maximum unpacked size; the largest cache seen has 300 KB.
  private static let sizeLimit = 1 << 26

  /// Returns the model in `content`, the bytes of `Z_CONTENT`.
  ///
  /// A cache has no version hashes of its own: `versionHashes` are those of the store's metadata, by entity. As it is
  /// only a cache, a caller may treat an error like a missing model.
  ///
  /// - Throws: `DecantError` of the family `.corruptStore`; `place` names the store in it.
  package static func read(
    _ content: [UInt8],
    versionHashes: [String: [UInt8]] = [:],
    place: String
  ) throws(DecantError) -> Model {
    let key = Key(content: content, versionHashes: versionHashes)
    if let last = last.withLock({ $0 }), last.key == key { return last.model }
    let model = try parse(content, versionHashes, place)
    last.withLock { $0 = (key, model) }
    return model
  }

  /// The values that determine the model in a cache.
  private struct Key: Hashable {
    let content: [UInt8]
    let versionHashes: [String: [UInt8]]
  }

  /// The model that was read last: a run opens its stores several times, and stores of one app have the same model.
  private static let last = Mutex<(key: Key, model: Model)?>(nil)

  private static func parse(
    _ content: [UInt8],
    _ versionHashes: [String: [UInt8]],
    _ place: String
  ) throws(DecantError) -> Model {
    let archive: [UInt8]
    do {
      archive = try Deflate.inflate(content, format: .raw, limit: sizeLimit)
    } catch {
      throw DecantError(
        .modelDamaged,
        "the model inside the store is damaged: \(error)",
        place: place,
        remedy: "pass the model, for example App.momd",
        cause: error
      )
    }
    return try ArchivedModel.read(archive, versionHashes: versionHashes, place: place)
  }
}
