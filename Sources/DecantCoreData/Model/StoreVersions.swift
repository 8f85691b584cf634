package import DecantBase
package import DecantStore
package import DecantVersions

/// Determines the model version of a Core Data store, and the path from there to another version.
///
/// It compares version hashes if store and model have them, which is certain; else the store's own model or, if it has
/// none, its tables.
package struct StoreVersions {
  let location: StoreLocation
  let wanted: ModelLocation
  let through: [ModelLocation]
  private let modelPlace: String?

  package init(_ location: StoreLocation, against wanted: String, through: [String], model: String?) {
    self.location = location
    self.wanted = ModelLocation(wanted)
    self.through = through.map { ModelLocation($0) }
    modelPlace = model
  }

  package func find() throws(DecantError) -> VersionedStore {
    let chosen = try wanted.chosenVersion()
    let target = NamedModel(name: chosen.name, place: chosen.path, model: try chosen.read())
    let file = try CoreDataFile(location)
    var found = VersionedStore(identity: CoreDataSource(file).identity, target: target)
    // The whole bundle, whichever of its versions is requested.
    let candidates =
      through.isEmpty
      ? try VersionCandidates(ModelLocation(path: wanted.path))
      : VersionCandidates(try between() + [chosen])
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
    // A model chosen by matching tables has the same structure by definition.
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

  /// Opens the store with a model: the named one, its own, or the version that matches its tables.
  private func source(
    _ file: CoreDataFile,
    _ candidates: VersionCandidates,
    _ found: inout VersionedStore
  ) throws(DecantError) -> CoreDataSource? {
    // decant's mark in the store takes precedence over the user's choice, like hashes.
    if let own = candidates.marked(file.traits, before: try wanted.chosenVersion(), stem: stem) {
      found.version = RecognisedVersion(name: own.name, evidence: .mark)
      found.versionPlace = own.path
      found.modelPlace = place(of: own, among: candidates)
      return CoreDataSource(try CoreDataFile(location, model: own.path))
    }
    let named = modelPlace.map { ModelLocation($0) }
    if let modelPlace, let named {
      let versions = try VersionCandidates(ModelLocation(path: named.path))
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
      guard through.isEmpty else {
        found.obstacle = try noneOfThrough(file, gap)
        return nil
      }
      found.obstacle = DecantError(
        .modelMissing,
        "\(gap.what), and no version in “\(name)” matches its tables",
        place: gap.spot,
        remedy: gap.advice
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

  /// Returns the error that neither the named versions nor the requested one match the tables.
  private func noneOfThrough(_ file: CoreDataFile, _ gap: DecantError) throws(DecantError) -> DecantError {
    let name = ModelFile(wanted.path).name
    let own = try VersionCandidates(ModelLocation(path: wanted.path)).fitting(file.traits)
    return DecantError(
      .modelMissing,
      "\(gap.what), and none of the versions given with \(option: .through) is the store's",
      place: through.map { "\(option: .through, $0.path)" }.joined(separator: ", "),
      remedy: own.map {
        "remove \(option: .through): version “\($0.version.name)” in “\(name)” matches the store's tables"
      } ?? "pass the versions of the store's own app, the oldest first: \(say: .through) MODEL"
    )
  }

  /// Returns the place of `version` as the user would name it: in the requested bundle, if it is there.
  private func place(of version: ModelVersion, among candidates: VersionCandidates) -> String {
    guard version.path != wanted.path, Files.folder(of: version.path) == wanted.path else {
      return version.path
    }
    return wanted.path + (candidates.versions.count > 1 ? "#\(version.name)" : "")
  }

  /// Returns the version that was named for reading the store, if it is in `versions`.
  private func named(among versions: [ModelVersion]) throws(DecantError) -> ModelVersion? {
    guard let location = modelPlace.map({ ModelLocation($0) }), location.version != nil else {
      return nil
    }
    let path = try location.chosenVersion().path
    return versions.first { Files.isSamePlace($0.path, path) }
  }

  private func addNotes(_ found: inout VersionedStore, _ hashes: [String: [UInt8]], _ candidates: VersionCandidates) {
    if found.hasSameHashes == nil {
      found.notes.append(
        ReportNote(
          .noVersionHashes,
          hashes.isEmpty
            ? "the store has no version hashes: entities and properties were compared instead"
            : "“\(ModelFile(found.target.place).name)” has no version hashes (they are in the compiled "
              + "model, App.momd): entities and properties were compared instead"))
    }
    guard found.version == nil else { return }
    let name = ModelFile(wanted.path).name
    found.notes.append(
      ReportNote(
        .versionUnknown,
        candidates.versions.count == 1
          ? "the store was not created from “\(found.target.name)”: its own model is compared with it"
          : "the store's version is not one of the \(candidates.versions.count) in “\(name)”: its own model "
            + "is compared with “\(found.target.name)”"))
  }

  /// The name of the bundle, which is that of its first version; `nil` if the versions were named in order.
  private var stem: String? { through.isEmpty ? ModelFile(wanted.path).stem : nil }

  /// Returns the named intermediate versions; of a bundle all, in order.
  private func between() throws(DecantError) -> [ModelVersion] { try named().flatMap(\.self) }

  /// Returns the named intermediate versions of each place.
  func named() throws(DecantError) -> [[ModelVersion]] {
    var all: [[ModelVersion]] = []
    for location in through {
      let versions =
        location.version == nil ? try location.versions() : [try location.chosenVersion()]
      for version in versions
      where all.contains(where: { $0.contains { Files.isSamePlace($0.path, version.path) } }) {
        throw DecantError(
          .versionUnclear,
          "“\(version.name)” appears twice in the versions to go through",
          place: "\(version.path)",
          remedy: "list each version once, the oldest first: \(say: .through) MODEL"
        )
      }
      all.append(versions)
    }
    return all
  }
}

extension ModelLocation {
  /// Creates a location at `path` without a requested version.
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
  /// The version hashes in the store; empty if there are none.
  package var versionHashes: [String: [UInt8]] { CoreDataFile.hashes(in: metadata) }
}
