internal import DecantBase
internal import DecantMapping
internal import DecantPlan
internal import DecantStore
internal import DecantVersions

/// Plans the copies that take a store from its version to the requested one.
struct MigrationPlanner {
  let migration: Migrate
  let found: VersionedStore
  let check: CheckReport

  /// A step between two neighbouring versions, and the mapping for it, if any.
  private struct Step {
    let source: NamedModel
    let destination: NamedModel
    var told: Telling?

    func leads(to version: String) -> Bool { destination.name == version }
  }

  /// Returns the copies; empty if the store can be opened as it is.
  ///
  /// - Throws: `DecantError` of the family `.modelMismatch` if no migration is possible or a decision is missing;
  ///   `.usage` for mapping files that belong to no step.
  func stages() throws(DecantError) -> [StagePlan] {
    if let obstacle = check.obstacle { throw obstacle }
    guard check.migration != .none || check.isAlike else { return [] }
    let steps = try steps()
    try checkNoneIsDoneTwice(steps)
    return check.isAlike ? [] : stages(of: steps)
  }

  /// Returns what blocks a migration that the models alone allow.
  ///
  /// - Returns: The error and the result to report, which is `nil` if the cause is not the model; `nil` if nothing
  ///   blocks it.
  /// - Throws: `DecantError` if the mapping models themselves are faulty.
  func refusal() throws(DecantError) -> (word: CheckReport.Migration?, error: DecantError)? {
    let steps: [Step]
    do throws(DecantError) {
      steps = try self.steps()
    } catch {
      guard error.family == .modelMismatch else { throw error }
      return (.mapping, error)
    }
    do throws(DecantError) {
      try checkNoneIsDoneTwice(steps)
    } catch {
      return (.impossible, error)
    }
    guard !check.isAlike else { return nil }
    do throws(DecantError) {
      let isUnversioned = found.target.model.versionHashes == nil
      try migration.opener.checkPattern(migration.wanted, isUnversioned: isUnversioned)
    } catch {
      guard error.family == .modelMismatch else { throw error }
      var error = error
      error.what = "no store can be created from this model: \(error.what)"
      error.advice = "pass a store of that version, even an empty one: \(say: .to) STORE"
      return (nil, error)
    }
    do throws(DecantError) {
      try checkOwnTables(stages(of: steps))
    } catch {
      return (nil, error)
    }
    return nil
  }

  /// Throws if an intermediate store cannot hold the app's own tables.
  func checkOwnTables(_ stages: [StagePlan]) throws(DecantError) {
    guard let source = found.source else { return }
    for (index, stage) in stages.enumerated() {
      try source.checkOwnTables(
        after: stage.pattern(isLast: index == stages.count - 1, of: migration),
        isUnversioned: stage.isUnversioned
      )
    }
  }

  /// Returns the steps, each with its mapping, if any.
  private func steps() throws(DecantError) -> [Step] {
    let models = try versions()
    var steps = zip(models, models.dropFirst()).map { Step(source: $0, destination: $1) }
    var files = try migration.mappings.map { file throws(DecantError) in try placed(file, steps) }
    if let file = files.first(where: { file in
      file.version.map { version in !steps.contains { $0.leads(to: version) } } ?? false
    }) {
      throw needless(file, steps)
    }
    for index in steps.indices {
      steps[index].told = try told(steps[index], check.steps[index], &files)
    }
    // A single file for a single step is used even if the step needs no mapping.
    if files.count == 1, files[0].version == nil, steps.count == 1, steps[0].told == nil {
      steps[0].told = try read([files.removeFirst()], steps[0])
    }
    if let file = files.first { throw needless(file, steps) }
    return steps
  }

  /// Returns the file with its version set if it is a mapping model that fits exactly one step.
  private func placed(_ file: Migrate.StepMapping, _ steps: [Step]) throws(DecantError) -> Migrate.StepMapping {
    guard file.version == nil, migration.opener.isMappingModel(file.path) else { return file }
    var fitting: [Step] = []
    for step in steps {
      do throws(DecantError) {
        guard try mappingModels([file.path], isNamed: false, step, nil) != nil else { continue }
      } catch {
        // The file is for this step; what it requires beyond decant is reported when the step is planned.
        guard error.family == .modelMismatch else { throw error }
      }
      fitting.append(step)
    }
    // With a single step, a mapping model that does not fit is reported when it is read.
    guard !fitting.isEmpty || steps.count < 2 else { throw try fitsNone(file, steps) }
    guard fitting.count == 1 else { return file }
    return Migrate.StepMapping(version: fitting[0].destination.name, path: file.path)
  }

  /// Throws if a mapping would be applied that the store may already have been through.
  private func checkNoneIsDoneTwice(_ steps: [Step]) throws(DecantError) {
    guard let last = found.rivalSteps.last,
      let told = steps.prefix(last).first(where: { $0.told != nil })
    else { return }
    let other = found.rivalSteps.first { found.chain[$0].name == told.destination.name } ?? last
    throw VersionedStore.doubt(
      found.chain[0],
      found.chain[other],
      "the mapping to “\(told.destination.name)” must not run twice",
      found.modelPlace ?? found.target.place
    )
  }

  /// Returns the versions that the store passes through, its own first.
  private func versions() throws(DecantError) -> [NamedModel] {
    guard let model = found.source?.model else { return [] }
    guard found.chain.count > 1 else {
      let name = found.version?.name ?? "the store's own model"
      let place = found.modelPlace ?? found.identity.place
      return [NamedModel(name: name, place: place, model: model), found.target]
    }
    var chain = found.chain
    chain[0].model = model
    return chain
  }

  /// Returns the mapping for a step; `nil` if the step follows from the models.
  ///
  /// The files it uses are removed from `files`.
  private func told(
    _ step: Step,
    _ found: CheckReport.Step,
    _ files: inout [Migrate.StepMapping]
  ) throws(DecantError) -> Telling? {
    let needs = found.changes.contains { isOpen($0) }
    // A version may have mapping models, and a file for what they leave open.
    let own = files.filter { $0.version.map(step.leads) ?? false }
    if !own.isEmpty {
      files.removeAll(where: own.contains)
      return try read(own, step)
    }
    do throws(DecantError) {
      if let told = try models(step, besides: nil) { return told }
    } catch {
      guard error.family == .modelMismatch, let file = files.first(where: { $0.version == nil })
      else {
        throw error
      }
      files.removeAll { $0 == file }
      return try read([file], step)
    }
    guard needs else { return nil }
    guard let position = files.firstIndex(where: { $0.version == nil }) else {
      throw undecided(found)
    }
    return try read([files.remove(at: position)], step)
  }

  /// A mapping for a step: its origin, mapping models used besides a mapping file, and the mapping itself.
  private typealias Telling = (origin: ModelMigrationStage.Origin, besides: [String], mapping: Mapping)

  /// Reads what was given for a step: mapping models and a mapping file, which complements given or found mapping
  /// models.
  private func read(_ files: [Migrate.StepMapping], _ step: Step) throws(DecantError) -> Telling {
    let paths = files.map(\.path)
    let named = paths.filter(migration.opener.isMappingModel)
    let texts = paths.filter { !named.contains($0) }
    guard texts.count < 2 else {
      throw DecantError(
        .conflictingOptions,
        "two mapping files are given for the step to “\(step.destination.name)”",
        place: texts.joined(separator: ", "),
        remedy: "combine them into one"
      )
    }
    var file: Mapping?
    if let text = texts.first { file = try Mapping.read(text) }
    if !named.isEmpty {
      if let told = try mappingModels(named, isNamed: true, step, file) {
        return joined(told, texts.first)
      }
    } else if let file {
      if let told = try models(step, besides: file) { return joined(told, texts[0]) }
      return (.mappingFile(texts[0]), [], file)
    }
    return (.inferred, [], Mapping(place: ""))
  }

  /// Combines mapping models with a mapping file, which takes precedence.
  private func joined(_ told: Telling, _ file: String?) -> Telling {
    guard let file, case .mappingModel(let models) = told.origin else { return told }
    return (.mappingFile(file), [models], told.mapping)
  }

  /// Reads the mapping models next to the model that are for this step, as Core Data would choose them.
  private func models(_ step: Step, besides file: Mapping?) throws(DecantError) -> Telling? {
    try mappingModels(found.mappingModels, isNamed: false, step, file)
  }

  private func mappingModels(
    _ paths: [String],
    isNamed: Bool,
    _ step: Step,
    _ file: Mapping?
  ) throws(DecantError) -> Telling? {
    let read = try migration.opener.mappingModels(
      paths,
      isNamed: isNamed,
      from: step.source,
      to: step.destination,
      besides: file
    )
    return read.map { (.mappingModel($0.paths.joined(separator: ", ")), [], $0.mapping) }
  }

  /// Joins consecutive steps that follow from the models into as few copies as possible.
  private func stages(of steps: [Step]) -> [StagePlan] {
    var stages: [StagePlan] = []
    for step in steps {
      if let told = step.told {
        stages.append(
          StagePlan(
            models: [step.source, step.destination],
            origin: told.origin,
            besides: told.besides,
            mapping: told.mapping
          )
        )
      } else if let last = stages.last, last.origin == .inferred {
        stages[stages.count - 1].models.append(step.destination)
      } else {
        let models = [step.source, step.destination]
        stages.append(StagePlan(models: models, origin: .inferred, mapping: Mapping(place: "")))
      }
    }
    for index in stages.indices where stages[index].origin == .inferred {
      let names = stages[index].models.map { "“\($0.name)”" }
      stages[index].mapping = InferredMapping(stages[index].models.map(\.model)).mapping(
        place: names.joined(separator: " → "),
        losesEntities: true
      )
    }
    return stages
  }

  /// Returns whether a change needs a decision that has not been made.
  private func isOpen(_ change: ModelChange) -> Bool {
    guard change.demand == .mapping else { return false }
    return change.kind != .uniquenessAdded || migration.duplicates == nil
      || migration.duplicates == .error
  }

  /// Returns the error for a step that needs a decision.
  private func undecided(_ step: CheckReport.Step) -> DecantError {
    let open = step.changes.filter { isOpen($0) }
    let told = open.prefix(8).map { change in
      "\(change.subject): \(change.text)"
        + (change.examples.isEmpty ? "" : " (\(change.examples.joined(separator: ", ")))")
    }
    let more = open.count > told.count ? ["and \(open.count - told.count) more"] : []
    // Objects that must differ are not merged automatically: the user chooses which of them to drop.
    let areDoubles = open.allSatisfy { $0.kind == .uniquenessAdded }
    return DecantError(
      .migrationUndecided,
      "the step from “\(step.from)” to “\(step.to)” needs a decision",
      place: "\((told + more).joined(separator: "\n  "))",
      remedy: areDoubles
        ? "resolve them: \(say: .merge, "skip") keeps the one with the lowest key, update the one with the highest, "
          + "keep-both gives the others a new identity. Nothing was changed"
        : "map it in a mapping file, and pass the file with \(say: .mapping, "\(step.to)=FILE"); "
          + "\(shell: "“decant copy \(option: .suggestMapping)”", app: "the mapping suggestion of a copy") drafts one. Nothing was changed"
    )
  }

  /// Returns the error for a mapping model that fits no step.
  ///
  /// - Throws: `DecantError` if it cannot be read at all.
  private func fitsNone(_ file: Migrate.StepMapping, _ steps: [Step]) throws(DecantError) -> DecantError {
    var reasons: [DecantError.Text] = []
    for step in steps {
      do throws(DecantError) {
        _ = try mappingModels([file.path], isNamed: true, step, nil)
      } catch {
        guard error.family == .modelMismatch else { throw error }
        if reasons.count < 8 { reasons.append(error.what) }
      }
    }
    let names = steps.map { "“\($0.destination.name)”" }.joined(separator: ", ")
    return DecantError(
      .mappingMisfit,
      "“\(file.path)” matches none of the steps; the steps are to \(names)",
      place: reasons.joined(separator: "\n  "),
      remedy:
        "use a mapping model between two consecutive versions, or remove it"
    )
  }

  private func needless(_ file: Migrate.StepMapping, _ steps: [Step]) -> DecantError {
    let names = steps.map { "“\($0.destination.name)”" }.joined(separator: ", ")
    guard let version = file.version else {
      return DecantError(
        .unsuitableOption,
        migration.opener.isMappingModel(file.path)
          ? "“\(file.path)” matches more than one step"
          : "“\(file.path)” is not needed: the models define the remaining steps",
        place: "the steps are to \(names)",
        remedy: "name its step, like "
          + "\(say: .mapping, "\(steps.last?.destination.name ?? "VERSION")=\(file.path)"), or remove it"
      )
    }
    return DecantError(
      .unknownName,
      "there is no step to the version “\(version)”",
      place: "\(option: .mapping, "\(version)=\(file.path)")",
      remedy: "the steps are to \(names)"
    )
  }
}
