package import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A table that was written, and did not get its name as its copy had: the run was killed in between.
extension IDTableFile {
  /// Notes which file the copy is that is to get its name next, whole as it lies at `path`.
  package func note(copy path: String) throws(DecantError) {
    guard let status = FileStatus(path) else { return }
    try explaining("cannot write the ID table “\(self.path)”") { () throws(SQLiteError) in
      let table = try Connection(DatabaseFile.uri(of: partial, "mode=rw"), mode: .readWrite)
      let note = "INSERT OR REPLACE INTO about VALUES (?1, ?2)"
      try table.run(note, .text(IDTableFile.copyKey), .text(IDTableFile.mark(of: status)))
    }
  }

  /// Gives the table its name where the store at `place` is the copy that it speaks of, and nothing has changed it since.
  ///
  /// - Returns: Whether it is.
  /// - Throws: `DecantError` where the table cannot be read or named.
  package func complete(of place: String) throws(DecantError) -> Bool {
    guard let store = FileStatus(place), store.isFile,
      (FileStatus(unfollowed: partial)?.byteCount ?? 0) > 0, isOwn
    else { return false }
    let noted = try explaining("cannot read the ID table “\(partial)”") {
      () throws(SQLiteError) -> String? in
      let table = try Connection(DatabaseFile.uri(of: partial, "mode=rw"), mode: .readWrite)
      // Before its one transaction was committed it has no tables.
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

  /// What tells a file from any other, and from itself after a change; a new name changes nothing of it.
  private static func mark(of file: FileStatus) -> String {
    "\(file.number)-\(file.byteCount)-\(file.changed)"
  }
}
