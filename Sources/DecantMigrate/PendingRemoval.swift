internal import DecantBase
internal import DecantStore
internal import DecantDigests
internal import DecantSQLite

/// The note that an old store is to be removed, as the one that is made of it is at its new place.
///
/// By it the next run completes what was cut off, unless somebody has written to the old store since, or the store at
/// the new place is another one.
struct PendingRemoval {
  /// The old store, as it was named.
  private let place: String
  private let journal: WorkJournal

  /// What the note says.
  struct Content: Hashable {
    /// The old store's file; it may have another name by now, and a link that led to it none any more.
    var file: String
    /// The state of it that was copied.
    var state: String
    /// The identifier of the store that was made of it.
    var uuid: String
  }

  init(_ folder: WorkFolder, of old: String) {
    place = old
    journal = folder.journal
  }

  /// Notes that the store is to be removed; the one that it became is at its place.
  func write(_ content: Content) throws(DecantError) {
    try journal.write([key, content.file, content.state, content.uuid], on: .removal)
  }

  /// Returns what is noted of this store; `nil` where nothing is.
  func read() throws(DecantError) -> Content? {
    guard let values = try journal.values(of: .removal), values.count == 4, values[0] == key else {
      return nil
    }
    return Content(file: values[1], state: values[2], uuid: values[3])
  }

  /// The name that the file of a store has while what belongs to it is removed.
  static func removed(_ file: String) -> String { file + ".decant-removed" }

  /// What stands for the place, whether anything lies there or not.
  private var key: String {
    let folder = Files.resolved(Files.folder(of: place))
    return SHA256.text(SHA2.sha256(Array("\(folder)/\(Files.name(of: place))".utf8)))
  }

  /// The state of the database at `path`.
  static func state(of path: String) throws(DecantError) -> String {
    try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
      try Fingerprint(of: "main", on: Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)).description
    }
  }
}
