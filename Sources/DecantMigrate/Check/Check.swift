public import DecantBase
internal import DecantPlan
public import DecantStore
internal import DecantVersions
internal import DecantSQLite

/// The check of which migration a store needs to be opened with a version of a model, and why.
///
/// The models are compared; if the outcome depends on the store's contents, its objects are counted. For example, a
/// required attribute without a default value blocks nothing if there are no objects. The store is read in one
/// transaction and never changed; memory does not grow with it.
public struct Check: Runnable {
  public let store: StoreLocation
  /// The model's place, followed by `#Version` for a version other than the current one.
  public let wanted: String
  /// The place of a model to read a store that does not contain its own.
  public var model: String?
  /// The places of models with the intermediate versions, oldest first; empty to use the requested model's bundle.
  public var through: [String] = []
  private let opener: any MigrationOpener

  /// Creates a check of a store of a kind that `opener` supports.
  package init(_ store: StoreLocation, against wanted: String, opener: any MigrationOpener) {
    self.store = store
    self.wanted = wanted
    self.opener = opener
  }

  /// The comparison of store and model; if no migration is possible, the report says so.
  public var operation: DecantOperation<CheckReport> {
    DecantOperation("check", .compare) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  private func perform(_ cancellation: Cancellation, _ onEvent: (WorkEvent) -> Void)
    throws(DecantError) -> CheckReport
  {
    onEvent(.began(.read))
    try cancellation.check()
    let found = try opener.openVersioned(store, against: wanted, through: through, model: model)
    onEvent(.began(.check))
    var report = try report(on: found, cancellation)
    try cancellation.check()
    // The models do not decide alone: mapping models next to them may require the app's own code.
    guard report.migration == .inferred || report.isAlike else { return report }
    var migration = Migrate([self.store], to: wanted, opener: opener)
    (migration.model, migration.through) = (model, through)
    let planner = MigrationPlanner(migration: migration, found: found, check: report)
    guard let refusal = try planner.refusal() else { return report }
    if let word = refusal.word {
      report.migration = word
      report.obstacle = refusal.error
    } else {
      let error = refusal.error
      report.notes.append(
        ReportNote(
          .migrationRefused,
          "\(shell: "“decant migrate”", app: "a migration") refuses it: \(error.what)",
          remedy: error.advice
        )
      )
    }
    return report
  }

  /// Checks a store that is open already.
  func report(on found: VersionedStore, _ cancellation: Cancellation) throws(DecantError) -> CheckReport {
    var report = CheckReport(found)
    guard let source = found.source, found.obstacle == nil else { return report }
    guard ModelMatching(from: source.model, to: found.target.model).hasPairs else {
      report.obstacle = DecantError(
        .modelsDiffer,
        "“\(found.target.name)” is not a version of the store's model: they have no entity in common",
        place: found.target.place,
        remedy: "use a model of the same app, or copy into a new store with a mapping file"
      )
      return report
    }
    if let obstacle = found.chainObstacle {
      report.obstacle = obstacle
      return report
    }
    var steps = Check.steps(found, from: source.model)
    var straight =
      steps.count > 1 ? ModelComparison.changes(from: source.model, to: found.target.model) : []
    let all = steps.flatMap(\.changes) + straight
    if all.contains(where: { $0.question != nil }) {
      try answer(&steps, &straight, source, cancellation)
    }
    report.steps = steps
    if steps.count > 1 { report.straightDemand = straight.demand }
    report.migration =
      switch report.changes.demand {
      case .nothing: .none
      case .inferred, .beyondCoreData: .inferred
      case .mapping: .mapping
      }
    if found.lacksHashes, report.migration == .none {
      report.migration = .inferred
      report.notes.append(
        ReportNote(
          .noVersionHashes,
          "the store has no version hashes, so no app can open it; a migration writes those of “\(found.target.name)”"))
    }
    if found.mayBeTarget, report.changes.allSatisfy(\.leavesFile) { report.becomeAlike() }
    return report
  }

  /// Returns the steps from the store's model to the requested one, with the changes found by comparing the models.
  ///
  /// A migration passes through every intermediate version. What one version drops is lost, even if a later version has
  /// something of the same name again.
  private static func steps(_ found: VersionedStore, from model: Model) -> [CheckReport.Step] {
    guard found.chain.count > 1 else {
      let name = found.version?.name
      let own = NamedModel(name: name ?? "the store's own model", place: "", model: model)
      let mappingModels = found.mappingModels.filter { place in
        name.map { StepName.fits(place, from: $0, to: found.target.name) } ?? false
      }
      return [CheckReport.Step(own, found.target, found.hasSameHashes, mappingModels)]
    }
    var models = found.chain
    models[0].model = model
    return zip(models, models.dropFirst()).map { earlier, later in
      let (one, other) = (earlier.model.versionHashes, later.model.versionHashes)
      return CheckReport.Step(
        earlier,
        later,
        one == nil || other == nil ? nil : one == other,
        found.mappingModels.filter { StepName.fits($0, from: earlier.name, to: later.name) }
      )
    }
  }

  /// Answers the open questions from the store, step by step.
  private func answer(
    _ steps: inout [CheckReport.Step],
    _ straight: inout [ModelChange],
    _ source: any SourceStore,
    _ cancellation: Cancellation
  ) throws(DecantError) {
    let table = try CopySession(source: source)
    table.setProgressCheck(StopCheck(cancellation))
    // SQLite ignores some damage silently, and the objects behind it would not be counted.
    try StructureCheck(of: CopySession.source, on: table.connection).run(
      on: source.layout.relations.map(\.table) + source.layout.linkRelations.map(\.table),
      place: source.identity.place
    )
    var (answered, answeredStraight) = (steps, straight)
    try explaining("cannot count the contents of “\(source.identity.place)”") {
      () throws(SQLiteError) in
      try table.beginReading()
      let questions = try StoreQuestions(source, table.connection)
      var trace = ValueTrace(source.model)
      for position in answeredStraight.indices {
        answeredStraight[position] = try questions.answered(answeredStraight[position], by: trace)
      }
      for index in answered.indices {
        for position in answered[index].changes.indices {
          answered[index].changes[position] = try questions.answered(answered[index].changes[position], by: trace)
        }
        if let matching = answered[index].matching { trace = trace.advanced(by: matching) }
      }
      try table.endReading()
    }
    (steps, straight) = (answered, answeredStraight)
  }
}

extension ModelComparison {
  /// Returns a change for each entity whose version hash differs although no other change explains it.
  static func unexplainedHashes(from source: Model, to destination: Model) -> [ModelChange] {
    destination.entities.compactMap { entity in
      guard let hash = entity.versionHash, let other = source[entity.name]?.versionHash,
        hash != other
      else { return nil }
      return ModelChange(
        .versionHashChanged,
        entity.name,
        "has a different version hash, although decant reads no difference",
        .inferred
      )
    }
  }
}
