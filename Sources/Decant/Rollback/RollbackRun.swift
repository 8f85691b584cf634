internal import SQLite

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

  init(
    _ location: StoreLocation,
    _ recogniser: any StoreRecogniser,
    _ cancellation: Cancellation
  ) {
    self.location = location
    self.recogniser = recogniser
    self.cancellation = cancellation
    file = Files.target(of: location.place)
  }

  func run() throws(DecantError) -> RollbackReport {
    let folder = FileStatus(Files.folder(of: place))
    guard !place.isEmpty, place != "-", folder?.isFolder == true else { throw try nothing() }
    let store = try explaining { () throws(SystemError) in
      try FileStatus.look(at: place, followsLinks: true)
    }
    var settled: String?
    if store != nil {
      if let report = try endedExchange() { return report }
      switch try WorkFolder.settle(file, abandons: true) {
      case .none: break
      case .undone: return try undoneReport()
      case .done(let backup, let work):
        settled =
          "an interrupted \(work.rawValue) had put a new store in its place, which is “\(backup)” now"
      }
    }
    guard let backup = try latestBackup() else { throw try nothing() }
    let check = BackupCheck(backup: backup, recogniser: recogniser, cancellation: cancellation)
    var report = try checked { () throws(DecantError) -> RollbackReport in
      var found = try check.run()
      if store != nil { found.notes += try check.notes(replacing: location, found.identity) }
      return begunReport(found, backup)
    }
    if let store {
      try exchange(store, with: backup, &report)
    } else {
      try put(backup, &report)
    }
    report.notes += [settled].compactMap(\.self)
    return report
  }

  /// What there is to say where a migration was cut off before anything had another name.
  private func undoneReport() throws(DecantError) -> RollbackReport {
    let kind = try recogniser.kind(of: StoreLocation(place: place))
    var report = RollbackReport(
      store: try recogniser.identity(of: StoreLocation(kind: kind, place: place)),
      outcome: .undone
    )
    report.notes = ["what an interrupted run had left is cleared"]
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
      .failed,
      "there is nothing to put back: “\(place)” has no backup",
      place: "the first would be “\(Backups(of: file).name(1))”",
      remedy: "migrate, clean and copy --commit batch make one, and copy --append --backup"
    )
  }

  /// Ends an exchange that an earlier run was cut off in, where the file system needs several steps.
  ///
  /// - Returns: The report of that run, if its backup is in place now.
  private func endedExchange() throws(DecantError) -> RollbackReport? {
    let names = try explaining { () throws(SystemError) in try Backups(of: file).cutOffNames() }
    for name in names {
      // Whoever is at it at this moment holds it.
      let store = try StillFile(file, place: place)
      let isDone = try explaining { () throws(SystemError) in
        try Files.endExchange(file, with: name)
      }
      store.release()
      guard isDone else { continue }
      let kind = try recogniser.kind(of: StoreLocation(place: place))
      var report = RollbackReport(
        store: try recogniser.identity(of: StoreLocation(kind: kind, place: place)),
        outcome: .exchanged
      )
      (report.putBack, report.backup) = (name, name)
      report.notes = ["a run that was cut off had begun it; now it is done"]
      return report
    }
    return nil
  }

  /// Runs `body`; a request to stop in it leaves everything as it was.
  private func checked<Result>(_ body: () throws(DecantError) -> Result) throws(DecantError)
    -> Result
  {
    do throws(DecantError) {
      let result = try body()
      if !cancellation.isCancelled { return result }
    } catch {
      guard error.code == .interrupted else { throw error }
    }
    throw DecantError(
      .interrupted,
      "the rollback was stopped",
      place: "“\(place)” is as it was",
      remedy: "run the same command again"
    )
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
