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
    found.lacksHashes = target.model.versionHashes != nil && hashes.isEmpty
    if let there = target.model.versionHashes, !hashes.isEmpty {
      found.hasSameHashes = there == hashes
    }
    let alike = candidates.alike(source.model, hashes: hashes)
    // A model that was taken because it explains the tables says the same of entities and properties, of course.
    if found.version?.evidence == .mark {
      found.rivals = []
    } else if alike.evidence == .structure, let named = try named(among: alike.versions) {
      found.version = RecognisedVersion(name: named.name, evidence: .named)
      found.versionPlace = named.path
    } else if found.version == nil || alike.evidence == .hashes {
      let own = candidates.newest(of: alike.versions, before: chosen, stem: stem)
      found.version = own.map { RecognisedVersion(name: $0.name, evidence: alike.evidence) }
      found.versionPlace = own?.path
      if alike.evidence == .hashes { found.rivals = [] }
      if let own, own.name != target.name {
        found.notes += candidates.notes(on: own, among: alike.versions)
      }
    }
    if modelPlace != nil, found.version?.evidence == .structure { found.version?.evidence = .named }
    found.notes += source.readingNotes
    addNotes(&found, hashes, candidates)
    try addChain(&found, candidates, alike.versions)
    return found
  }

  /// Opens the store with a model: the one that was named, its own, or the version that explains its tables.
  private func source(
    _ file: CoreDataFile,
    _ candidates: Candidates,
    _ found: inout VersionedStore
  ) throws(DecantError) -> CoreDataSource? {
    // What decant wrote into the store counts more than what anybody says, as hashes do.
    if let own = candidates.marked(file.traits, before: try wanted.chosenVersion(), stem: stem) {
      found.version = RecognisedVersion(name: own.name, evidence: .mark)
      found.versionPlace = own.path
      found.modelPlace = place(of: own, among: candidates)
      return CoreDataSource(try CoreDataFile(location, model: own.path))
    }
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
      found.rivals = fitting.rivals
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
    found.versionPlace = fitting.version.path
    found.notes += fitting.notes(wanted.path)
    found.rivals = fitting.rivals
    found.modelPlace = place(of: fitting.version, among: candidates)
    return CoreDataSource(try CoreDataFile(location, model: fitting.version.path))
  }

  /// How a user names `version`: as one of the wanted bundle, where it is one.
  private func place(of version: ModelVersion, among candidates: Candidates) -> String {
    guard version.path != wanted.path, Files.folder(of: version.path) == wanted.path else {
      return version.path
    }
    return wanted.path + (candidates.versions.count > 1 ? "#\(version.name)" : "")
  }

  /// The version that was named to read the store with, where it is one of `versions`.
  private func named(among versions: [ModelVersion]) throws(DecantError) -> ModelVersion? {
    guard let location = modelPlace.map({ ModelLocation($0) }), location.version != nil else {
      return nil
    }
    let path = try location.chosenVersion().path
    return versions.first { Files.isSamePlace($0.path, path) }
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

  /// The bundle's own name, which its first version has; `nil` where the order was named.
  private var stem: String? { through.isEmpty ? ModelFile(wanted.path).stem : nil }

  /// The versions that were named as those between: of a bundle all, in their order.
  private func between() throws(DecantError) -> [ModelVersion] { try named().flatMap(\.self) }

  /// The same, of each place by itself.
  private func named() throws(DecantError) -> [[ModelVersion]] {
    var all: [[ModelVersion]] = []
    for location in through {
      let versions =
        location.version == nil ? try location.versions() : [try location.chosenVersion()]
      for version in versions
      where all.contains(where: { $0.contains { Files.isSamePlace($0.path, version.path) } }) {
        throw DecantError(
          .modelMismatch,
          "“\(version.name)” is named twice among the versions to go through",
          place: version.path,
          remedy: "name each version once, the oldest first: --through MODEL"
        )
      }
      all.append(versions)
    }
    return all
  }

  /// Whether a mark, or who named the store's version, says that it is the one that is wanted.
  private func isKnownAsTarget(_ found: VersionedStore) -> Bool {
    guard let place = found.versionPlace, let evidence = found.version?.evidence,
      evidence == .mark || evidence == .named
    else { return false }
    return Files.isSamePlace(place, found.target.place)
  }

  /// Finds the way through the versions that were named, of which the store may have each of `alike`.
  private func addNamedChain(_ found: inout VersionedStore, _ alike: [ModelVersion])
    throws(DecantError)
  {
    guard let source = found.source, found.hasSameHashes != true, !isKnownAsTarget(found) else {
      return
    }
    var models: [NamedModel] = []
    // Which of the places each of them lies in.
    var places: [Int] = []
    for (place, versions) in try named().enumerated() {
      for version in versions {
        models.append(
          NamedModel(name: version.name, place: version.path, model: try version.read())
        )
        places.append(place)
      }
    }
    // Of a bundle the store has one, and another one may be what is wanted, under a name of its own.
    let isBundle = through.contains { $0.version == nil } && models.count > 1
    let own = Set(alike.map(\.path) + [found.versionPlace].compactMap(\.self))
    let starts = models.indices.filter {
      own.contains(models[$0].place) && models[$0].place != found.target.place
    }
    let ends = models.indices.filter { models[$0].model.isSame(as: found.target.model) }
    var ways: [(start: Int, end: Int)] = []
    for end in ends {
      guard let start = starts.last(where: { $0 <= end && $0 > ways.last?.end ?? -1 }) else {
        continue
      }
      ways.append((start, end))
    }
    guard Set(ways.map { places[$0.end] }).count < 2 else {
      found.obstacle = DecantError(
        .modelMismatch,
        "two ways lead from the store's version to the one that is wanted",
        place: ways.map { "“\(models[$0.start].place)” to “\(models[$0.end].place)”" }
          .joined(separator: ", "),
        remedy: "name the versions of one of them: --through MODEL"
      )
      return
    }
    let (start, end) = (ways.last?.start ?? starts.last, ways.last?.end ?? ends.first)
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
    let first = NamedModel(
      name: start.map { models[$0].name } ?? "the store's own model",
      place: found.modelPlace ?? location.place,
      model: source.model
    )
    let between = models[
      (start.map { $0 + 1 } ?? 0)..<max(end ?? models.count, start.map { $0 + 1 } ?? 0)
    ]
    found.chain = [first] + between + [found.target]
  }

  /// Finds the versions that lead from the store's to the one that is wanted.
  private func addChain(
    _ found: inout VersionedStore,
    _ candidates: Candidates,
    _ alike: [ModelVersion]
  ) throws(DecantError) {
    guard through.isEmpty else { return try addNamedChain(&found, alike) }
    guard let own = found.version?.name, own != found.target.name else { return }
    // The current version is the last one, unless another is asked for that has a later name.
    let byName = candidates.versions.byName(of: ModelFile(wanted.path).stem)
    let orders = [candidates.versions, byName]
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
      let later = byName.drop { $0.name != found.target.name }.dropFirst().map(\.name)
      let odd = found.chain.map(\.name).filter(later.contains).map { "“\($0)”" }
      if !odd.isEmpty {
        found.notes.append(
          "the way goes through \(odd.joined(separator: ", ")), though “\(found.target.name)” comes before by its name: "
            + "it is the bundle's current version; decant migrate --through names another way"
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
            + "--model \("\(place)#\(rivals[1])".shellWord) says otherwise"
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

  /// Returns the version after which decant made a store that has no hashes; `nil` where it did not, or it is none of
  /// these.
  func marked(_ traits: StoreTraits, before wanted: ModelVersion, stem: String?) -> ModelVersion? {
    guard let mark = traits.mark else { return nil }
    let own = versions.filter { version in
      // One that cannot be read is none that a store was made after.
      guard let model = try? version.read() else { return false }
      return ModelMark.of(model) == mark && traits.fit(of: model) != .none
    }
    return newest(of: own, before: wanted, stem: stem)
  }

  /// Returns the versions that a store of `model` with these hashes may have, in their order, and by what it was told.
  func alike(_ model: Model, hashes: [String: [UInt8]]) -> (
    versions: [ModelVersion], evidence: RecognisedVersion.Evidence
  ) {
    var (certain, same): ([ModelVersion], [ModelVersion]) = ([], [])
    for version in versions {
      guard let other = try? version.read() else { continue }
      if let there = other.versionHashes, !hashes.isEmpty {
        if there == hashes { certain.append(version) }
      } else if model.isSame(as: other) {
        same.append(version)
      }
    }
    return certain.isEmpty ? (same, .structure) : (certain, .hashes)
  }

  /// Returns the newest of the versions `alike` that does not come after the one that is wanted; where all do, the
  /// newest.
  ///
  /// Versions are in their order, or by name in the bundle `stem`, where that has the wanted one behind them.
  func newest(of alike: [ModelVersion], before wanted: ModelVersion, stem: String?)
    -> ModelVersion?
  {
    let paths = Set(alike.map(\.path))
    for order in [versions] + (stem.map { [versions.byName(of: $0)] } ?? []) {
      let end = order.firstIndex { $0.path == wanted.path }
      let own = end.flatMap { order[...$0].last { paths.contains($0.path) } }
      if let own { return own }
    }
    return alike.last
  }

  /// What a reader should know where the store may be of an older version than `own`, with others between.
  func notes(on own: ModelVersion, among alike: [ModelVersion]) -> [String] {
    let paths = Set(alike.map(\.path))
    guard let end = versions.firstIndex(where: { $0.path == own.path }),
      let start = versions[..<end].firstIndex(where: { paths.contains($0.path) }),
      versions[start...end].contains(where: { !paths.contains($0.path) })
    else { return [] }
    return [
      "versions “\(versions[start].name)” and “\(own.name)” are the same: what lies between them is not gone through"
    ]
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
