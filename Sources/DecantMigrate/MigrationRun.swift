internal import DecantBase
internal import DecantCopy
internal import DecantMatch
internal import DecantStore
internal import DecantVersions

/// One run of a migration: settle an earlier run, check, plan, build in a work folder, swap into place.
final class MigrationRun {
  let migration: Migrate
  let cancellation: Cancellation
  let onEvent: (WorkEvent) -> Void
  private let clock = ContinuousClock()

  init(_ migration: Migrate, _ cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void) {
    self.migration = migration
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  func run() throws(DecantError) -> MigrationReport {
    let start = clock.now
    var report = try MigrationPlaces(migration).choose(self)
    let passed = start.duration(to: clock.now).components
    report.seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  /// Migrates the store at `location` where it is.
  func migrateInPlace(_ location: StoreLocation) throws(DecantError) -> MigrationReport {
    let file = Files.resolved(location.place)
    if let table = migration.idTableFile { try IDTableFile(table).checkFolder() }
    let settled = migration.isDryRun ? nil : try settle(file)
    let (check, stages) = try plan(location)
    var report = begin(stages.isEmpty ? .none : .migrated, check, stages)
    report.settled = settled
    guard !stages.isEmpty else {
      if !migration.isDryRun { try WorkFolder.clear(file) }
      return report
    }
    try StoreReplacement.checkCanReplace(
      file,
      place: location.place,
      remedy: "write the result to another file: \(option: .out) NEW"
    )
    if let table = migration.idTableFile { try IDTableFile(table).check() }
    guard !migration.isDryRun else {
      try checkRoom(for: location, stages, beside: file)
      return report
    }
    let folder = try WorkFolder(for: file)
    do throws(DecantError) {
      let hold = try ExclusiveLock(file, place: location.place)
      let made = try copy(known(location, check), stages, check, to: folder.made, folder)
      report.copies = made.copies
      report.notes += made.notes
      if let table = migration.idTableFile {
        try PendingIDTable(folder).write(table, count: stages.count)
      }
      hold.release()
      if cancellation.isCancelled { throw stopped(location) }
      let replaced = try replacement(folder, location).run(in: made.fingerprint)
      report.backup = replaced.backup
      report.notes += replaced.notes
    } catch {
      throw left(folder, error, location)
    }
    // The store is in place; if the folder remains, the next run removes it.
    do throws(DecantError) {
      try PendingIDTable(folder).complete()
      if let table = migration.idTableFile {
        report.copies[report.copies.count - 1].idTableFile = table
      }
      try folder.remove()
    } catch {
      report.notes.append(ReportNote(.notRemoved, error.what))
    }
    report.store.place = location.place
    return report
  }

  /// Creates a store of the requested version at `output` from the one at `location`, which is left alone.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - output: The place for the new store.
  ///   - outcome: The outcome to report.
  ///   - succeeds: Whether the new store replaces the old one and keeps its identity.
  /// - Returns: The report, so far only about the copies.
  /// - Throws: `DecantError`; nothing is created at `output` then.
  func migrate(
    _ location: StoreLocation,
    to output: String,
    as outcome: MigrationReport.Outcome,
    succeeds: Bool
  ) throws(DecantError) -> MigrationReport {
    guard FileStatus(unfollowed: output) == nil else {
      throw DecantError(.alreadyExists, "“\(output)” already exists", remedy: "use a path that does not exist")
    }
    try PartialFile.checkPlace(output)
    if let table = migration.idTableFile { try IDTableFile(table).checkFolder() }
    let origin = Files.resolved(location.place)
    let settled = migration.isDryRun || !succeeds ? nil : try settle(origin)
    let (check, stages) = try plan(location)
    var report = begin(outcome, check, stages)
    report.origin = location.place
    report.store.place = output
    report.settled = settled
    if let table = migration.idTableFile { try IDTableFile(table).check() }
    guard !migration.isDryRun else {
      try checkRoom(for: location, stages, beside: Files.resolved(output), to: output)
      return report
    }
    let status = FileStatus(origin)
    let folder = try WorkFolder(for: Files.resolved(output))
    do throws(DecantError) {
      let hold =
        succeeds ? try ExclusiveLock(Files.resolved(location.place), place: location.place) : nil
      if stages.isEmpty {
        try folder.clear()
        report.copies = [try copyAsItIs(known(location, check), check, to: output, succeeds)]
        report.sourceFingerprint = report.copies[0].sourceFingerprint
      } else {
        let made = try copy(known(location, check), stages, check, to: output, folder, succeeds)
        report.copies = made.copies
        report.notes += made.notes
        report.sourceFingerprint = made.fingerprint
        if let file = migration.idTableFile {
          try IDTableFile(file).write(chain: stages.indices.map { folder.idTable($0 + 1) })
          report.copies[report.copies.count - 1].idTableFile = file
        }
      }
      hold?.release()
    } catch {
      throw left(folder, error, location)
    }
    do throws(DecantError) { try folder.remove() } catch { report.notes.append(ReportNote(.notRemoved, error.what)) }
    report.store.uuid = report.copies.last?.destination.uuid
    if succeeds, let status { try giveRights(of: origin, status, to: output, &report) }
    return report
  }

  /// Returns the store with the kind that was detected.
  ///
  /// Detecting the kind again would open and close the file, which releases every lock that this process has on it.
  private func known(_ location: StoreLocation, _ check: CheckReport) -> StoreLocation {
    StoreLocation(kind: check.store.kind, place: location.place)
  }

  // MARK: Planning

  /// Finds out what the store needs; nothing stays open.
  func plan(_ location: StoreLocation) throws(DecantError) -> (CheckReport, [StagePlan]) {
    let found = try migration.opener.openVersioned(
      location,
      against: migration.wanted,
      through: migration.through,
      model: migration.model
    )
    let check = try Check(location, against: migration.wanted, opener: migration.opener)
      .report(on: found, cancellation)
    let planner = MigrationPlanner(migration: migration, found: found, check: check)
    let stages = try planner.stages()
    if !stages.isEmpty {
      do throws(DecantError) {
        try migration.opener.checkPattern(migration.wanted, isUnversioned: migration.isUnversioned)
      } catch {
        throw advised(error)
      }
      try planner.checkOwnTables(stages)
      try rehearse(StoreLocation(kind: check.store.kind, place: location.place), stages, check)
    }
    return (check, stages)
  }

  /// Returns the error with a remedy that applies to migrations: a new store is created from the requested model.
  private func advised(_ error: DecantError) -> DecantError {
    guard error.advice?.names(.template) == true else { return error }
    var error = error
    error.advice =
      error.remedies.contains(.setOption(.template, nil))
      ? "pass a store of that version with \(say: .to), even an empty one"
      : "remove it from the store first, and create it again afterwards"
    return error
  }

  private func begin(
    _ outcome: MigrationReport.Outcome,
    _ check: CheckReport,
    _ stages: [StagePlan]
  ) -> MigrationReport {
    var report = MigrationReport(outcome, check)
    report.stages = stages.map(\.summary)
    report.isDryRun = migration.isDryRun
    report.notes = check.notes
    onEvent(.stages(report.stages))
    return report
  }

  // MARK: In place

  private func replacement(_ folder: WorkFolder, _ location: StoreLocation) -> StoreReplacement {
    let opener = migration.opener
    let folders = opener.externalFolder(of: folder.made).flatMap { made in
      opener.externalFolder(of: folder.store).map { (made: made, store: $0) }
    }
    return StoreReplacement(exchange: folder.exchange(.migration), place: location.place, folders: folders)
  }

  /// Completes or undoes an interrupted run, and says what was done.
  private func settle(_ file: String) throws(DecantError) -> String? {
    switch try WorkFolder.settle(file, completing: PendingIDTable.complete) {
    case .none: return nil
    case .undone:
      return "an interrupted run had changed nothing; its leftovers were removed"
    case .done(let backup, let work):
      let previous = backup.map { "; the previous store: \($0)" } ?? ""
      return "completed an interrupted \(work.rawValue)\(previous)"
    }
  }

  private func stopped(_ location: StoreLocation) -> DecantError {
    DecantError(
      .interrupted,
      "the migration was interrupted",
      place: "“\(location.place)” is unchanged",
      remedy: .again
    )
  }

  /// Returns the error after removing the work, unless the work can be resumed.
  private func left(_ folder: WorkFolder, _ error: DecantError, _ location: StoreLocation) -> DecantError {
    var error = error
    let isResumable =
      (error.family == .interrupted || error.isOfFullDisk) && folder.holdsWork
    if isResumable { error.canBeResumed() }
    if isResumable, error.isOfFullDisk {
      error.advice =
        "free some space, then \(.again(with: .resume)) to continue"
    } else if isResumable {
      error.what = "the migration was interrupted"
      error.spot = "“\(location.place)” is unchanged"
      error.advice = "\(.again) with \(say: .resume) to continue"
    } else {
      if error.family == .interrupted { error = stopped(location) }
      // The next run removes what remains; the original error is the one to report.
      try? folder.remove()
    }
    return advised(error)
  }
}
