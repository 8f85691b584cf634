package import DecantBase
package import DecantSQLite

/// A store that is changed in place: its lock and its backup.
package struct StoreLock {
  /// The store's file.
  package let path: String
  /// The place as the user named it.
  package let place: String

  package init(path: String, place: String) {
    (self.path, self.place) = (path, place)
  }

  /// Locks the store that `connection` has open as `main`, until the connection closes.
  func take(_ connection: Connection) throws(DecantError) {
    try refusing { () throws(SQLiteError) in
      // In this mode the lock outlasts transactions, and excludes connections that only wait.
      _ = try connection.text("PRAGMA main.locking_mode = EXCLUSIVE")
      try connection.run("PRAGMA main.synchronous = FULL")
      try connection.run("BEGIN EXCLUSIVE")
      try connection.run("COMMIT")
    }
  }

  /// Copies the current store to a backup beside it, and returns its path.
  ///
  /// The latest backup has the highest number. A name with a log or a journal beside it is not used: it would hide the
  /// content of the backup from its reader.
  ///
  /// The copy gets its name only when it is complete; the next backup removes an incomplete one. It has the owner, the
  /// permissions and the extended attributes of the store.
  func makeBackup(_ connection: Connection) throws(DecantError) -> String {
    let name = try Backups(of: Files.target(of: path)).nextName()
    let partial = name + Backups.partial
    // With the permissions of the store from the beginning.
    let mode = FileStatus(path)?.permissions ?? 0o600
    do throws(SystemError) {
      // SQLite would treat a leftover journal or log as part of the new file.
      for suffix in [""] + Backups.companions { try Files.remove(partial + suffix) }
      try Files.makeEmpty(partial, mode: mode)
    } catch {
      throw DecantError(error)
    }
    var isNamed = false
    do throws(DecantError) {
      try explaining("cannot create the backup “\(name)”") { () throws(SQLiteError) in
        try connection.vacuum("main", into: partial)
      }
      do throws(SystemError) {
        if let status = FileStatus(path) {
          _ = try Files.give(partial, to: status)
          try Files.giveAttributes(partial, of: path)
        }
        try Files.syncInPieces(partial)
        try Files.publish(partial, at: name)
        isNamed = true
        try Files.syncFolder(Files.folder(of: name))
      } catch {
        throw DecantError(error)
      }
    } catch {
      // An incomplete backup must not remain; failing to remove it is no worse than the reported error.
      for suffix in [""] + Backups.companions { try? Files.remove(partial + suffix) }
      if isNamed { try? Files.remove(name) }
      var error = error
      error.advice = error.advice ?? "nothing was changed: check the disk, then \(.again)"
      throw error
    }
    return name
  }

  /// Returns whether the store was removed or replaced while it is being changed.
  ///
  /// SQLite reports an inaccessible file as moved; here that is an error.
  func hasGone(_ connection: Connection) throws(SystemError) -> Bool {
    guard connection.hasMoved else { return false }
    _ = try FileStatus.look(at: path)
    return connection.hasMoved
  }

  /// Throws if the store was removed or replaced while it is being changed.
  func checkIsThere(_ connection: Connection) throws(DecantError) {
    do throws(SystemError) {
      guard try hasGone(connection) else { return }
    } catch {
      throw DecantError(error)
    }
    throw DecantError(
      .fileChanged,
      "“\(place)” was removed or replaced while it was being changed",
      remedy: "the file there now is not the one decant changed: do not touch the file while decant runs"
    )
  }

  /// Runs `body`; throws an error that says so if another process has the store locked.
  func refusing(_ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    do throws(SQLiteError) { try body() } catch { throw refusal(error) }
  }

  /// Returns the meaning of an error that occurred while locking the store, or beginning or ending a transaction.
  package func refusal(_ error: SQLiteError) -> DecantError {
    guard error.isBusy else { return DecantError("cannot write “\(place)”", cause: error) }
    let holders = LockHolders(ofDatabase: path)
    return DecantError(
      .storeLocked,
      "“\(place)” is in use by another process",
      place: holders.text.map { DecantError.Text($0) },
      remedy: "close the program that has it open, then \(.again)",
      remedies: holders.remedies,
      cause: error
    )
  }
}
