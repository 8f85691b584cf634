package import DecantBase
package import DecantSQLite

/// A store that is changed in place: how nobody else touches it meanwhile, and how it is backed up.
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
      // In this mode the lock outlasts transactions, and shuts out connections that only wait.
      _ = try connection.text("PRAGMA main.locking_mode = EXCLUSIVE")
      try connection.run("PRAGMA main.synchronous = FULL")
      try connection.run("BEGIN EXCLUSIVE")
      try connection.run("COMMIT")
    }
  }

  /// Makes a copy of the store as it is, beside its file, and returns its place.
  ///
  /// The latest backup has the highest number. A name beside which a log or a journal lies is left alone:
  /// whoever opened the backup would see what that holds instead.
  ///
  /// The copy has its name only when it is whole: what a kill leaves has another and is cleared by the
  /// next backup.
  func makeBackup(_ connection: Connection) throws(DecantError) -> String {
    let name = try Backups(of: Files.target(of: path)).nextName()
    let partial = name + ".decant-partial"
    // As private as the store itself, from the first byte on.
    let mode = FileStatus(path)?.permissions ?? 0o600
    do throws(SystemError) {
      // SQLite would take a journal or a log that was left for a part of the new file.
      for suffix in [""] + Backups.companions { try Files.remove(partial + suffix) }
      try Files.makeEmpty(partial, mode: mode)
    } catch {
      throw DecantError(error)
    }
    var isNamed = false
    do throws(DecantError) {
      try explaining("cannot create the backup “\(name)”") { () throws(SQLiteError) in
        // It prefers SQLite's own JSON functions, which are marked as unsafe though they are not.
        try connection.setSchemasTrusted(true)
        try connection.run("VACUUM main INTO ?1", .text(DatabaseFile.uri(of: partial, "mode=rw")))
        try connection.setSchemasTrusted(false)
      }
      do throws(SystemError) {
        try Files.sync(partial)
        try Files.publish(partial, at: name)
        isNamed = true
        try Files.syncFolder(Files.folder(of: name))
      } catch {
        throw DecantError(error)
      }
    } catch {
      // Half a backup must not lie about; that it stays is no worse than the failure that is told.
      for suffix in [""] + Backups.companions { try? Files.remove(partial + suffix) }
      if isNamed { try? Files.remove(name) }
      var error = error
      error.advice = error.advice ?? "nothing was changed: check the disk, then \(.again)"
      throw error
    }
    return name
  }

  /// Whether the store that is being changed was removed, or another put in its place.
  ///
  /// SQLite takes a file that cannot be looked at for one that has moved; here that is an error.
  func hasGone(_ connection: Connection) throws(SystemError) -> Bool {
    guard connection.hasMoved else { return false }
    _ = try FileStatus.look(at: path)
    return connection.hasMoved
  }

  /// Throws if the store that is being changed was removed, or another put in its place.
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

  /// Runs `body`; where the store is held by another process, says so.
  func refusing(_ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    do throws(SQLiteError) { try body() } catch { throw refusal(error) }
  }

  /// What an error means that came up when the store was to be locked, or a transaction to be begun or ended.
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
