internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// One run of a cleaning: examine, lock, back up, remove, vacuum, prove.
///
/// A kill at any moment leaves the store either as it was or cleaned. Deleted data is overwritten in the transaction
/// that deletes it, so that nothing of it stays readable even if the vacuum never runs. The next run makes up for a
/// missing vacuum: free pages are reason enough for one.
final class CleanRun {
  private let clean: Clean
  private let store: any CleanableStore
  private let kinds: [String]
  private let cancellation: Cancellation

  init(_ clean: Clean, _ store: any CleanableStore, _ kinds: [String], _ cancellation: Cancellation) {
    self.clean = clean
    self.store = store
    self.kinds = kinds
    self.cancellation = cancellation
  }

  func run(_ tell: (WorkEvent) -> Void) throws(DecantError) -> CleanReport {
    tell(.began(.read))
    let report = try firstLook()
    return clean.isDryRun || report.isEmpty ? report : try change(tell)
  }

  /// Examines the store without opening it for writing, so that nothing changes if there is nothing to remove.
  private func firstLook() throws(DecantError) -> CleanReport {
    let file = try DatabaseFile.open(store.path)
    let connection = try connection(file.uri, .readOnly)
    var report = try look(connection)
    // Checked before the store is opened for writing: of a damaged store not even the journal mode is changed.
    try StructureCheck(of: "main", on: connection).run(.quick, place: store.identity.place)
    report.isDryRun = clean.isDryRun
    report.notes = file.notes + report.notes
    return report
  }

  /// Finds out what to remove; throws if the store cannot be cleaned in its present state.
  private func look(_ connection: Connection) throws(DecantError) -> CleanReport {
    let (byteCount, freeCount) = try reading { () throws(SQLiteError) in
      (
        (try connection.integer("PRAGMA main.page_count") ?? 0)
          * (try connection.integer("PRAGMA main.page_size") ?? 0),
        try connection.integer("PRAGMA main.freelist_count") ?? 0
      )
    }
    let removals = try store.removals(of: kinds, on: connection).filter { !$0.isEmpty }
    try Dependents(dropped: removals.flatMap { $0.layer.tables.map(\.name) })
      .check(on: connection, place: store.identity.place)
    var report = CleanReport(store: store.identity, kinds: kinds, removed: removals, byteCount: byteCount)
    report.freePageCount = freeCount
    report.notes = try store.notes(on: removals, connection)
    return report
  }

  private func change(_ tell: (WorkEvent) -> Void) throws(DecantError) -> CleanReport {
    let change = InPlaceChange(
      of: store.path,
      place: store.identity.place,
      InPlaceChange.Words(done: "is cleaned", stopped: "the cleaning was interrupted")
    )
    do throws(DecantError) { return try run(change, tell) } catch { throw change.settle(error) }
  }

  private func run(_ change: InPlaceChange, _ tell: (WorkEvent) -> Void) throws(DecantError) -> CleanReport {
    let connection = try connection(DatabaseFile.uri(of: store.path, "mode=rw"), .readWrite)
    try change.lock(connection)
    // The store may have changed before the lock was taken, so it is examined again.
    var report = try look(connection)
    guard !report.isEmpty else { return report }
    // Room for the backup, and for the vacuum a second copy plus the replaced pages in the journal.
    let needed = report.byteCountBefore * (clean.keepsBackup ? 3 : 2)
    try Files.checkRoom(
      for: needed,
      beside: store.path,
      "cleaning needs up to",
      remedy: "free some space, or move the store to another disk"
    )
    let mode = try rollbackMode(connection)
    let proof = CleanProof(
      place: store.identity.place,
      rows: KeptRows(
        parts: store.keptParts(under: report.removed),
        dropped: report.removed.flatMap { $0.layer.tables.map(\.name) }
      )
    )
    let before: [String: RowHash.Sum]
    tell(.began(.resolve))
    do throws(DecantError) {
      before = try proof.sums(on: connection)
      if clean.keepsBackup { try change.makeBackup(connection) }
      report.backup = change.backup
      tell(.began(.copy))
      try remove(report.removed, proof, before, change, on: connection)
    } catch {
      // Restoring the store must not be stopped as well.
      connection.setProgressCheck(nil)
      // If the rollback fails, the next connection rolls the journal back.
      if !connection.isAutocommit { try? connection.run("ROLLBACK") }
      try? release(connection, mode)
      throw error
    }
    // From here on the store is cleaned; a request to stop only ends the vacuum or the proof.
    do throws(DecantError) {
      // Restoring the journal mode must not be stopped as well.
      defer { connection.setProgressCheck(nil) }
      try vacuum(connection)
      tell(.began(.check))
      try change.checkIsThere(connection)
      try proof.check(before, on: connection, backup: report.backup)
      report.isVerified = true
    } catch {
      // The original error matters; an empty journal left behind does not.
      try? release(connection, mode)
      throw error.family == .interrupted ? interruptedAfterCommit(report.backup, error) : error
    }
    do throws(DecantError) {
      try release(connection, mode)
    } catch {
      // Another process opened it. Core Data sets the mode it needs by itself.
      report.notes.append(ReportNote(.journalMode, "could not restore its journal mode, \(mode): \(error.message)"))
    }
    report.byteCountAfter = FileStatus(store.path)?.byteCount ?? 0
    return report
  }

  private func connection(_ uri: String, _ mode: Connection.Mode) throws(DecantError) -> Connection {
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(uri, mode: mode)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.takeCacheForWriting()
      try connection.setTriggersEnabled(false)
      connection.setProgressCheck(StopCheck(cancellation))
    } catch {
      throw DecantError(opening: store.path, error)
    }
    try store.prepare(connection)
    return connection
  }

  /// Switches to a rollback journal that is truncated at every commit; returns the store's former mode.
  ///
  /// A write-ahead log and the file under it would keep deleted data until a checkpoint. Under this lock a journal in
  /// DELETE mode is only marked as finished.
  private func rollbackMode(_ connection: Connection) throws(DecantError) -> String {
    try explaining("cannot empty the log of “\(store.identity.place)”") {
      () throws(SQLiteError) in
      let mode = try connection.text("PRAGMA main.journal_mode") ?? "delete"
      let now = try connection.text("PRAGMA main.journal_mode = TRUNCATE")
      guard now == "truncate" else {
        throw SQLiteError(code: SQLiteError.busyCode, message: "its journal mode is \(now ?? "?")")
      }
      return mode
    }
  }

  private func remove(
    _ removals: [SyncMetadataRemoval],
    _ proof: CleanProof,
    _ before: [String: RowHash.Sum],
    _ change: InPlaceChange,
    on connection: Connection
  ) throws(DecantError) {
    try explaining("cannot begin to clean “\(store.identity.place)”") { () throws(SQLiteError) in
      _ = try connection.integer("PRAGMA main.secure_delete = ON")
    }
    try change.begin(connection)
    try store.remove(removals, on: connection)
    try proof.check(before, on: connection, backup: nil)
    try stopIfAsked()
    try change.commit(connection) { [self] connection throws(SQLiteError) in
      do throws(DecantError) {
        try store.prepare(connection)
        return try store.removals(of: kinds, on: connection).allSatisfy(\.isEmpty)
      } catch {
        throw error.cause as? SQLiteError
          ?? SQLiteError(code: SQLiteError.internalCode, message: error.message)
      }
    }
  }

  /// Vacuums the store.
  ///
  /// A request to stop ends it while SQLite builds the new content. While SQLite writes that content back, which takes as
  /// long as writing the file, the request waits.
  private func vacuum(_ connection: Connection) throws(DecantError) {
    do throws(SQLiteError) {
      try connection.run("VACUUM main")
    } catch {
      try stopIfAsked()
      throw DecantError(
        .completedPartly,
        "“\(store.identity.place)” is cleaned, but could not be vacuumed: \(error.message)",
        place: "the removed data is overwritten; data deleted earlier may still be readable",
        remedy: "free some space, then run: sqlite3 \(store.identity.place) VACUUM",
        cause: error
      )
    }
  }

  /// Returns the error of a run that was stopped after its commit.
  private func interruptedAfterCommit(_ backup: String?, _ cause: DecantError) -> DecantError {
    var error = DecantError(
      .interrupted,
      "the cleaning was interrupted after its commit",
      place: "“\(store.identity.place)” is cleaned, but was not checked; data deleted earlier may still be readable",
      remedy: "clean it again, which also vacuums it",
      cause: cause
    )
    if let backup { error.tell("the previous store: \(backup)") }
    return error
  }

  /// Restores the store's journal mode, and leaves no journal behind.
  private func release(_ connection: Connection, _ mode: String) throws(DecantError) {
    try explaining("cannot finish “\(store.identity.place)”") { () throws(SQLiteError) in
      // The first read releases the lock; the journal file can be removed only without the lock.
      _ = try connection.text("PRAGMA main.locking_mode = NORMAL")
      _ = try connection.integer("SELECT count(*) FROM main.sqlite_schema")
      _ = try connection.text("PRAGMA main.journal_mode = DELETE")
      guard mode == "wal" else { return }
      _ = try connection.text("PRAGMA main.journal_mode = WAL")
      try connection.run("PRAGMA main.wal_checkpoint(TRUNCATE)")
    }
  }

  private func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot read “\(store.identity.place)”", body)
  }

  private func stopIfAsked() throws(DecantError) {
    guard cancellation.isCancelled else { return }
    throw DecantError(.interrupted, "the cleaning was interrupted")
  }
}
