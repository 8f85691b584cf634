internal import DecantBase
internal import DecantStore

/// A store that is read only for the model that it contains.
enum StoreModel {
  /// Returns whether there is a SQLite file at `path`, including one whose content is only in its log.
  static func isStore(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.isFile else { return false }
    if status.byteCount == 0 { return (FileStatus(path + "-wal")?.byteCount ?? 0) > 0 }
    return Files.start(of: path, count: 16) == Array("SQLite format 3\0".utf8)
  }

  /// Returns the single version in a store.
  static func version(_ file: ModelFile) -> ModelVersion {
    ModelVersion(name: file.stem, path: file.path, isSource: false, isStore: true)
  }

  /// Reads the model inside the store at `path`, with its version hashes.
  static func read(_ path: String) throws(DecantError) -> Model {
    let file = try CoreDataFile(StoreLocation(place: path))
    // A model derived from tables cannot be used for another store.
    if let gap = file.modelGap { throw gap }
    return file.model
  }
}
