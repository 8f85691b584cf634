internal import SQLite

/// One run of a migration: settle, look, plan, build aside, put in place.
final class MigrationRun {
  private let migration: Migration
  private let cancellation: Cancellation
  private let onEvent: (MigrationEvent) -> Void
  private let clock = ContinuousClock()

  init(
    _ migration: Migration,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (MigrationEvent) -> Void
  ) {
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
    let settled = migration.isDryRun ? nil : try settle(file)
    let (check, stages) = try plan(location)
    var report = begin(stages.isEmpty ? .none : .migrated, check, stages)
    report.settled = settled
    guard !migration.isDryRun else { return report }
    guard !stages.isEmpty else {
      try MigrationFolder.clear(file)
      return report
    }
    if let file = migration.idTableFile { try IDTableFile(file).check() }
    let folder = try MigrationFolder(for: file)
    do throws(DecantError) {
      let hold = try WriteHold(file, place: location.place)
      let made = try copy(known(location, check), stages, check, to: folder.made, folder)
      report.copies = made.copies
      report.notes += made.notes
      if let table = migration.idTableFile {
        try PendingIDTable(folder).write(table, count: stages.count)
      }
      hold.release()
      if cancellation.isCancelled { throw stopped(location) }
      let replaced = try replacement(folder, location).run(
        in: made.fingerprint
      )
      report.backup = replaced.backup
      report.notes += replaced.notes
    } catch {
      throw left(folder, error, location)
    }
    // The store is in place: a folder that stays is cleared by the next run.
    do throws(DecantError) {
      try PendingIDTable(folder).complete()
      if let table = migration.idTableFile {
        report.copies[report.copies.count - 1].idTableFile = table
      }
      try folder.remove()
    } catch {
      report.notes.append(error.message)
    }
    report.store.place = location.place
    return report
  }

  /// Makes a store of the wanted version at `output`, of the one at `location`, which is left alone.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - output: Where the new one is to appear.
  ///   - outcome: What the report calls it.
  ///   - succeeds: Whether the new store takes the old one's place, so that it stays the same to who refers to it.
  /// - Returns: The report, not yet of anything but the copies.
  /// - Throws: `DecantError`; nothing appears at `output` then.
  func migrate(
    _ location: StoreLocation,
    to output: String,
    as outcome: MigrationReport.Outcome,
    succeeds: Bool
  ) throws(DecantError) -> MigrationReport {
    guard FileStatus(unfollowed: output) == nil else {
      throw DecantError(
        .usage,
        "“\(output)” is there already",
        remedy: "name a place where nothing is"
      )
    }
    guard FileStatus(Files.folder(of: output))?.isFolder == true else {
      throw DecantError(
        .storeNotFound,
        "there is no folder “\(Files.folder(of: output))” to make “\(Files.name(of: output))” in",
        remedy: "make the folder first"
      )
    }
    let origin = Files.resolved(location.place)
    let settled = migration.isDryRun || !succeeds ? nil : try settle(origin)
    let (check, stages) = try plan(location)
    var report = begin(outcome, check, stages)
    report.origin = location.place
    report.store.place = output
    report.settled = settled
    guard !migration.isDryRun else { return report }
    if let file = migration.idTableFile { try IDTableFile(file).check() }
    let status = FileStatus(origin)
    let folder = try MigrationFolder(for: Files.resolved(output))
    do throws(DecantError) {
      let hold =
        succeeds ? try WriteHold(Files.resolved(location.place), place: location.place) : nil
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
    do throws(DecantError) { try folder.remove() } catch { report.notes.append(error.message) }
    report.store.uuid = report.copies.last?.destination.uuid
    if succeeds, let status { try giveRights(of: origin, status, to: output, &report) }
    return report
  }

  /// The store under the kind that it was found to be of.
  ///
  /// Whoever looks what it is opens and closes its file, and with that gives up every lock that this process has on it.
  private func known(_ location: StoreLocation, _ check: CheckReport) -> StoreLocation {
    StoreLocation(kind: check.store.kind, place: location.place)
  }

  // MARK: What has to be done

  /// Finds out what the store needs; nothing of it stays open.
  func plan(_ location: StoreLocation) throws(DecantError) -> (CheckReport, [MigrationStage]) {
    let found = try migration.opener.openVersioned(
      location,
      against: migration.wanted,
      through: migration.through,
      model: migration.model
    )
    let check = try Check(location, against: migration.wanted, opener: migration.opener)
      .report(on: found, cancellation)
    let stages = try MigrationPlanner(migration: migration, found: found, check: check).stages()
    if !stages.isEmpty {
      do throws(DecantError) {
        try migration.opener.checkPattern(
          migration.wanted,
          isUnversioned: migration.isUnversioned
        )
      } catch {
        throw advised(error)
      }
    }
    return (check, stages)
  }

  /// The error with advice that this verb can follow: a new store is made after what --to names.
  private func advised(_ error: DecantError) -> DecantError {
    guard let remedy = error.remedy, remedy.contains("--template") else { return error }
    var error = error
    error.remedy =
      remedy.contains("as --template")
      ? remedy.replacing("as --template", with: "with --to")
      : "remove it from the store before, and make it anew afterwards"
    return error
  }

  private func begin(
    _ outcome: MigrationReport.Outcome,
    _ check: CheckReport,
    _ stages: [MigrationStage]
  ) -> MigrationReport {
    var report = MigrationReport(outcome, check)
    report.stages = stages.map(\.summary)
    report.isDryRun = migration.isDryRun
    report.notes = check.notes
    onEvent(.planned(report.stages))
    return report
  }

  // MARK: Copies

  /// What the copies of a migration made.
  private struct Made {
    /// What was done in this run.
    var copies: [CopyReport] = []
    /// The state of the store that was copied.
    var fingerprint = ""
    /// What to tell of an earlier run.
    var notes: [String] = []
  }

  /// Copies stage by stage; what lies between is removed as soon as the next copy is made of it.
  private func copy(
    _ location: StoreLocation,
    _ stages: [MigrationStage],
    _ check: CheckReport,
    to output: String,
    _ folder: MigrationFolder,
    _ succeeds: Bool = true
  ) throws(DecantError) -> Made {
    var made = Made()
    let plan = FinishedSteps.plan(stages, of: migration)
    var done = 0
    if let finished = try finished(location, plan, folder), finished.count < stages.count {
      (done, made.fingerprint) = (finished.count, finished.fingerprint)
      made.notes.append(
        "\(Int64(done).counted("step")) of \(stages.count) \(done == 1 ? "was" : "were") done by the run that was cut off"
      )
    } else if migration.resumes, try folder.finishedSteps.read() != nil {
      made.notes.append(
        "begun anew: the store has changed since, or what is to be done, or a file of the run that was cut off is gone"
      )
    }
    let target = { (index: Int) in index == stages.count - 1 ? output : folder.between(index + 1) }
    try folder.clear(
      keepingBegun: migration.resumes ? target(done) : nil,
      finished: done > 0 ? folder.between(done) : nil,
      of: done
    )
    for (index, stage) in stages.enumerated().dropFirst(done) {
      let isFirst = index == 0
      let isLast = index == stages.count - 1
      let source =
        isFirst ? location : StoreLocation(kind: check.store.kind, place: target(index - 1))
      var options = self.options(stage, isFirst ? check.modelPlace : stage.source.place)
      options.merge = doubles(in: stage, check)
      options.template = isLast ? migration.wanted : stage.destination.place
      options.isUnversioned = stage.destination.model.versionHashes == nil
      options.succeedsSource = succeeds
      options.idTableFile = migration.idTableFile.map { _ in folder.idTable(index + 1) }
      if index == done, migration.resumes { options.leftOver = .resume }
      onEvent(.began(stage.summary, number: index + 1))
      let destination = StoreLocation(kind: check.store.kind, place: target(index))
      var report = try run(source, destination, options, check)
      if isFirst { made.fingerprint = report.sourceFingerprint }
      if !isLast {
        try folder.finishedSteps.write(
          FinishedSteps.Content(fingerprint: made.fingerprint, plan: plan, count: index + 1)
        )
        // What is odd about a store that only lies between concerns nobody.
        report.notes.removeAll { $0.hasPrefix(MigrationRun.newStore) }
      }
      if !isFirst, !isLast { try remove(source.place) }
      report.notes = report.notes.compactMap { note(on: $0, check) }
      made.copies.append(report)
    }
    return made
  }

  /// What an earlier run has done of this plan with the store as it is.
  private func finished(_ location: StoreLocation, _ plan: String, _ folder: MigrationFolder)
    throws(DecantError) -> FinishedSteps.Content?
  {
    guard migration.resumes, let finished = try folder.finishedSteps.read(), finished.plan == plan,
      finished.count > 0, FileStatus(folder.between(finished.count))?.isFile == true,
      migration.idTableFile == nil
        || (1...finished.count).allSatisfy({ FileStatus(folder.idTable($0))?.isFile == true })
    else { return nil }
    let fingerprint = try PendingRemoval.state(of: Files.resolved(location.place))
    return fingerprint == finished.fingerprint ? finished : nil
  }

  /// A note of a copy as it concerns whoever migrates; `nil` for what is no news.
  private func note(on text: String, _ check: CheckReport) -> String? {
    guard text == CopyReport.noteOnMissingModel else { return text }
    // The old one did not hold it either.
    guard check.modelPlace == nil else { return nil }
    return
      "unlike the old one the new store does not hold its model; decant needs it to read the store: "
      + "--model \(migration.wanted.shellWord)"
  }

  /// How notes begin about the store that was made.
  private static let newStore = "the store "

  private func options(_ stage: MigrationStage, _ model: String?) -> CopyOptions {
    var options = CopyOptions()
    options.mapping = stage.mapping
    options.model = model
    options.verb = "migrate"
    options.verifies = migration.verifies
    options.batchSize = migration.batchSize
    return options
  }

  /// What tells objects apart that a stage allows once only, and what becomes of those that are the same.
  private func doubles(in stage: MigrationStage, _ check: CheckReport) -> MergeRules? {
    guard let duplicates = migration.duplicates else { return nil }
    var rules = MergeRules(.error)
    rules.duplicates = duplicates
    let versions = Set(stage.models.dropFirst().map(\.name))
    for change in check.steps.filter({ versions.contains($0.to) }).flatMap(\.changes) {
      // What a later version calls otherwise is known by what that one says is unique.
      guard change.count ?? 0 > 0, !change.constraint.isEmpty,
        stage.destination.model[change.subject]?.uniquenessConstraints.contains(change.constraint)
          == true, rules.identities[change.subject] == nil
      else { continue }
      rules.identities[change.subject] = change.constraint
    }
    return rules
  }

  /// Copies a store that needs no migration.
  private func copyAsItIs(
    _ location: StoreLocation,
    _ check: CheckReport,
    to output: String,
    _ succeeds: Bool
  ) throws(DecantError) -> CopyReport {
    var options = CopyOptions()
    options.model = check.modelPlace
    options.succeedsSource = succeeds
    options.verifies = migration.verifies
    options.batchSize = migration.batchSize
    options.idTableFile = migration.idTableFile
    let output = StoreLocation(kind: check.store.kind, place: output)
    var report = try run(location, output, options, check)
    // Nothing else than this verb is to be told of.
    report.notes = report.notes.map { $0.replacing("; --keep-metadata takes them along", with: "") }
    return report
  }

  private func run(
    _ source: StoreLocation,
    _ destination: StoreLocation,
    _ options: CopyOptions,
    _ check: CheckReport
  ) throws(DecantError) -> CopyReport {
    let copy = Copy(from: source, to: destination, options: options, opener: migration.opener)
    do throws(DecantError) {
      return try copy.run(cancellation: cancellation) { onEvent(.copying($0)) }
    } catch {
      var error = error
      let isDouble = (error.cause as? SQLiteError)?.message.hasPrefix("UNIQUE") == true
      if error.remedy?.contains("--restart") == true {
        error.remedy = "leave out --resume: then it begins anew"
      } else if error.remedy?.contains("another policy: --merge '") == true {
        // One policy is for all that a version makes unique.
        error.remedy = "choose another policy: --merge skip or update"
      } else if isDouble {
        error.remedy = remedyOfDoubles(options.merge, check)
      } else if error.remedy == Refusal.remedy {
        // What refused an object is the new model.
        error.remedy = "say what becomes of it in a mapping file: --mapping FILE"
      }
      throw error
    }
  }

  /// What can be done about objects that agree in what is unique now.
  private func remedyOfDoubles(_ rules: MergeRules?, _ check: CheckReport) -> String {
    guard let rules, rules.duplicates != .error else { return DoubledValues.remedyOfMigration }
    let left = check.changes.first { change in
      change.count ?? 0 > 0 && !change.constraint.isEmpty
        && rules.identities[change.subject].map { $0 != change.constraint } ?? false
    }
    guard let left, let told = rules.identities[left.subject] else {
      return "change in the app, or in a mapping file, what gives them these values"
    }
    let identity = "\(left.subject): \(left.constraint.joined(separator: ", "))"
    let model = check.modelPlace.map { " --model \($0.shellWord)" } ?? ""
    return
      "--merge goes by \(told.joined(separator: " and ")) here; have those that agree in "
      + "\(left.constraint.joined(separator: " and ")) be one before: decant copy "
      + "\(check.store.place.shellWord)\(model) NEW --identity \(identity.shellWord) --duplicates first, "
      + "then migrate NEW"
  }

  /// Removes a store that lay between two steps.
  private func remove(_ path: String) throws(DecantError) {
    let folder = migration.opener.externalFolder(of: path).map { Files.folder(of: $0) }
    try explaining { () throws(SystemError) in
      try Files.remove(path)
      if let folder, FileStatus(folder)?.isFolder == true { try Files.removeTree(folder) }
    }
  }

  /// Has the store and its files belong to whom they belonged at the old place.
  private func giveRights(
    of origin: String,
    _ status: FileStatus,
    to output: String,
    _ report: inout MigrationReport
  ) throws(DecantError) {
    var areOwners = true
    try explaining { () throws(SystemError) in
      areOwners = try Files.give(output, to: status)
      guard let old = migration.opener.externalFolder(of: origin),
        let new = migration.opener.externalFolder(of: output), FileStatus(new)?.isFolder == true
      else { return }
      for name in try Files.names(in: new) {
        guard let own = FileStatus(unfollowed: "\(old)/\(name)"), own.isFile else { continue }
        if try !Files.give("\(new)/\(name)", to: own) { areOwners = false }
      }
    }
    if !areOwners {
      report.notes.append("the store belongs to another user than at its old place")
    }
  }

  // MARK: In place

  private func replacement(_ folder: MigrationFolder, _ location: StoreLocation)
    -> StoreReplacement
  {
    let opener = migration.opener
    let folders = opener.externalFolder(of: folder.made).flatMap { made in
      opener.externalFolder(of: folder.store).map { (made: made, store: $0) }
    }
    return StoreReplacement(journal: folder.journal, place: location.place, folders: folders)
  }

  /// Ends what an earlier run was cut off in, and says what became of it.
  private func settle(_ file: String) throws(DecantError) -> String? {
    switch try MigrationFolder.settle(file) {
    case .none: return nil
    case .undone:
      return "a migration that was cut off had changed nothing; what it left is cleared"
    case .done(let backup):
      return "a migration that was cut off is done now; the store as it was: \(backup)"
    }
  }

  private func stopped(_ location: StoreLocation) -> DecantError {
    DecantError(
      .interrupted,
      "the migration was stopped",
      place: "“\(location.place)” is as it was",
      remedy: "run the same command again"
    )
  }

  /// The error, with what is left of the work: nothing, unless it can be gone on with.
  private func left(_ folder: MigrationFolder, _ error: DecantError, _ location: StoreLocation)
    -> DecantError
  {
    var error = error
    let isResumable = error.code == .interrupted && folder.holdsWork
    if isResumable {
      error.message = "the migration was stopped"
      error.place = "“\(location.place)” is as it was"
      error.remedy = "run the same command again with --resume to go on where it ended"
    } else {
      if error.code == .interrupted { error = stopped(location) }
      // What stays is cleared by the next run; the failure that is told is the one that matters.
      try? folder.remove()
    }
    return advised(error)
  }
}
