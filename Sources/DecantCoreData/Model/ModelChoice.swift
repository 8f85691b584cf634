internal import DecantBase

/// The version of a model that a store was made from, as far as it can be told.
struct ModelChoice {
  let model: Model
  let version: ModelVersion
  /// Whether it is another version than the place by itself leads to.
  let isOther: Bool
}

extension ModelLocation {
  /// Returns the version asked for, or the current one, where no store tells more.
  func currentChoice() throws(DecantError) -> ModelChoice {
    let version = try chosenVersion()
    return ModelChoice(model: try version.read(), version: version, isOther: false)
  }

  /// Returns the version asked for; where none is, the one the store was made from.
  ///
  /// By its version hashes, where model and store have them, or by decant's mark; else the current version if it explains
  /// every table and column, or the newest that does. Where none does, it is the current one, and
  /// what is wrong with that shows later.
  ///
  /// Versions may differ in what leaves no trace in tables and columns, such as indexes: where the store
  /// knows its `model`, the version that asks for the same statements comes first.
  func choice(for store: StoreTraits, like model: Model? = nil) throws(DecantError) -> ModelChoice {
    // What decant has written into the store is no guess; of a store without it, the user knows more.
    let isToldOtherwise = version != nil && store.versionHashes.isEmpty && store.mark != nil
    let versions = version == nil || isToldOtherwise ? try versions() : []
    if isToldOtherwise {
      let version = try chosenVersion()
      let model = try version.read()
      guard versions.count > 1, ModelMark.of(model) != store.mark,
        let marked = markedChoice(versions, store)
      else { return ModelChoice(model: model, version: version, isOther: false) }
      return marked
    }
    guard versions.count > 1 else {
      let version = try chosenVersion()
      return ModelChoice(model: try version.read(), version: version, isOther: false)
    }
    let hashes = store.versionHashes
    if !hashes.isEmpty, let own = versions.last(where: { $0.versionHashes == hashes }) {
      return ModelChoice(model: try own.read(), version: own, isOther: !own.isCurrent)
    }
    if let marked = markedChoice(versions, store) { return marked }
    if let model, let same = versions.last(where: { $0.makesSame(as: model) }) {
      return ModelChoice(model: try same.read(), version: same, isOther: !same.isCurrent)
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

extension ModelLocation {
  /// The version of which decant has written into the store that it was made after it.
  private func markedChoice(_ versions: [ModelVersion], _ store: StoreTraits) -> ModelChoice? {
    guard let mark = store.mark else { return nil }
    for version in versions.reversed() {
      // One that cannot be read is none that a store was made after.
      guard let model = try? version.read(), ModelMark.of(model) == mark,
        store.fit(of: model) != .none
      else { continue }
      return ModelChoice(model: model, version: version, isOther: !version.isCurrent)
    }
    return nil
  }
}

extension ModelVersion {
  /// Whether a store made from this version would be the same as one made from `model`.
  fileprivate func makesSame(as model: Model) -> Bool {
    // One that cannot be read makes nothing; should it be asked for, that is said then.
    guard let own = try? read(), own.marks == model.marks else { return false }
    let (here, there) = (GeneratedSchema(own), GeneratedSchema(model))
    return ["table", "index", "trigger"].allSatisfy {
      here.statements($0) == there.statements($0)
    }
  }
}

extension Model {
  /// The texts by which versions differ though nothing else does.
  fileprivate var marks: [String: String] {
    var marks: [String: String] = [:]
    for entity in entities {
      marks[entity.name] = entity.versionHashModifier
      for attribute in entity.attributes {
        marks["\(entity.name).\(attribute.name)"] = attribute.versionHashModifier
      }
      for relationship in entity.relationships {
        marks["\(entity.name).\(relationship.name)"] = relationship.versionHashModifier
      }
    }
    return marks
  }
}
