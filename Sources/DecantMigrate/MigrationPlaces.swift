internal import DecantBase
internal import DecantStore

/// Which store is migrated, and its place afterwards.
struct MigrationPlaces {
  let migration: Migrate

  init(_ migration: Migrate) { self.migration = migration }

  /// Chooses the store and has `run` migrate it.
  func choose(_ run: MigrationRun) throws(DecantError) -> MigrationReport {
    guard let first = migration.candidates.first else {
      throw DecantError(.missingOption, "no store to migrate was given", remedy: "pass one")
    }
    try MigrationNames(migration).check()
    guard let place = migration.place else {
      guard migration.candidates.count == 1 else {
        throw DecantError(
          .missingOption,
          "several stores were given, but the first existing one would be migrated in place",
          place: migration.candidates.map { "“\($0.place)”" }.joined(separator: ", "),
          remedy: "give the destination: \(say: .place) NEW; or migrate them one by one"
        )
      }
      guard let output = migration.output else { return try run.migrateInPlace(first) }
      return try run.migrate(first, to: output, as: .written, succeeds: false)
    }
    var report = try move(to: place, run)
    report.notes += passedOver
    return report
  }

  /// Migrates the store at `place`, or moves an old store or the seed there.
  private func move(to place: String, _ run: MigrationRun) throws(DecantError) -> MigrationReport {
    let folder = Files.folder(of: place)
    let isReachable = FileStatus(folder)?.isFolder == true && Files.isWritable(folder)
    if isReachable, FileStatus(place) != nil {
      // A usable store at the new place is the store, regardless of other candidates.
      let pending = try pendingRemoval(place)
      var report = try run.migrateInPlace(StoreLocation(place: place))
      if let pending { try complete(pending, at: place, run, &report) }
      if let other = existing(besides: place).first {
        report.notes.append(
          ReportNote(
            .storeNotUsed,
            "“\(other.place)” exists as well and was not used",
            remedy: migration.removesOld ? "if nothing was added to it after it was copied, remove it" : nil,
            after: ": "
          )
        )
      }
      return report
    }
    if let old = existing(besides: place).first {
      try checkIsNotEmpty(old, besides: place)
      guard isReachable else {
        var report = try run.migrateInPlace(old)
        report.fellBack = true
        report.notes.append(
          ReportNote(.staysAtOldPlace, "“\(folder)” is not accessible or writable: the store stays at “\(old.place)”"))
        return report
      }
      var report = try run.migrate(old, to: place, as: .moved, succeeds: true)
      if migration.removesOld {
        if migration.isDryRun {
          report.removed = [old.place]
        } else {
          let missing = report.copies.map(\.files.missing).reduce(0, +)
          guard missing == 0 else {
            report.notes.append(OldStore.noteOnMissing(missing, old.place))
            return report
          }
          let file = Files.resolved(old.place)
          try note(old, file, place, report)
          let store = OldStore(old, file: file, migration)
          try remove(store, in: report.sourceFingerprint, at: place, run, &report)
        }
      }
      return report
    }
    guard isReachable else {
      throw DecantError(
        .folderNotFound,
        "there is no writable folder “\(folder)”, and no store elsewhere",
        place: "\(option: .place, place)",
        remedy: "create the folder, or mount its disk"
      )
    }
    guard let seed = migration.seed else {
      throw DecantError(
        .storeNotFound,
        "none of the stores exists: \(migration.candidates.map { "“\($0.place)”" }.joined(separator: ", "))",
        place: passedOver.isEmpty ? nil : passedOver.map(\.words).joined(separator: "\n  "),
        remedy: "check the spelling, or pass a store to start from: \(say: .else) SEED"
      )
    }
    return try run.migrate(seed, to: place, as: .seeded, succeeds: false)
  }

  /// An old store that an interrupted run still had to remove.
  private struct Pending {
    let old: StoreLocation
    let content: PendingRemoval.Content
  }

  /// Records that `old` is to be removed; the store made from it is already at `place`.
  private func note(
    _ old: StoreLocation,
    _ file: String,
    _ place: String,
    _ report: MigrationReport
  ) throws(DecantError) {
    // Without an identifier a later run could not recognise the store.
    guard let uuid = report.store.uuid else { return }
    let folder = try WorkFolder(for: Files.resolved(place))
    try PendingRemoval(folder, of: old.place).write(
      PendingRemoval.Content(file: file, state: report.sourceFingerprint, uuid: uuid)
    )
  }

  private func pendingRemoval(_ place: String) throws(DecantError) -> Pending? {
    let file = Files.resolved(place)
    guard migration.removesOld, !migration.isDryRun,
      FileStatus(WorkFolder.path(of: file))?.isFolder == true
    else { return nil }
    let folder = try WorkFolder(for: file)
    for old in migration.candidates where !Files.isSamePlace(old.place, place) {
      if let content = try PendingRemoval(folder, of: old.place).read() {
        return Pending(old: old, content: content)
      }
    }
    return nil
  }

  /// Completes an interrupted removal if the store at `place` was made from the old one.
  private func complete(
    _ pending: Pending,
    at place: String,
    _ run: MigrationRun,
    _ report: inout MigrationReport
  ) throws(DecantError) {
    let store = OldStore(pending.old, file: pending.content.file, migration)
    guard report.store.uuid == pending.content.uuid else {
      report.notes.append(
        ReportNote(.oldStoreKept, "“\(pending.old.place)” is not removed: “\(place)” is not its migrated store"))
      return
    }
    if store.isHalfRemoved {
      try store.finish(&report)
    } else if try isUntouched(pending) {
      return try remove(store, in: pending.content.state, at: place, run, &report)
    }
    try forget(place, &report)
  }

  /// Returns whether the old store exists and has not been written to since it was copied.
  private func isUntouched(_ pending: Pending) throws(DecantError) -> Bool {
    let file = pending.content.file
    // With an unfinished transaction it is no longer the store that was copied.
    guard FileStatus(file)?.isFile == true, FileStatus(file + "-journal")?.byteCount ?? 0 == 0
    else { return false }
    return try PendingRemoval.state(of: file) == pending.content.state
  }

  /// Removes the old store, whose objects are at the new place, and then the record of the removal.
  private func remove(
    _ old: OldStore,
    in state: String,
    at place: String,
    _ run: MigrationRun,
    _ report: inout MigrationReport
  ) throws(DecantError) {
    do throws(DecantError) {
      try old.remove(after: place, in: state, run, &report)
    } catch {
      var error = error
      error.tell("the store is already at “\(place)”; only the old one was not removed")
      throw error
    }
    try forget(place, &report)
  }

  private func forget(_ place: String, _ report: inout MigrationReport) throws(DecantError) {
    do throws(DecantError) {
      try WorkFolder(for: Files.resolved(place)).remove()
    } catch {
      report.notes.append(ReportNote(.notRemoved, error.what))
    }
  }

  /// Throws if the first existing store is an empty file, since the real store may be at another place.
  private func checkIsNotEmpty(_ store: StoreLocation, besides place: String) throws(DecantError) {
    // A log without its database file is reported when the store is opened.
    guard FileStatus(store.place)?.byteCount == 0,
      try DatabaseFile.byteCount(store.place + "-wal") ?? 0 == 0
    else { return }
    let next = existing(besides: place).dropFirst().first.map { "“\($0.place)”" }
    throw DecantError(
      .emptyFile,
      "“\(store.place)” is empty, but it is the first existing one of the given stores",
      place: "a program that opens a missing store leaves such a file",
      remedy: "check whether the store is somewhere else, then remove the file or the argument: "
        + (next.map { "\($0) is used next" }
          ?? (migration.seed == nil ? "no other one exists" : "the seed is copied then"))
    )
  }

  /// Notes on candidates that exist but cannot be stores.
  private var passedOver: [ReportNote] {
    migration.candidates.compactMap { candidate in
      let place = candidate.place
      guard let status = FileStatus(place) else {
        // While a store is being removed, it has another name until its log is removed.
        guard FileStatus(place + "-wal")?.byteCount ?? 0 > 0,
          FileStatus(unfollowed: PendingRemoval.removed(Files.resolved(place))) == nil
        else { return nil }
        return ReportNote(
          .storeNotUsed,
          "“\(place)” is missing, but its log exists: “\(place)-wal” was not touched, and may hold the latest changes",
          remedy: "restore the file next to it from a backup of the same time"
        )
      }
      guard status.isFolder else { return nil }
      return ReportNote(.storeNotUsed, "“\(place)” is a folder and was skipped: a store is a file")
    }
  }

  /// Returns the existing candidates other than the place itself.
  private func existing(besides place: String) -> [StoreLocation] {
    migration.candidates.filter {
      FileStatus($0.place)?.isFile == true && !Files.isSamePlace($0.place, place)
    }
  }
}
