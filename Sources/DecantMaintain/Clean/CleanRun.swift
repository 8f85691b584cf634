internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// One run of a cleaning: examine, copy, remove from the copy, vacuum into a new file, verify, swap the files' names.
///
/// If it is cancelled or killed at any moment, the store is either unchanged or cleaned. The cleaned store is a new
/// file, which never contained the removed data; the previous file is the backup.
final class CleanRun {
  private let clean: Clean
  private let store: any CleanableStore
  private let kinds: [String]
  private let cancellation: Cancellation
  /// The store's file; if its name is a link, the target.
  private let file: String
  private var place: String { store.identity.place }

  init(_ clean: Clean, _ store: any CleanableStore, _ kinds: [String], _ cancellation: Cancellation) {
    self.clean = clean
    self.store = store
    self.kinds = kinds
    self.cancellation = cancellation
    file = Files.target(of: store.path)
  }

  func run(_ tell: (WorkEvent) -> Void) throws(DecantError) -> CleanReport {
    tell(.began(.read))
    let settled = clean.isDryRun ? nil : try settle()
    var report = try firstLook()
    if !report.isEmpty {
      try StoreReplacement.checkCanReplace(file, place: place, remedy: "clean a copy of it, and replace it by that")
    }
    if clean.isDryRun { report.notes = WorkFolder.notes(on: file) + report.notes }
    if !clean.isDryRun, !report.isEmpty {
      // The copy with its log, and the new store made from it; the previous store is kept.
      let copied = DatabaseFile.status(of: file).reduce(0) { $0 + ($1?.byteCount ?? 0) }
      try Files.checkRoom(
        for: report.byteCountBefore + copied,
        beside: file,
        "cleaning needs up to",
        remedy: "free some space, or move the store to another disk"
      )
      let folder = try WorkFolder(for: file)
      do throws(DecantError) { report = try change(folder, tell) } catch { throw left(folder, error) }
      // The store is in place; if the folder remains, the next run removes it.
      do throws(DecantError) { try folder.remove() } catch { report.notes.append(ReportNote(.notRemoved, error.what)) }
    }
    report.notes = [settled].compactMap(\.self) + report.notes
    return report
  }

  /// Completes or undoes an interrupted cleaning.
  private func settle() throws(DecantError) -> ReportNote? {
    switch try WorkFolder.settle(file, of: .clean, completing: nil) {
    case .none:
      return nil
    case .undone:
      return ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted run")
    case .done(let backup, _):
      let previous = backup.map { "; the previous store: \($0)" } ?? ""
      return ReportNote(.completed, "completed an interrupted run\(previous)")
    }
  }

  /// Examines the store without opening it for writing, so that nothing changes if there is nothing to remove.
  private func firstLook() throws(DecantError) -> CleanReport {
    let file = try DatabaseFile.open(store.path)
    let connection = try connection(file.uri, .readOnly)
    var report = try look(connection)
    // Checked before the store is locked, as not even the journal mode of a damaged store may be changed.
    try StructureCheck(of: "main", on: connection).run(.quick, place: place)
    report.isDryRun = clean.isDryRun
    report.notes = file.notes + report.notes
    return report
  }

  /// Determines what to remove; throws if the store cannot be cleaned in its present state.
  private func look(_ connection: Connection) throws(DecantError) -> CleanReport {
    let (byteCount, freeCount) = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      (
        (try connection.integer("PRAGMA main.page_count") ?? 0)
          * (try connection.integer("PRAGMA main.page_size") ?? 0),
        try connection.integer("PRAGMA main.freelist_count") ?? 0
      )
    }
    let removals = try store.removals(of: kinds, on: connection).filter { !$0.isEmpty }
    try Dependents(dropped: removals.flatMap { $0.layer.tables.map(\.name) }).check(on: connection, place: place)
    var report = CleanReport(store: store.identity, kinds: kinds, removed: removals, byteCount: byteCount)
    report.freePageCount = freeCount
    report.notes = try store.notes(on: removals, connection)
    return report
  }

  private func change(_ folder: WorkFolder, _ tell: (WorkEvent) -> Void) throws(DecantError) -> CleanReport {
    let copy = "\(folder.path)/clean-copy.sqlite"
    let made = WorkFolder.made(by: .clean, of: file)
    try DatabaseFile.recover(file)
    tell(.began(.duplicate))
    let lock = try ExclusiveLock.copying(file, place: place, to: copy) { done, all in
      tell(
        .progress(
          WorkProgress(
            phase: .duplicate, step: "", rowCount: 0, expectedRowCount: 0, byteCount: done, expectedByteCount: all)))
      return !cancellation.isCancelled
    }
    var (report, fingerprint) = try prove(made, of: copy, tell)
    guard !report.isEmpty else { return report }
    try explaining { () throws(SystemError) in try Files.syncInPieces(made) }
    try cancellation.check()
    tell(.began(.publish))
    lock.release()
    let exchange = folder.exchange(.clean, keepsBackup: clean.keepsBackup)
    let done = try StoreReplacement(exchange: exchange, place: place, folders: nil).run(in: fingerprint)
    report.isVerified = true
    report.byteCountAfter = FileStatus(file)?.byteCount ?? 0
    report.notes += done.notes
    report.backup = done.backup
    return report
  }

  /// Makes the cleaned store at `made` from the copy, and proves it against the locked store.
  ///
  /// - Returns: The report, which is empty if another program removed the same meanwhile, and the state of the store.
  private func prove(_ made: String, of copy: String, _ tell: (WorkEvent) -> Void) throws(DecantError)
    -> (CleanReport, String)
  {
    let original = try connection(DatabaseFile.uri(of: file, "mode=ro"), .readOnly)
    // The store may have changed before it was locked, so it is examined again.
    let report = try look(original)
    let fingerprint = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try Fingerprint(of: "main", on: original).description
    }
    guard !report.isEmpty else { return (report, fingerprint) }
    let proof = CleanProof(
      place: place,
      rows: KeptRows(
        parts: store.keptParts(under: report.removed),
        dropped: report.removed.flatMap { $0.layer.tables.map(\.name) }
      )
    )
    tell(.began(.resolve))
    let before = try proof.sums(on: original) { tell(.share($1, of: .resolve, $0)) }
    tell(.began(.copy))
    try vacuum(copy, without: report.removed, into: made)
    tell(.began(.check))
    let cleaned = try connection(DatabaseFile.uri(of: made, "mode=ro"), .readOnly)
    try proof.check(before, on: cleaned) { tell(.share($1, of: .check, $0)) }
    guard try store.removals(of: kinds, on: cleaned).allSatisfy(\.isEmpty) else {
      throw proof.failure("something of what was to be removed is still there")
    }
    return (report, fingerprint)
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

  /// Removes the metadata from the copy, and writes the rest to a new file.
  private func vacuum(_ copy: String, without removals: [SyncMetadataRemoval], into made: String) throws(DecantError) {
    let connection = try connection(DatabaseFile.uri(of: copy, "mode=rw"), .readWrite)
    try explaining("cannot clean a copy of “\(place)”") { () throws(SQLiteError) in
      // Only this run reads the copy, and its log stays one; the new file is synced at the end.
      try connection.setCheckpointsOnClose(false)
      try connection.run("PRAGMA main.wal_autocheckpoint = 0")
      try connection.run("PRAGMA main.synchronous = OFF")
      try connection.run("BEGIN")
    }
    try store.remove(removals, on: connection)
    try explaining { () throws(SystemError) in try Files.makeEmpty(made, mode: 0o600) }
    try explaining("cannot write the cleaned store at “\(made)”") { () throws(SQLiteError) in
      try connection.run("COMMIT")
      try connection.vacuum("main", into: made)
    }
  }

  /// Removes the intermediate files, and returns the error.
  private func left(_ folder: WorkFolder, _ error: DecantError) -> DecantError {
    // The next run removes what remains; the original error is the one to report.
    try? folder.remove()
    guard error.family == .interrupted else { return error }
    return DecantError(
      .interrupted,
      "the cleaning was interrupted",
      place: "“\(place)” is unchanged",
      remedy: .again,
      cause: error
    )
  }
}

extension WorkEvent {
  /// The completed share of `phase`, whose current table is `table`.
  fileprivate static func share(_ share: Double, of phase: Phase, _ table: String) -> WorkEvent {
    .progress(
      WorkProgress(phase: phase, step: table, rowCount: 0, expectedRowCount: 0, byteCount: 0, timeShare: share))
  }
}
