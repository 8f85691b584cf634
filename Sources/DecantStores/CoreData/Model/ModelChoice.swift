internal import Decant

/// What a store shows of the model it was made from, by which the version can be told.
struct StoreTraits {
  /// The bytes by which the store recognises its entities; none where it does not say.
  let versionHashes: [String: [UInt8]]
  let entries: [Bookkeeping.Entry]
  let columns: [String: [String]]
  let place: String

  /// How well a model explains the tables.
  enum Fit: Int {
    /// A table or column is missing, all are there and others too, or all are there and no others.
    case none, loose, whole
  }

  func fit(of model: Model) -> Fit {
    // That the model does not explain the tables is the answer, not a failure.
    guard let numbers = try? EntityNumbers(entries, model: model, place: place).byName,
      let layout = try? CoreDataLayout(
        model: model,
        numbers: numbers,
        columns: columns,
        place: place
      ).layout()
    else { return .none }
    let tables = Set(layout.relations.map(\.table) + layout.linkRelations.map(\.table))
    let others = columns.keys.filter { table in
      table.hasPrefix("Z") && !table.hasPrefix("Z_RT_") && !CoreDataFile.books.contains(table)
        && !tables.contains(table)
    }
    let unnamed = layout.relations.flatMap(\.columns).contains { column in
      if case .unnamed = column.meaning { true } else { false }
    }
    return others.isEmpty && !unnamed ? .whole : .loose
  }
}

/// The version of a model that a store was made from, as far as it can be told.
struct ModelChoice {
  let model: Model
  let version: ModelVersion
  /// Whether it is another version than the place by itself leads to.
  let isOther: Bool
}

extension ModelLocation {
  /// Returns the version asked for; where none is, the one the store was made from.
  ///
  /// By its version hashes, where model and store have them; else the current version if it explains
  /// every table and column, or the newest that does. Where none does, it is the current one, and
  /// what is wrong with that shows later.
  func choice(for store: StoreTraits) throws(DecantError) -> ModelChoice {
    let versions = version == nil ? try versions() : []
    guard versions.count > 1 else {
      let version = try chosenVersion()
      return ModelChoice(model: try version.read(), version: version, isOther: false)
    }
    let hashes = store.versionHashes
    if !hashes.isEmpty, let own = versions.last(where: { $0.versionHashes == hashes }) {
      return ModelChoice(model: try own.read(), version: own, isOther: !own.isCurrent)
    }
    var best: (choice: ModelChoice, fit: StoreTraits.Fit)?
    // The current version is the last one, and the others follow from new to old.
    for version in versions.reversed() {
      // One that cannot be read explains nothing; should it be the current one, that is said below.
      guard let model = try? version.read() else { continue }
      let fit = store.fit(of: model)
      if fit.rawValue > (best?.fit ?? .none).rawValue {
        let choice = ModelChoice(model: model, version: version, isOther: !version.isCurrent)
        best = (choice, fit)
      }
      if fit == .whole { break }
    }
    if let best { return best.choice }
    let version = try chosenVersion()
    return ModelChoice(model: try version.read(), version: version, isOther: false)
  }
}
