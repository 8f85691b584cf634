package import DecantBase
internal import DecantSQLite

/// A store that no other process may write to for a while; all may read it.
///
/// Other connections of this process read its latest state meanwhile.
package final class ExclusiveLock {
  private var connection: Connection?

  /// Locks the database at `path` until `release`; a journal that an interrupted run left is rolled back first.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: Its name in errors.
  /// - Throws: `DecantError` of the family `.storeBusy` if another process has it open.
  package init(_ path: String, place: String) throws(DecantError) {
    let lock = StoreLock(path: path, place: place)
    guard Files.isWritable(path), Files.isWritable(Files.folder(of: path)) else {
      throw DecantError(
        .accessDenied,
        "“\(place)” cannot be replaced: no permission to write the file or its folder",
        remedy: "fix the permissions, or name another file for the result"
      )
    }
    try ExclusiveFile.checkIsClosed(path, lock)
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 2_000)
      // No checkpoint: the state that was read is identified by the log.
      try connection.setCheckpointsOnClose(false)
      self.connection = connection
    } catch {
      throw DecantError(opening: path, error)
    }
    try lock.refusing { () throws(SQLiteError) in try connection?.run("BEGIN IMMEDIATE") }
  }

  /// Copies the database at `path` with its log to `copy`, and locks it in the copied state.
  ///
  /// It is not locked before: closing a file releases every lock that this process has on it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: Its name in errors.
  ///   - copy: The path of the copy.
  ///   - goesOn: Called after each piece, with the bytes written so far and the total; returns whether to continue.
  /// - Returns: The lock.
  /// - Throws: `DecantError` of the family `.storeBusy` if another process has it open or keeps writing to it, or
  ///   `.interrupted`.
  package static func copying(
    _ path: String,
    place: String,
    to copy: String,
    goesOn: (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> ExclusiveLock {
    for _ in 1...5 {
      let copied = try explaining { () throws(SystemError) in
        try DatabaseFile.copyQuietly(path, to: copy, goesOn: goesOn)
      }
      guard let copied else { break }
      let lock = try ExclusiveLock(path, place: place)
      if DatabaseFile.status(of: path) == copied { return lock }
      lock.release()
    }
    let holders = LockHolders(ofDatabase: path)
    throw DecantError(
      .storeChanged,
      "“\(place)” is being written to continuously",
      place: holders.text.map { DecantError.Text($0) },
      remedy: "close the program that is writing it, then \(.again)",
      remedies: holders.remedies
    )
  }

  /// Unlocks the store.
  package func release() { connection = nil }
}
