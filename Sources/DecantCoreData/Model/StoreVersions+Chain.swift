internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantVersions

/// Finding the path from the store's version to the requested one.
extension StoreVersions {
  /// Returns whether a mark or the user identifies the store's version as the requested one.
  private func isKnownAsTarget(_ found: VersionedStore) -> Bool {
    guard let place = found.versionPlace, let evidence = found.version?.evidence,
      evidence == .mark || evidence == .named
    else { return false }
    return Files.isSamePlace(place, found.target.place)
  }

  /// Finds the path through the named versions; the store may have any version in `alike`.
  private func addNamedChain(_ found: inout VersionedStore, _ alike: [ModelVersion]) throws(DecantError) {
    guard let source = found.source, found.hasSameHashes != true, !isKnownAsTarget(found) else {
      return
    }
    var models: [NamedModel] = []
    // The index of the place of each version.
    var places: [Int] = []
    for (place, versions) in try named().enumerated() {
      for version in versions {
        models.append(NamedModel(name: version.name, place: version.path, model: try version.read()))
        places.append(place)
      }
    }
    // The store has one version of a bundle, and the requested version may be another one under a different name.
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
        .versionUnclear,
        "there are two paths from the store's version to the requested one",
        place: ways.map { "“\(models[$0.start].place)” to “\(models[$0.end].place)”" }
          .joined(separator: ", "),
        remedy: "list the versions of one of them: \(say: .through) MODEL"
      )
      return
    }
    let (start, end) = (ways.last?.start ?? starts.last, ways.last?.end ?? ends.first)
    guard !isBundle || start != nil && end != nil else {
      found.obstacle = DecantError(
        .versionUnclear,
        start == nil
          ? "the store's version is not one of the versions to go through"
          : "the requested version is not one of the versions to go through",
        place: models.map { "“\($0.name)”" }.joined(separator: ", "),
        remedy: "list the versions in between: \(say: .through) 'MODEL#VERSION'"
      )
      return
    }
    if let start, let end, end < start {
      found.isNewer = true
      found.obstacle = DecantError(
        .storeIsNewer,
        "the store is newer than the model: its version “\(models[start].name)” comes after “\(models[end].name)”",
        place:
          "the versions in order: \(models.map { "“\($0.name)”" }.joined(separator: ", "))",
        remedy:
          "migration only goes forward: use a later version, or copy into a new store with a mapping file"
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

  /// Finds the versions between that of the store and the requested one.
  func addChain(
    _ found: inout VersionedStore,
    _ candidates: VersionCandidates,
    _ alike: [ModelVersion]
  ) throws(DecantError) {
    guard through.isEmpty else { return try addNamedChain(&found, alike) }
    guard let own = found.version?.name, own != found.target.name else { return }
    // The current version is the last one, unless a version with a later name is requested.
    let byName = candidates.versions.byName(of: ModelFile(wanted.path).stem)
    let orders = [candidates.versions, byName]
    for versions in orders {
      let names = versions.map(\.name)
      guard let start = names.firstIndex(of: own),
        let end = names.firstIndex(of: found.target.name), start < end
      else { continue }
      for version in versions[start...end] {
        found.chain.append(NamedModel(name: version.name, place: version.path, model: try version.read()))
      }
      let later = byName.drop { $0.name != found.target.name }.dropFirst().map(\.name)
      let odd = found.chain.map(\.name).filter(later.contains).map { "“\($0)”" }
      if !odd.isEmpty {
        found.notes.append(
          ReportNote(
            .pathUnusual,
            "the path goes through \(odd.joined(separator: ", ")), although “\(found.target.name)” sorts before by name: "
              + "it is the bundle's current version",
            remedy: "to use another path, pass \(command: "migrate", app: "the migration") \(say: .through)"
          )
        )
      }
      return
    }
    guard found.hasSameHashes != true else { return }
    let names = candidates.versions.map { "“\($0.name)”" }
    found.obstacle = DecantError(
      .storeIsNewer,
      "the store is newer than the model: its version “\(own)” comes after “\(found.target.name)”",
      place: "the versions in order: \(names.joined(separator: ", "))",
      remedy:
        "migration only goes forward: use a later version, or copy into a new store with a mapping file"
    )
  }
}
