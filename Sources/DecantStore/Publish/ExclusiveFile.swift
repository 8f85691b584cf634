package import DecantBase
package import DecantSQLite

/// A database in a single file, without log or journal, that no other process reads or writes meanwhile.
///
/// Only such a file may be renamed. Everything in its log or journal is checkpointed, and its header says that it has
/// none, so that a process with the old name open does not look for one there.
package final class ExclusiveFile {
  private var connection: Connection?
  private let lock: StoreLock
  /// Whether it had a write-ahead log.
  let hadLog: Bool
  /// Whether the connection belongs to the caller, who continues to use it.
  private let isLent: Bool

  /// Merges log and journal into the file at `path`, and locks it until `release`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: Its name in errors.
  ///   - fingerprint: The state that it must still have, if that matters.
  /// - Throws: `DecantError` of the family `.storeBusy` if another process has it open, or has written to it.
  package init(_ path: String, place: String, in fingerprint: String? = nil) throws(DecantError) {
    let lock = StoreLock(path: path, place: place)
    try ExclusiveFile.checkIsClosed(path, lock)
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.setTriggersEnabled(false)
    } catch {
      throw DecantError(opening: path, error)
    }
    var hadLog = false
    try lock.refusing { () throws(SQLiteError) in
      try connection.run("PRAGMA main.synchronous = FULL")
      let version = try connection.integer("PRAGMA main.data_version")
      if let fingerprint {
        guard try Fingerprint(of: "main", on: connection).description == fingerprint else {
          throw SQLiteError(code: SQLiteError.busyCode, message: "another program wrote to it meanwhile")
        }
      }
      hadLog = try connection.text("PRAGMA main.journal_mode") == "wal"
      // The change of modes below cannot be stopped, so there must be nothing left to checkpoint.
      if let cancellation = Cancellation.current { connection.setProgressCheck(StopCheck(cancellation)) }
      do throws(SQLiteError) {
        try connection.longStep { () throws(SQLiteError) in try connection.run("PRAGMA main.wal_checkpoint") }
      } catch {
        // Otherwise SQLite would repeat the checkpoint when the connection is closed.
        try connection.setCheckpointsOnClose(false)
        throw error
      }
      connection.setProgressCheck(nil)
      // The last user of the log makes SQLite checkpoint and remove it.
      _ = try connection.text("PRAGMA main.journal_mode = DELETE")
      try connection.run("BEGIN EXCLUSIVE")
      // Another connection may have committed since the state was read; it changes this number, and this one does not.
      let versionNow = try connection.integer("PRAGMA main.data_version")
      guard fingerprint == nil || versionNow == version else {
        throw SQLiteError(code: SQLiteError.busyCode, message: "another program wrote to it meanwhile")
      }
      // An invalid journal may still exist; this change of modes removes it.
      for mode in ["PERSIST", "DELETE"] {
        _ = try connection.text("PRAGMA main.journal_mode = \(mode)")
      }
      guard try connection.text("PRAGMA main.journal_mode") == "delete" else {
        throw SQLiteError(code: SQLiteError.busyCode, message: "another program set it back to WAL mode")
      }
    }
    (self.lock, self.connection, self.hadLog, isLent) = (lock, connection, hadLog, false)
    try ExclusiveFile.checkIsAlone(path)
  }

  /// Locks the database at `path`, which only `connection` has open, as `main`.
  package init(_ path: String, place: String, on connection: Connection) throws(DecantError) {
    (lock, hadLog, isLent) = (StoreLock(path: path, place: place), false, true)
    self.connection = connection
    try lock.refusing { () throws(SQLiteError) in
      _ = try connection.text("PRAGMA main.journal_mode = DELETE")
      try connection.run("PRAGMA main.synchronous = FULL")
      try connection.run("BEGIN EXCLUSIVE")
    }
    try ExclusiveFile.checkIsAlone(path)
  }

  /// Unlocks the file.
  package func release() {
    // Nothing was written in the transaction; if COMMIT fails, closing the connection ends it.
    if isLent { try? connection?.run("COMMIT") }
    connection = nil
  }

  /// Restores the WAL mode of the database at `path`.
  ///
  /// - Returns: A note if that failed.
  static func giveLog(_ path: String) -> ReportNote? {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 2_000)
      _ = try connection.text("PRAGMA main.journal_mode = WAL")
      return nil
    } catch {
      // Another process has opened it already. Core Data sets its mode itself.
      return ReportNote(.journalMode, "could not restore its journal mode, wal: \(error.message)")
    }
  }

  /// Throws if the file is no longer at its place.
  func checkIsThere() throws(DecantError) {
    if let connection { try lock.checkIsThere(connection) }
  }

  /// Throws if any process has the file open, even without a lock: it would continue with a file that has moved.
  package static func checkIsClosed(_ path: String, _ lock: StoreLock) throws(DecantError) {
    // A short read ends in a moment.
    for attempt in 1...6 {
      guard try explaining({ () throws(SystemError) in try Files.isOpen(path) }) else { return }
      if attempt < 6 { Files.pause(milliseconds: 100) }
    }
    try lock.refusing { () throws(SQLiteError) in
      throw SQLiteError(code: SQLiteError.busyCode, message: "another program has it open")
    }
  }

  /// Throws if a non-empty log or journal exists beside `path`.
  package static func checkIsAlone(_ path: String) throws(DecantError) {
    for ending in ["-wal", "-journal"] {
      let left = try explaining { () throws(SystemError) in
        try FileStatus.look(at: path + ending)
      }
      guard let left, left.byteCount > 0 || !left.isFile else { continue }
      throw DecantError(
        .placeOccupied,
        "“\(path)\(ending)” is where another file must go",
        place: "SQLite would treat it as part of that file",
        remedy: "move it away; if it belongs to a store you still need, restore both together"
      )
    }
  }
}
