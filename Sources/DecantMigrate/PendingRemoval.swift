internal import DecantBase
internal import DecantStore
internal import DecantDigests
internal import DecantSQLite

/// The record that an old store is to be removed after it was moved to its new place.
///
/// The next run uses it to complete an interrupted removal, unless the old store has been written to since, or the
/// store at the new place is another one.
struct PendingRemoval {
  /// The old store, as it was given.
  private let place: String
  private let journal: WorkJournal

  /// The contents of the record.
  struct Content: Hashable {
    /// The old store's file; it may have been renamed since, and a link to it removed.
    var file: String
    /// The state of the file that was copied.
    var state: String
    /// The identifier of the new store.
    var uuid: String
  }

  init(_ folder: WorkFolder, of old: String) {
    place = old
    journal = folder.journal
  }

  /// Records that the old store is to be removed; the new store is at its place.
  func write(_ content: Content) throws(DecantError) {
    try journal.write([key, content.file, content.state, content.uuid], on: .removal)
  }

  /// Returns the record of this store; `nil` if there is none.
  func read() throws(DecantError) -> Content? {
    guard let values = try journal.values(of: .removal), values.count == 4, values[0] == key else {
      return nil
    }
    return Content(file: values[1], state: values[2], uuid: values[3])
  }

  /// Returns the name of a store's file while its other files are removed.
  static func removed(_ file: String) -> String { file + ".decant-removed" }

  /// The key of the place, whether or not anything exists there.
  private var key: String {
    let folder = Files.resolved(Files.folder(of: place))
    return SHA256.text(SHA2.sha256(Array("\(folder)/\(Files.name(of: place))".utf8)))
  }

  /// Returns the state of the database at `path`.
  static func state(of path: String) throws(DecantError) -> String {
    try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
      try Fingerprint(of: "main", on: Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)).description
    }
  }
}
