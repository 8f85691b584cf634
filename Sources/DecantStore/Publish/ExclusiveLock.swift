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

  /// Unlocks the store.
  package func release() { connection = nil }
}
