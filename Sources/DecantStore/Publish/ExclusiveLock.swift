package import DecantBase
internal import DecantSQLite

/// A store that nobody else may write to for a while, though everybody may read it.
///
/// What is read meanwhile by other connections of this process is its last state.
package final class ExclusiveLock {
  private var connection: Connection?

  /// Holds the database at `path` until `release`; where a run of somebody's left a journal it is taken in first.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: What to call it in errors.
  /// - Throws: `DecantError` of the family `.storeBusy` while another process has it open.
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
      // What is held stays as it is: by its log the state is known that was read.
      try connection.setCheckpointsOnClose(false)
      self.connection = connection
    } catch {
      throw DecantError(opening: path, error)
    }
    try lock.refusing { () throws(SQLiteError) in try connection?.run("BEGIN IMMEDIATE") }
  }

  /// Lets others write again.
  package func release() { connection = nil }
}
