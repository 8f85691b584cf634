internal import DecantBase
internal import DecantCopy
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

/// The copies of a migration, one after the other.
extension MigrationRun {
  /// The result of the copies.
  struct Made {
    /// The reports of the copies made in this run.
    var copies: [CopyReport] = []
    /// The state of the store that was copied.
    var fingerprint = ""
    /// Notes on an earlier run.
    var notes: [ReportNote] = []
  }

  /// Makes the copy of each stage; an intermediate store is removed as soon as the next one has been made from it.
  func copy(
    _ location: StoreLocation,
    _ stages: [StagePlan],
    _ check: CheckReport,
    to output: String,
    _ folder: WorkFolder,
    _ succeeds: Bool = true
  ) throws(DecantError) -> Made {
    var made = Made()
    let plan = FinishedSteps.plan(stages, of: migration)
    var done = 0
    if let finished = try finished(location, plan, folder), finished.count < stages.count {
      (done, made.fingerprint) = (finished.count, finished.fingerprint)
      made.notes.append(
        ReportNote(
          .resumed,
          "\(Int64(done).counted("step")) of \(stages.count) \(done == 1 ? "was" : "were") done by the interrupted run")
      )
    } else if migration.resumes, try folder.finishedSteps.read() != nil {
      made.notes.append(
        ReportNote(
          .startedOver,
          "the migration starts over: the store or the steps changed, or a file of the interrupted run is missing"))
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
      options.merge = keptCopies(in: stage, check)
      options.template = stage.pattern(isLast: isLast, of: migration)
      options.isUnversioned = stage.isUnversioned
      options.succeedsSource = succeeds
      options.readsPrivateCopy = isFirst && migration.readsPrivateCopy
      options.idTableFile = migration.idTableFile.map { _ in folder.idTable(index + 1) }
      if index == done, migration.resumes { options.leftOver = .resume }
      onEvent(.stage(stage.summary, number: index + 1))
      let destination = StoreLocation(kind: check.store.kind, place: target(index))
      var report = try explaining("“\(stage.source.name)” to “\(stage.destination.name)”") {
        () throws(DecantError) in try run(source, destination, options, check)
      }
      if isFirst { made.fingerprint = report.sourceFingerprint }
      if !isLast {
        try folder.finishedSteps.write(
          FinishedSteps.Content(fingerprint: made.fingerprint, plan: plan, count: index + 1)
        )
        // Notes on an intermediate store are irrelevant to the user.
        report.notes.removeAll(where: \.kind.isAboutMadeStore)
      }
      if !isFirst, !isLast { try remove(source.place) }
      report.notes = report.notes.compactMap { note(on: $0, check) }
      made.copies.append(report)
    }
    return made
  }

  /// Returns the copies that an earlier run has finished for this plan and this state of the store.
  private func finished(_ location: StoreLocation, _ plan: String, _ folder: WorkFolder)
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

  /// Adapts a note of a copy to a migration; `nil` if it is irrelevant.
  private func note(on note: ReportNote, _ check: CheckReport) -> ReportNote? {
    guard note.kind == .modelNotStored else { return note }
    // The old store did not contain its model either.
    guard check.modelPlace == nil else { return nil }
    return ReportNote(
      .modelNotStored,
      "unlike the old store, the new one does not contain its model",
      remedy: "to read it, decant needs \(say: .model, migration.wanted)"
    )
  }

  func options(_ stage: StagePlan, _ model: String?) -> CopyOptions {
    var options = CopyOptions()
    options.mapping = stage.mapping
    options.model = model
    options.purpose = .migration
    options.verifies = migration.verifies
    options.batchSize = migration.batchSize
    return options
  }

  /// Returns the merge rules for objects that a stage allows only once: their identities, and the rule for duplicates.
  private func keptCopies(in stage: StagePlan, _ check: CheckReport) -> MergeRules? {
    guard let duplicates = migration.duplicates else { return nil }
    var rules = MergeRules(.error)
    rules.duplicates = duplicates
    let versions = Set(stage.models.dropFirst().map(\.name))
    for change in check.steps.filter({ versions.contains($0.to) }).flatMap(\.changes) {
      // If a later version renames the entity or its properties, that version's constraint defines the identity.
      guard change.count ?? 0 > 0, !change.constraint.isEmpty,
        stage.destination.model[change.subject]?.uniquenessConstraints.contains(change.constraint)
          == true, rules.identities[change.subject] == nil
      else { continue }
      rules.identities[change.subject] = change.constraint
    }
    return rules
  }

  /// Copies a store that needs no migration.
  func copyAsItIs(
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
    // Advice to use another command does not apply here.
    for index in report.notes.indices where report.notes[index].kind == .syncMetadataNotCopied {
      report.notes[index].advice = nil
    }
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
      return try copy.perform(cancellation, onEvent)
    } catch {
      var error = error
      let isKeptCopy = (error.cause as? SQLiteError)?.message.hasPrefix("UNIQUE") == true
      if error.code == .resumeMismatch {
        error.advice = "remove \(option: .resume) to start over"
      } else if error.remedy?.contains("another policy: ") == true {
        // One policy applies to all constraints that a version adds.
        error.advice = "use another policy: \(say: .merge, "skip") or update"
      } else if isKeptCopy {
        error.advice = remedyOfDoubles(options.merge, check)
      } else if error.advice == Refusal.remedy || error.advice == Refusal.remedyOfLink {
        // The new model refused the object.
        error.advice = "map it in a mapping file: \(say: .mapping) FILE"
      }
      throw error
    }
  }

  /// Returns the remedy for objects that violate a new uniqueness constraint.
  private func remedyOfDoubles(_ rules: MergeRules?, _ check: CheckReport) -> DecantError.Text {
    guard let rules, rules.duplicates != .error else { return DoubledValues.remedyOfMigration }
    let left = check.changes.first { change in
      change.count ?? 0 > 0 && !change.constraint.isEmpty
        && rules.identities[change.subject].map { $0 != change.constraint } ?? false
    }
    guard let left, let told = rules.identities[left.subject] else {
      return "change the values in the app or in a mapping file"
    }
    let identity = "\(left.subject): \(left.constraint.joined(separator: ", "))"
    let model: DecantError.Text = check.modelPlace.map { " \(option: .model, $0)" } ?? ""
    let merging: DecantError.Text = "\(option: .identity, identity) \(option: .duplicates, "first")"
    let copy: DecantError.Text =
      "\(command: "copy \(check.store.place.shellWord)\(model) NEW \(merging)", app: "copy the store to NEW with \(merging)")"
    return
      "\(option: .merge) uses \(told.joined(separator: " and ")) here; first merge the objects with the same "
      + "\(left.constraint.joined(separator: " and ")): \(copy), then migrate NEW"
  }

  /// Removes an intermediate store.
  private func remove(_ path: String) throws(DecantError) {
    let folder = migration.opener.externalFolder(of: path).map { Files.folder(of: $0) }
    try explaining { () throws(SystemError) in
      try Files.remove(path)
      if let folder, FileStatus(folder)?.isFolder == true { try Files.removeTree(folder) }
    }
  }

  /// Gives the store and its files the owner and permissions that they had at the old place.
  func giveRights(
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
      report.notes.append(ReportNote(.ownerChanged, "the store belongs to a different user than before"))
    }
  }
}
