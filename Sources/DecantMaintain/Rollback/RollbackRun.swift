internal import DecantPlan
internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// One run of a rollback: look, check the backup, hold both files, exchange their names.
///
/// A kill at any moment leaves one of the two at the place, whole, and the other as the backup.
struct RollbackRun {
  private let location: StoreLocation
  private let recogniser: any StoreRecogniser
  private let cancellation: Cancellation
  /// The store's file, where its name is a link.
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
      // What was changed after it is to be taken back itself.
      case .done(let backup, .rollback) where try latestBackup() == backup:
        var report = try settledReport(.exchanged, RollbackRun.completed)
        (report.putBack, report.backup) = (backup, backup)
        return report
      case .done(let backup, let work):
        settled = ReportNote(
          .completed,
          "an interrupted \(work.rawValue) had put a new store in its place; that store is now “\(backup)”"
        )
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

  /// What there is to say where nothing was left to do but to settle an interrupted run.
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

  /// Ends a run that gave the backup the name of the store in two steps, and was interrupted between them.
  private func namedReport(_ backup: String) throws(DecantError) -> RollbackReport {
    var report = try settledReport(.placed, RollbackRun.completed)
    try explaining { () throws(SystemError) in
      try Files.syncFolder(Files.folder(of: file))
      try Files.remove(backup)
    }
    report.putBack = backup
    return report
  }

  /// The latest backup beside the store's file.
  private func latestBackup() throws(DecantError) -> String? {
    try explaining { () throws(SystemError) in try Backups(of: file).latestName() }
  }

  /// Returns what there is to say where nothing can be put back.
  ///
  /// - Throws: `DecantError` where there is no store either.
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

  /// Runs `body`; a request to stop in it leaves everything as it was.
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

  /// Exchanges the names of store and backup.
  private func exchange(with backup: String, _ report: inout RollbackReport) throws(DecantError) {
    let folder = try WorkFolder(for: file)
    let exchange = folder.exchange(.rollback, backup: String(backup.dropFirst(file.count)))
    do throws(DecantError) {
      let done = try StoreReplacement(exchange: exchange, place: place, folders: nil).run(in: nil)
      report.outcome = .exchanged
      report.backup = done.backup
      report.notes += done.notes
    } catch {
      // What cannot be settled now the next run settles.
      if (try? exchange.settle()) != nil { try? folder.remove() }
      throw error
    }
    do throws(DecantError) { try folder.remove() } catch { report.notes.append(ReportNote(.notRemoved, error.what)) }
  }

  /// Gives the backup the name of a store that is not there.
  private func put(_ backup: String, _ report: inout RollbackReport) throws(DecantError) {
    guard FileStatus(unfollowed: place) == nil else {
      throw DecantError(
        .invalidPlace,
        "“\(place)” is a broken symbolic link",
        remedy: "remove the link, or name its intended target"
      )
    }
    // Whoever put it there may not have synced it.
    try explaining { () throws(SystemError) in try Files.sync(backup) }
    let held = try ExclusiveFile(backup, place: backup)
    defer { held.release() }
    try ExclusiveFile.checkIsAlone(place)
    let wanted = FileStatus(backup)
    do throws(SystemError) {
      try Files.publishDurably(backup, at: place)
    } catch {
      var told = DecantError(error)
      // A call that fails may have done its work.
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
