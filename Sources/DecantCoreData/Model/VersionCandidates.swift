package import DecantBase
internal import DecantStore
internal import DecantVersions

/// The versions in which the version of a store is searched.
package struct VersionCandidates {
  let versions: [ModelVersion]

  package init(_ bundle: ModelLocation) throws(DecantError) {
    versions = try bundle.versions()
  }

  init(_ versions: [ModelVersion]) { self.versions = versions }

  /// A version that matches the tables of a store.
  package struct Fitting {
    package let version: ModelVersion
    /// Whether the store has tables or columns that are not in the version.
    var isLoose = false
    /// The names of all versions that match equally well.
    var rivals: [String] = []

    /// Returns notes about the choice, for versions in `place`.
    func notes(_ place: String) -> [ReportNote] {
      var notes: [ReportNote] = []
      if isLoose {
        notes.append(
          ReportNote(.notInModel, "the tables contain more than version “\(version.name)” defines, which is ignored"))
      }
      if rivals.count > 1 {
        let names = rivals.map { "“\($0)”" }.joined(separator: ", ")
        notes.append(
          ReportNote(
            .versionAssumed,
            "the tables are the same in the versions \(names): the first is assumed, because it requires most",
            remedy: "to use another, pass \(say: .model, "\(place)#\(rivals[1])")"
          )
        )
      }
      return notes
    }
  }

  /// Returns the version for a store without a model: by its hashes, else the oldest that matches all its tables.
  ///
  /// Tables do not show whether an attribute is required, or how many bits an integer has. If versions differ only in
  /// that, choosing the newest could hide a migration that is needed.
  package func fitting(_ traits: StoreTraits) -> Fitting? {
    var whole: [ModelVersion] = []
    var loose: ModelVersion?
    for version in versions {
      // An unreadable version matches nothing.
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

  /// Returns the version that decant made a store without hashes from; `nil` if there is none among these.
  func marked(_ traits: StoreTraits, before wanted: ModelVersion, stem: String?) -> ModelVersion? {
    guard let mark = traits.mark else { return nil }
    let own = versions.filter { version in
      // The store cannot have been made from an unreadable version.
      guard let model = try? version.read() else { return false }
      return ModelMark.of(model) == mark && traits.fit(of: model) != .none
    }
    return newest(of: own, before: wanted, stem: stem)
  }

  /// Returns the versions that a store with this model and these hashes may have, in order, and the evidence.
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

  /// Returns the newest version in `alike` that is not later than the requested one; if all are later, the newest.
  ///
  /// The versions are ordered as given or, if that finds none, by name in the bundle `stem`.
  func newest(of alike: [ModelVersion], before wanted: ModelVersion, stem: String?) -> ModelVersion? {
    let paths = Set(alike.map(\.path))
    for order in [versions] + (stem.map { [versions.byName(of: $0)] } ?? []) {
      let end = order.firstIndex { $0.path == wanted.path }
      let own = end.flatMap { order[...$0].last { paths.contains($0.path) } }
      if let own { return own }
    }
    return alike.last
  }

  /// Returns notes if the store may have an older version than `own`, with other versions in between.
  func notes(on own: ModelVersion, among alike: [ModelVersion]) -> [ReportNote] {
    let paths = Set(alike.map(\.path))
    guard let end = versions.firstIndex(where: { $0.path == own.path }),
      let start = versions[..<end].firstIndex(where: { paths.contains($0.path) }),
      versions[start...end].contains(where: { !paths.contains($0.path) })
    else { return [] }
    return [
      ReportNote(
        .versionsSkipped,
        "versions “\(versions[start].name)” and “\(own.name)” are the same: the versions between them are skipped"
      )
    ]
  }
}
