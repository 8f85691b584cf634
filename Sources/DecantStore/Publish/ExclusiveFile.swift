package import DecantBase
package import DecantSQLite

/// A database that is one file and nothing beside it, and that nobody else reads or writes meanwhile.
///
/// Only such a file may get another name. Whatever its log or journal held is in it, and it says of
/// itself that it has none: so nobody who still has it open under the old name looks for one there.
package final class ExclusiveFile {
  private var connection: Connection?
  private let lock: StoreLock
  /// Whether it kept a write-ahead log.
  let hadLog: Bool
  /// Whether the connection is somebody else's, who goes on with it.
  private let isLent: Bool

  /// Has SQLite take everything into the file at `path`, and holds it until `release`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - place: What to call it in errors.
  ///   - fingerprint: The state it must still be in, where that matters.
  /// - Throws: `DecantError` of the family `.storeBusy` while another process has it open, or has written to it.
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
      if let fingerprint {
        guard try Fingerprint(of: "main", on: connection).description == fingerprint else {
          throw SQLiteError(code: SQLiteError.busyCode, message: "another program wrote to it meanwhile")
        }
      }
      hadLog = try connection.text("PRAGMA main.journal_mode") == "wal"
      // The log's last user has SQLite take it into the file, and remove it.
      _ = try connection.text("PRAGMA main.journal_mode = DELETE")
      try connection.run("BEGIN EXCLUSIVE")
      // A journal that is void may lie there still; on the way from here it is removed.
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

  /// Holds the database at `path`, which nobody but `connection` has open, and only as `main`.
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

  /// Lets others have it.
  package func release() {
    // Nothing was written in the transaction; should it not end, closing the connection ends it.
    if isLent { try? connection?.run("COMMIT") }
    connection = nil
  }

  /// Has the database at `path` keep a write-ahead log again, as it did until it was held.
  ///
  /// - Returns: What a reader should know where that failed.
  static func giveLog(_ path: String) -> ReportNote? {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 2_000)
      _ = try connection.text("PRAGMA main.journal_mode = WAL")
      return nil
    } catch {
      // Somebody was quick to open it. Core Data sets the mode it wants by itself.
      return ReportNote(.journalMode, "could not restore its journal mode, wal: \(error.message)")
    }
  }

  /// Throws if the file is no longer at its place.
  func checkIsThere() throws(DecantError) {
    if let connection { try lock.checkIsThere(connection) }
  }

  /// Throws if anybody has the file open, be it without a lock: under the old name they would go on with
  /// what lies elsewhere by then.
  package static func checkIsClosed(_ path: String, _ lock: StoreLock) throws(DecantError) {
    // Who only looked at it is gone in a moment.
    for attempt in 1...6 {
      guard try explaining({ () throws(SystemError) in try Files.isOpen(path) }) else { return }
      if attempt < 6 { Files.pause(milliseconds: 100) }
    }
    try lock.refusing { () throws(SQLiteError) in
      throw SQLiteError(code: SQLiteError.busyCode, message: "another program has it open")
    }
  }

  /// Throws if a log or a journal with content lies beside `path`.
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
