package import DecantBase
internal import DecantStore
internal import DecantVersions

/// The versions among which that of a store is looked for.
package struct VersionCandidates {
  let versions: [ModelVersion]

  package init(_ bundle: ModelLocation) throws(DecantError) {
    versions = try bundle.versions()
  }

  init(_ versions: [ModelVersion]) { self.versions = versions }

  /// A version that explains the tables of a store.
  package struct Fitting {
    package let version: ModelVersion
    /// Whether the store has tables or columns that it does not know.
    var isLoose = false
    /// The names of all versions that explain the tables as well.
    var rivals: [String] = []

    /// What a reader should know, where the versions lie in `place`.
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

  /// Returns the version by which a store without a model can be read: by its hashes, else the oldest that explains
  /// all of its tables.
  ///
  /// Whether an attribute is required, or how many bits an integer has, leaves no trace in tables. Of versions that
  /// differ in no more, the newest would have a migration seem needless that is needed.
  package func fitting(_ traits: StoreTraits) -> Fitting? {
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
  func newest(of alike: [ModelVersion], before wanted: ModelVersion, stem: String?) -> ModelVersion? {
    let paths = Set(alike.map(\.path))
    for order in [versions] + (stem.map { [versions.byName(of: $0)] } ?? []) {
      let end = order.firstIndex { $0.path == wanted.path }
      let own = end.flatMap { order[...$0].last { paths.contains($0.path) } }
      if let own { return own }
    }
    return alike.last
  }

  /// What a reader should know where the store may be of an older version than `own`, with others between.
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
