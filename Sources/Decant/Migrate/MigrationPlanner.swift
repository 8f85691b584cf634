/// Settles by which copies a store gets from its version to the one that is wanted.
struct MigrationPlanner {
  let migration: Migration
  let found: VersionedStore
  let check: CheckReport

  /// A step between two neighbouring versions, and what says how it is done.
  private struct Step {
    let source: NamedModel
    let destination: NamedModel
    var told: (origin: MigrationStage.Origin, mapping: Mapping)?

    func leads(to version: String) -> Bool { destination.name == version }
  }

  /// Returns the copies; none where the store can be opened as it is.
  ///
  /// - Throws: `DecantError` with code `.modelMismatch` where no migration is possible, or somebody has to decide;
  ///   `.usage` for mapping files that belong to no step.
  func stages() throws(DecantError) -> [MigrationStage] {
    if let obstacle = check.obstacle { throw obstacle }
    guard check.migration != .none else { return [] }
    let models = try versions()
    var steps = zip(models, models.dropFirst()).map { Step(source: $0, destination: $1) }
    var files = migration.mappings
    for index in steps.indices {
      let step = steps[index]
      let needs = check.steps[index].demand == .mapping
      if let position = files.firstIndex(where: { $0.version.map(step.leads) ?? needs }) {
        steps[index].told = try read(files.remove(at: position), step)
      } else if let model = try mappingModel(index, step) {
        steps[index].told = model
      } else if needs {
        throw undecided(check.steps[index])
      }
    }
    // One alone is meant, whether it is needed or not.
    if files.count == 1, files[0].version == nil, steps.count == 1, steps[0].told == nil {
      steps[0].told = try read(files.removeFirst(), steps[0])
    }
    if let file = files.first { throw needless(file, steps) }
    return stages(of: steps)
  }

  /// The versions the store goes through, its own first.
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

  private func read(_ file: Migration.StepMapping, _ step: Step) throws(DecantError)
    -> (MigrationStage.Origin, Mapping)
  {
    guard migration.opener.isMappingModel(file.path) else {
      return (.mappingFile(file.path), try Mapping.read(file.path))
    }
    guard
      let mapping = try migration.opener.mappingModel(
        file.path,
        from: step.source,
        to: step.destination
      )
    else {
      throw DecantError(
        .modelMismatch,
        "“\(file.path)” is no mapping model from “\(step.source.name)” to “\(step.destination.name)”",
        place: "it names entities or properties that these versions do not have",
        remedy: "name the one that belongs to this step, or write a mapping file"
      )
    }
    return (.mappingModel(file.path), mapping)
  }

  /// The mapping model that lies beside the model and is for this step, as Core Data would take it.
  private func mappingModel(_ index: Int, _ step: Step) throws(DecantError)
    -> (MigrationStage.Origin, Mapping)?
  {
    for path in found.mappingModels {
      let isNamed = check.steps[index].mappingModels.contains(path)
      guard isNamed || check.steps[index].mappingModels.isEmpty else { continue }
      guard
        let mapping = try migration.opener.mappingModel(
          path,
          from: step.source,
          to: step.destination
        )
      else { continue }
      return (.mappingModel(path), mapping)
    }
    return nil
  }

  /// Joins what follows from the models to as few copies as possible.
  private func stages(of steps: [Step]) -> [MigrationStage] {
    var stages: [MigrationStage] = []
    for step in steps {
      if let told = step.told {
        stages.append(
          MigrationStage(
            models: [step.source, step.destination],
            origin: told.origin,
            mapping: told.mapping
          )
        )
      } else if let last = stages.last, last.origin == .inferred {
        stages[stages.count - 1].models.append(step.destination)
      } else {
        let models = [step.source, step.destination]
        stages.append(
          MigrationStage(models: models, origin: .inferred, mapping: Mapping(place: ""))
        )
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

  /// The error of a step about which somebody has to decide.
  private func undecided(_ step: CheckReport.Step) -> DecantError {
    let open = step.changes.filter { $0.demand == .mapping }
    let told = open.prefix(8).map { change in
      "\(change.subject): \(change.text)"
        + (change.examples.isEmpty ? "" : " (\(change.examples.joined(separator: ", ")))")
    }
    let more = open.count > told.count ? ["and \(open.count - told.count) more"] : []
    return DecantError(
      .modelMismatch,
      "from “\(step.from)” to “\(step.to)” somebody has to decide",
      place: (told + more).joined(separator: "\n  "),
      remedy:
        "say what becomes of it in a mapping file, and give it with --mapping '\(step.to)=FILE'; "
        + "“decant copy --suggest-mapping” drafts one. Nothing was changed"
    )
  }

  private func needless(_ file: Migration.StepMapping, _ steps: [Step]) -> DecantError {
    let names = steps.map { "“\($0.destination.name)”" }.joined(separator: ", ")
    guard let version = file.version else {
      return DecantError(
        .usage,
        "“\(file.path)” is for no step: those that are left follow from the models",
        place: "the steps lead to \(names)",
        remedy: "say which one it is for: --mapping 'VERSION=\(file.path)', or leave it away"
      )
    }
    return DecantError(
      .usage,
      "no step leads to the version “\(version)”",
      place: "--mapping \(version)=\(file.path)",
      remedy: "the steps lead to \(names)"
    )
  }
}
