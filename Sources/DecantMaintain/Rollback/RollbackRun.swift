internal import DecantPlan
internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// One run of a rollback: examine, check the backup, lock both files, swap their names.
///
/// A kill at any moment leaves one of the two complete at the store's place, and the other as the backup.
struct RollbackRun {
  private let location: StoreLocation
  private let recogniser: any StoreRecogniser
  private let cancellation: Cancellation
  /// The store's file; if the given name is a link, its target.
  let file: String

  var place: String { location.place }

  init(_ location: StoreLocation, _ recogniser: any StoreRecogniser, _ cancellation: Cancellation) {
    self.location = location
    self.recogniser = recogniser
    self.cancellation = cancellation
    file = Files.target(of: location.place)
  }

  func run(_ tell: (WorkEvent) -> Void) throws(DecantError) -> RollbackReport {
    let folder = FileStatus(Files.folder(of: place))
    guard !place.isEmpty, place != "-", folder?.isFolder == true else { throw try nothing() }
    let store = try explaining { () throws(SystemError) in
      try FileStatus.look(at: place, followsLinks: true)
    }
    var settled: ReportNote?
    if store != nil {
      switch try WorkFolder.settle(file, completing: nil) {
      case .none, .undone(.rollback): break
      case .undone:
        return try settledReport(.undone, ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted run"))
      // Otherwise a later change is the one to roll back.
      case .done(let backup?, .rollback) where try latestBackup() == backup:
        var report = try settledReport(.exchanged, RollbackRun.completed)
        (report.putBack, report.backup) = (backup, backup)
        return report
      case .done(let backup, let work):
        let former = backup.map { "; the previous store: “\($0)”" } ?? ""
        settled = ReportNote(.completed, "an interrupted \(work.rawValue) had put a new store in its place\(former)")
      }
    }
    guard let backup = try latestBackup() else { throw try nothing() }
    if store?.isSame(as: backup) == true { return try namedReport(backup) }
    let check = BackupCheck(backup: backup, recogniser: recogniser, cancellation: cancellation)
    var report = try checked { () throws(DecantError) -> RollbackReport in
      var found = try check.run(tell)
      if store != nil { found.notes += try check.notes(replacing: location, found.identity) }
      return begunReport(found, backup)
    }
    tell(.began(.publish))
    if store != nil {
      try exchange(with: backup, &report)
    } else {
      try put(backup, &report)
    }
    report.notes += [settled].compactMap(\.self)
    return report
  }

  private static let completed = ReportNote(.completed, "completed an interrupted rollback")

  /// Returns the report if only an interrupted run had to be settled.
  private func settledReport(_ outcome: RollbackReport.Outcome, _ note: ReportNote) throws(DecantError)
    -> RollbackReport
  {
    let kind = try recogniser.kind(of: StoreLocation(place: place))
    var report = RollbackReport(
      store: try recogniser.identity(of: StoreLocation(kind: kind, place: place)),
      outcome: outcome
    )
    report.notes = [note]
    return report
  }

  /// Completes a run that was interrupted between the two steps of giving the backup the store's name.
  private func namedReport(_ backup: String) throws(DecantError) -> RollbackReport {
    var report = try settledReport(.placed, RollbackRun.completed)
    try explaining { () throws(SystemError) in
      try Files.syncFolder(Files.folder(of: file))
      try Files.remove(backup)
    }
    report.putBack = backup
    return report
  }

  /// Returns the latest backup next to the store's file.
  private func latestBackup() throws(DecantError) -> String? {
    try explaining { () throws(SystemError) in try Backups(of: file).latestName() }
  }

  /// Returns the error that there is nothing to restore.
  ///
  /// - Throws: `DecantError` if there is no store either.
  private func nothing() throws(DecantError) -> DecantError {
    _ = try recogniser.kind(of: location)
    return DecantError(
      .noBackup,
      "there is nothing to restore: “\(place)” has no backup",
      place: "the first would be “\(Backups(of: file).name(1))”",
      remedy:
        "migrate, clean and copy \(option: .commit, "batch") make one, and copy \(option: .append) \(option: .backup)"
    )
  }

  /// Runs `body`; cancelling it leaves everything unchanged.
  private func checked<Result>(_ body: () throws(DecantError) -> Result) throws(DecantError) -> Result {
    do throws(DecantError) {
      let result = try body()
      if !cancellation.isCancelled { return result }
    } catch {
      guard error.family == .interrupted else { throw error }
    }
    throw DecantError(
      .interrupted,
      "the rollback was interrupted",
      place: "“\(place)” is unchanged",
      remedy: .again
    )
  }

  // MARK: Names

  /// Swaps the names of store and backup.
  private func exchange(with backup: String, _ report: inout RollbackReport) throws(DecantError) {
    let folder = try WorkFolder(for: file)
    let exchange = folder.exchange(.rollback, backup: String(backup.dropFirst(file.count)))
    do throws(DecantError) {
      let done = try StoreReplacement(exchange: exchange, place: place, folders: nil).run(in: nil)
      report.outcome = .exchanged
      report.backup = done.backup
      report.notes += done.notes
    } catch {
      // If it cannot be settled now, the next run does so.
      if (try? exchange.settle()) != nil { try? folder.remove() }
      throw error
    }
    do throws(DecantError) { try folder.remove() } catch { report.notes.append(ReportNote(.notRemoved, error.what)) }
  }

  /// Gives the backup the name of a missing store.
  private func put(_ backup: String, _ report: inout RollbackReport) throws(DecantError) {
    guard FileStatus(unfollowed: place) == nil else {
      throw DecantError(
        .invalidPlace,
        "“\(place)” is a broken symbolic link",
        remedy: "remove the link, or name its intended target"
      )
    }
    // The backup may have been put there without being synced.
    try explaining { () throws(SystemError) in try Files.sync(backup) }
    let held = try ExclusiveFile(backup, place: backup)
    defer { held.release() }
    try ExclusiveFile.checkIsAlone(place)
    let wanted = FileStatus(backup)
    do throws(SystemError) {
      try Files.publishDurably(backup, at: place)
    } catch {
      var told = DecantError(error)
      // A call may have succeeded even if it reports an error.
      told.tell(
        wanted?.isSame(as: place) == true
          ? "“\(place)” was restored anyway, but the disk did not confirm it"
          : "“\(place)” does not exist yet"
      )
      throw told
    }
  }

  private func begunReport(_ found: BackupCheck.Finding, _ backup: String) -> RollbackReport {
    var report = RollbackReport(store: found.identity, outcome: .placed)
    report.store.place = place
    report.putBack = backup
    report.writtenDate = found.writtenDate
    report.notes = found.notes
    return report
  }
}
