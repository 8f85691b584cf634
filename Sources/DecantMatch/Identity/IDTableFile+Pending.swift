package import DecantBase
internal import DecantStore
internal import DecantSQLite

/// ID tables that were written but not renamed with their copy, as the run was killed in between.
extension IDTableFile {
  /// Records the file of the copy that is about to be renamed, complete at `path`.
  package func note(copy path: String) throws(DecantError) {
    guard let status = FileStatus(path) else { return }
    try explaining("cannot write the ID table “\(self.path)”") { () throws(SQLiteError) in
      let table = try Connection(DatabaseFile.uri(of: partial, "mode=rw"), mode: .readWrite)
      let note = "INSERT OR REPLACE INTO about VALUES (?1, ?2)"
      try table.run(note, .text(IDTableFile.copyKey), .text(IDTableFile.mark(of: status)))
    }
  }

  /// Renames the table if the store at `place` is its copy, and unchanged since.
  ///
  /// - Returns: Whether it is.
  /// - Throws: `DecantError` if the table cannot be read or renamed.
  package func complete(of place: String) throws(DecantError) -> Bool {
    guard let store = FileStatus(place), store.isFile,
      (FileStatus(unfollowed: partial)?.byteCount ?? 0) > 0, isOwn
    else { return false }
    let noted = try explaining("cannot read the ID table “\(partial)”") {
      () throws(SQLiteError) -> String? in
      let table = try Connection(DatabaseFile.uri(of: partial, "mode=rw"), mode: .readWrite)
      // Before its only transaction is committed it has no tables.
      guard try table.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'about'") == 1 else {
        return nil
      }
      return try table.text("SELECT value FROM about WHERE key = ?1", .text(IDTableFile.copyKey))
    }
    guard noted == IDTableFile.mark(of: store) else { return false }
    try publish()
    return true
  }

  private static let copyKey = "file"

  /// Returns a mark that identifies a file and its state; renaming does not change it.
  private static func mark(of file: FileStatus) -> String {
    "\(file.number)-\(file.byteCount)-\(file.changed)"
  }
}
