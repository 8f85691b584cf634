internal import Digests
internal import SQLite

/// The note that an old store is to be removed once the one that is made of it is at its new place.
///
/// With it the next run completes what was cut off in between, unless somebody has written to the old store since.
struct PendingRemoval {
  /// The old store's file.
  let old: String
  private let note: MigrationNote

  init(_ folder: MigrationFolder, of old: String) {
    self.old = Files.resolved(old)
    note = folder.note(PendingRemoval.name, form: "decant removal 1")
  }

  /// Notes that the store is to be removed in the state that it is in.
  func write() throws(DecantError) { try note.write([place, try PendingRemoval.state(of: old)]) }

  /// Returns the state in which the store may be removed; `nil` where none is to be, or it is in another one.
  func read() throws(DecantError) -> String? {
    guard let lines = try note.read(), lines.count == 2, lines[0] == place,
      try PendingRemoval.state(of: old) == lines[1]
    else { return nil }
    return lines[1]
  }

  /// The note's name in the folder.
  static let name = "removal"

  /// What stands for the old store's path, whatever characters that has.
  private var place: String { SHA256.text(SHA2.sha256(Array(old.utf8))) }

  /// The state of the database at `path`.
  static func state(of path: String) throws(DecantError) -> String {
    try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
      try Fingerprint(
        of: "main",
        on: Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)
      ).description
    }
  }
}
