internal import Decant

/// Finds out which version of a model a Core Data store has, and what leads from there to another.
///
/// By version hashes where store and model have them, which is certain; else by what the store's own model says,
/// or where it has none by its tables.
struct StoreVersions {
  private let location: StoreLocation
  private let wanted: ModelLocation
  private let through: [ModelLocation]
  private let modelPlace: String?

  init(_ location: StoreLocation, against wanted: String, through: [String], model: String?) {
    self.location = location
    self.wanted = ModelLocation(wanted)
    self.through = through.map { ModelLocation($0) }
    modelPlace = model
  }

  func find() throws(DecantError) -> VersionedStore {
    let chosen = try wanted.chosenVersion()
    let target = NamedModel(name: chosen.name, place: chosen.path, model: try chosen.read())
    let file = try CoreDataFile(location)
    var found = VersionedStore(identity: CoreDataSource(file).identity, target: target)
    // The bundle as a whole, whichever of its versions is wanted.
    let candidates =
      through.isEmpty
      ? try Candidates(ModelLocation(path: wanted.path))
      : Candidates(try between() + [chosen])
    let places = ([wanted] + through).map(\.path)
    found.mappingModels = Set(places).sorted().flatMap { ModelFile($0).mappingModels }
    guard let source = try source(file, candidates, &found) else { return found }
    found.source = source
    found.modelOrigin = source.file.modelOrigin
    let hashes = file.versionHashes
    if let there = target.model.versionHashes, !hashes.isEmpty {
      found.hasSameHashes = there == hashes
    }
    let version = candidates.version(of: source.model, hashes: hashes)
    // A model that was taken because it explains the tables says the same of entities and properties, of course.
    if found.version == nil || version?.evidence == .hashes { found.version = version }
    if modelPlace != nil, found.version?.evidence == .structure { found.version?.evidence = .named }
    found.notes += source.readingNotes
    addNotes(&found, hashes, candidates)
    try addChain(&found, candidates)
    return found
  }

  /// Opens the store with a model: the one that was named, its own, or the version that explains its tables.
  private func source(
    _ file: CoreDataFile,
    _ candidates: Candidates,
    _ found: inout VersionedStore
  ) throws(DecantError) -> CoreDataSource? {
    let named = modelPlace.map { ModelLocation($0) }
    if let modelPlace, let named {
      let versions = try Candidates(ModelLocation(path: named.path))
      guard named.version == nil, versions.versions.count > 1,
        let fitting = versions.fitting(file.traits)
      else {
        found.modelPlace = modelPlace
        return CoreDataSource(try CoreDataFile(location, model: modelPlace))
      }
      found.notes += fitting.notes(named.path)
      let place = "\(named.path)#\(fitting.version.name)"
      found.modelPlace = place
      return CoreDataSource(try CoreDataFile(location, model: place))
    }
    guard let gap = file.modelGap else { return CoreDataSource(file) }
    guard let fitting = candidates.fitting(file.traits) else {
      let name = ModelFile(wanted.path).name
      found.obstacle = DecantError(
        .modelMismatch,
        gap.message + ", and none of the versions in “\(name)” explains its tables",
        place: gap.place,
        remedy: gap.remedy
      )
      return nil
    }
    found.version = RecognisedVersion(name: fitting.version.name, evidence: .tables)
    found.notes += fitting.notes(wanted.path)
    let suffix = candidates.versions.count > 1 ? "#\(fitting.version.name)" : ""
    found.modelPlace = wanted.path + suffix
    return CoreDataSource(try CoreDataFile(location, model: wanted.path + suffix))
  }

  private func addNotes(
    _ found: inout VersionedStore,
    _ hashes: [String: [UInt8]],
    _ candidates: Candidates
  ) {
    if found.hasSameHashes == nil {
      found.notes.append(
        hashes.isEmpty
          ? "the store has no version hashes: entities and properties were compared instead"
          : "“\(ModelFile(found.target.place).name)” has no version hashes, which are in the compiled "
            + "model, App.momd: entities and properties were compared instead"
      )
    }
    guard found.version == nil else { return }
    let name = ModelFile(wanted.path).name
    found.notes.append(
      candidates.versions.count == 1
        ? "the store was not made from “\(found.target.name)”: its own model is compared with it"
        : "the store's version is none of the \(candidates.versions.count) in “\(name)”: its own model "
          + "is compared with “\(found.target.name)”"
    )
  }

  /// The versions that were named as those between: of a bundle all, in their order.
  private func between() throws(DecantError) -> [ModelVersion] {
    var versions: [ModelVersion] = []
    for location in through {
      versions += location.version == nil ? try location.versions() : [try location.chosenVersion()]
    }
    return versions
  }

  /// Finds the way through the versions that were named.
  private func addNamedChain(_ found: inout VersionedStore) throws(DecantError) {
    guard let source = found.source, found.hasSameHashes != true else { return }
    var models: [NamedModel] = []
    for version in try between() {
      models.append(NamedModel(name: version.name, place: version.path, model: try version.read()))
    }
    // Of a bundle the store has one, and another one may be what is wanted, under a name of its own.
    let isBundle = through.contains { $0.version == nil } && models.count > 1
    let start = models.lastIndex { model in
      model.name == found.version?.name && model.place != found.target.place
    }
    let end = models.firstIndex { $0.model.isSame(as: found.target.model) }
    guard !isBundle || start != nil else {
      found.obstacle = DecantError(
        .modelMismatch,
        "the store's version is none of those to go through",
        place: models.map { "“\($0.name)”" }.joined(separator: ", "),
        remedy: "name those between one by one: --through 'MODEL#VERSION'"
      )
      return
    }
    guard !isBundle || end != nil else {
      found.obstacle = DecantError(
        .modelMismatch,
        "the version that is wanted is none of those to go through, so that nobody knows where they end",
        place: models.map { "“\($0.name)”" }.joined(separator: ", "),
        remedy: "name those between one by one: --through 'MODEL#VERSION'"
      )
      return
    }
    if let start, let end, end < start {
      found.obstacle = DecantError(
        .modelMismatch,
        "the store is newer than the model: its version “\(models[start].name)” comes after “\(models[end].name)”",
        place:
          "the versions in their order: \(models.map { "“\($0.name)”" }.joined(separator: ", "))",
        remedy:
          "no versions lead back: name a later one, or copy into a new store with a mapping file"
      )
      return
    }
    let own = NamedModel(
      name: start.map { models[$0].name } ?? "the store's own model",
      place: found.modelPlace ?? location.place,
      model: source.model
    )
    let between = models[
      (start.map { $0 + 1 } ?? 0)..<max(end ?? models.count, start.map { $0 + 1 } ?? 0)
    ]
    found.chain = [own] + between + [found.target]
  }

  /// Finds the versions that lead from the store's to the one that is wanted.
  private func addChain(_ found: inout VersionedStore, _ candidates: Candidates)
    throws(DecantError)
  {
    guard through.isEmpty else { return try addNamedChain(&found) }
    guard let own = found.version?.name, own != found.target.name else { return }
    // The current version is the last one, unless another is asked for that has a later name.
    let orders = [candidates.versions, candidates.versions.byName(of: ModelFile(wanted.path).stem)]
    for versions in orders {
      let names = versions.map(\.name)
      guard let start = names.firstIndex(of: own),
        let end = names.firstIndex(of: found.target.name), start < end
      else { continue }
      for version in versions[start...end] {
        found.chain.append(
          NamedModel(name: version.name, place: version.path, model: try version.read())
        )
      }
      return
    }
    guard found.hasSameHashes != true else { return }
    let names = candidates.versions.map { "“\($0.name)”" }
    found.obstacle = DecantError(
      .modelMismatch,
      "the store is newer than the model: its version “\(own)” comes after “\(found.target.name)”",
      place: "the versions in their order: \(names.joined(separator: ", "))",
      remedy:
        "no versions lead back: name a later one, or copy into a new store with a mapping file"
    )
  }
}

/// The versions among which that of a store is looked for.
private struct Candidates {
  let versions: [ModelVersion]

  init(_ bundle: ModelLocation) throws(DecantError) {
    versions = try bundle.versions()
  }

  init(_ versions: [ModelVersion]) { self.versions = versions }

  /// A version that explains the tables of a store.
  struct Fitting {
    let version: ModelVersion
    /// Whether the store has tables or columns that it does not know.
    var isLoose = false
    /// The names of all versions that explain the tables as well.
    var rivals: [String] = []

    /// What a reader should know, where the versions lie in `place`.
    func notes(_ place: String) -> [String] {
      var notes: [String] = []
      if isLoose {
        notes.append(
          "the tables hold more than version “\(version.name)” says: that is not looked at"
        )
      }
      if rivals.count > 1 {
        let names = rivals.map { "“\($0)”" }.joined(separator: ", ")
        notes.append(
          "the tables are alike in the versions \(names): the first is assumed, as it asks for most; "
            + "--model '\(ModelFile(place).name)#\(rivals[1])' says otherwise"
        )
      }
      return notes
    }
  }

  /// Returns the version by which a store without a model can be read: by its hashes, else the oldest that explains
  /// all of its tables.
  ///
  /// Whether an attribute is required, or how many bits an integer has, leaves no trace in tables. Of versions that
  /// differ in no more, the newest would have a migration seem needless that is needed.
  func fitting(_ traits: StoreTraits) -> Fitting? {
    var whole: [ModelVersion] = []
    var loose: ModelVersion?
    for version in versions {
      // One that cannot be read explains nothing.
      guard let model = try? version.read() else { continue }
      let fit = traits.fit(of: model)
      guard fit != .none else { continue }
      if !traits.versionHashes.isEmpty, model.versionHashes == traits.versionHashes {
        return Fitting(version: version, isLoose: fit == .loose)
      }
      if fit == .whole { whole.append(version) } else { loose = version }
    }
    if let first = whole.first { return Fitting(version: first, rivals: whole.map(\.name)) }
    return loose.map { Fitting(version: $0, isLoose: true) }
  }

  /// Returns which version a store of `model` with these hashes has; the newest of several.
  func version(of model: Model, hashes: [String: [UInt8]]) -> RecognisedVersion? {
    for version in versions.reversed() {
      guard let other = try? version.read() else { continue }
      if let there = other.versionHashes, !hashes.isEmpty {
        guard there == hashes else { continue }
        return RecognisedVersion(name: version.name, evidence: .hashes)
      }
      guard model.isSame(as: other) else { continue }
      return RecognisedVersion(name: version.name, evidence: .structure)
    }
    return nil
  }
}

extension ModelLocation {
  /// The versions at `path`, none of which is asked for.
  fileprivate init(path: String) {
    self.path = path
    version = nil
  }
}

extension ModelFile {
  /// The mapping models beside a model, and in its folder.
  fileprivate var mappingModels: [String] {
    [folder, self].filter(\.isFolder).flatMap { place in
      ["cdm", "xcmappingmodel"].flatMap { place.files(withExtension: $0).map(\.path) }
    }
  }
}

extension CoreDataFile {
  /// The bytes by which the store recognises its entities; none where it does not say.
  var versionHashes: [String: [UInt8]] { CoreDataFile.hashes(in: metadata) }
}
