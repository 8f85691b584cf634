internal import DecantBase

/// The model version that a store was made from, as far as it can be determined.
struct ModelChoice {
  let model: Model
  let version: ModelVersion
  /// Whether it differs from the version that the place alone would select.
  let isOther: Bool
}

extension ModelLocation {
  /// Returns the requested version, or the current one, if there is no store to compare with.
  func currentChoice() throws(DecantError) -> ModelChoice {
    let version = try chosenVersion()
    return ModelChoice(model: try version.read(), version: version, isOther: false)
  }

  /// Returns the requested version or, if there is none, the one that the store was made from.
  ///
  /// It is determined by version hashes, if model and store have them, or by decant's mark. Otherwise it is the current
  /// version if it matches every table and column, or the newest that does. If none does, it is the current one, and
  /// the mismatch is reported later.
  ///
  /// Versions may differ only in parts that are not visible in tables and columns, such as indexes: if the store's
  /// `model` is known, a version with the same statements takes precedence.
  func choice(for store: StoreTraits, like model: Model? = nil) throws(DecantError) -> ModelChoice {
    // decant's mark in the store is certain; without it, the user's choice takes precedence.
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
    // The current version is the last one; the others follow from new to old.
    for version in versions.reversed() {
      // An unreadable version matches nothing; if it is the current one, this is reported below.
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
  /// Returns the version whose mark decant wrote into the store.
  private func markedChoice(_ versions: [ModelVersion], _ store: StoreTraits) -> ModelChoice? {
    guard let mark = store.mark else { return nil }
    for version in versions.reversed() {
      // The store cannot have been made from an unreadable version.
      guard let model = try? version.read(), ModelMark.of(model) == mark,
        store.fit(of: model) != .none
      else { continue }
      return ModelChoice(model: model, version: version, isOther: !version.isCurrent)
    }
    return nil
  }
}

extension ModelVersion {
  /// Returns whether a store made from this version would be equal to one made from `model`.
  fileprivate func makesSame(as model: Model) -> Bool {
    // An unreadable version makes nothing; if it is requested, this is reported then.
    guard let own = try? read(), own.marks == model.marks else { return false }
    let (here, there) = (GeneratedSchema(own), GeneratedSchema(model))
    return ["table", "index", "trigger"].allSatisfy {
      here.statements($0) == there.statements($0)
    }
  }
}

extension Model {
  /// The texts by which otherwise equal versions differ.
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
