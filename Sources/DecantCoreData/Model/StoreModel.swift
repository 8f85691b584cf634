internal import DecantBase
internal import DecantStore

/// A store, read for nothing but the model inside it.
enum StoreModel {
  /// Whether there is a SQLite file at `path`; one whose content is all in its log counts as well.
  static func isStore(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.isFile else { return false }
    if status.byteCount == 0 { return (FileStatus(path + "-wal")?.byteCount ?? 0) > 0 }
    return Files.start(of: path, count: 16) == Array("SQLite format 3\0".utf8)
  }

  /// Returns the one version a store holds.
  static func version(_ file: ModelFile) -> ModelVersion {
    ModelVersion(name: file.stem, path: file.path, isSource: false, isStore: true)
  }

  /// Reads the model inside the store at `path`, with its version hashes.
  static func read(_ path: String) throws(DecantError) -> Model {
    let file = try CoreDataFile(StoreLocation(place: path))
    // What only the tables tell is no model for another store.
    if let gap = file.modelGap { throw gap }
    return file.model
  }
}
