/// The ID table of a migration in place, which is written where it is wanted once the new store has its name.
///
/// Until then the tables of the copies lie in the folder in which the migration works, with a note of where they are to
/// go: a run that is cut off in between is completed by the next, and one before leaves nothing at the place.
struct PendingIDTable {
  private let folder: WorkFolder
  private var note: MigrationNote {
    folder.note(PendingIDTable.name, form: "decant id table 1")
  }

  init(_ folder: WorkFolder) { self.folder = folder }

  /// Notes that the tables of `count` copies are to be written to `file` as one.
  func write(_ file: String, count: Int) throws(DecantError) {
    let place = "\(Files.resolved(Files.folder(of: file)))/\(Files.name(of: file))"
    try note.write([String(count), MigrationNote.escaped(place)])
  }

  /// Writes the table; the store is in place.
  func complete() throws(DecantError) {
    guard let lines = try note.read(), lines.count == 2, let count = Int(lines[0]), count > 0 else {
      return
    }
    let file = MigrationNote.unescaped(lines[1])
    let table = IDTableFile(file)
    guard let status = FileStatus(unfollowed: file), status.byteCount > 0 else {
      return try table.write(chain: (1...count).map { folder.idTable($0) })
    }
    // Where a file system cannot rename without replacing, it has two names for a moment.
    if status.isSame(as: table.partial) { table.remove() }
  }

  private static let name = "id-table"
}
