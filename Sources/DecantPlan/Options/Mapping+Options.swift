package import DecantBase

/// The options of a copy that a mapping defines, beside the objects.
extension CopyOptions {
  /// Returns the options combined with those of the mapping on merging and links; the options' own values take
  /// precedence.
  ///
  /// - Throws: `DecantError` of the family `.usage` for conflicting options.
  package func withMapping() throws(DecantError) -> CopyOptions {
    guard let mapping else { return self }
    var options = self
    if let rules = try mapping.mergeRules(beside: merge, appends: appends) { options.merge = rules }
    if options.merge?.needsBase == true {
      throw DecantError(
        .conflictingOptions,
        "\(option: .merge, "three-way") requires stores of the same model, but \(option: .mapping) converts to another model",
        remedy: "copy into a store of the same model first, then merge that store"
      )
    }
    // A limit of the command line takes precedence.
    if rejectLimit == nil, rejectRate == nil {
      options.rejectLimit = mapping.defaults.rejectLimit
      options.rejectRate = mapping.defaults.rejectRate
    }
    if missingDefault == .null { options.missingDefault = mapping.defaults.missing }
    for rule in mapping.relationships where missing[rule.name.text] == nil {
      options.missing[rule.name.text] = rule.missing
    }
    try mapping.checkHashes(leftOver: leftOver, commit: commit)
    if !roots.isEmpty {
      let said = Set(rules.map(\.relationship))
      for rule in mapping.relationships where !said.contains(rule.name.text) {
        // A bound on following links implies that they are followed.
        let isBounded = rule.condition != nil || rule.depth != nil
        guard let word = rule.rule ?? (isBounded ? .follow : nil) else { continue }
        var made = CopyOptions.Rule(rule.name.text, word, where: rule.condition?.text, depth: rule.depth)
        made.place = mapping.place(of: rule.name.mark)
        made.conditionPlace = rule.condition.map { mapping.place(of: $0.mark) }
        options.rules.append(made)
      }
    } else if let rule = mapping.relationships.first(where: { $0.rule == .stop }) {
      // A complete copy includes all objects: a user might expect that the targets are left out.
      throw mapping.mistake(
        "\(rule.name.text): stop only applies with \(option: .root) or \(option: .share), but here everything is copied",
        at: rule.name.mark,
        remedy: "use drop: under its entity, or select a root: \(say: .root)"
      )
    }
    return options
  }
}

extension CopyOptions {
  /// Whether a mapping hides values from the recipient.
  package var hidesValues: Bool { mapping?.hidesValues ?? false }
}

extension Mapping {
  /// Whether every object keeps its entity and is copied once, so that in the same model its key is kept.
  package var keepsEntities: Bool {
    let names = entities.map(\.name.text)
    return Set(names).count == names.count
      && entities.allSatisfy { entity in
        entity.sources.allSatisfy { $0.text == entity.name.text }
      }
  }

  /// Whether the mapping has a rule for merging.
  private var saysMerging: Bool {
    defaults.merge != nil || defaults.duplicates != nil
      || entities.contains { $0.merge != nil || !$0.identity.isEmpty }
  }

  /// Throws if generated identifiers differ in each run, so that nothing could be matched.
  package func checkCanMerge() throws(DecantError) {
    for entity in entities {
      guard let made = entity.generated.first(where: { $0.generator == .random }) else { continue }
      throw mistake(
        "\(entity.name.text).\(made.attribute.text) would be different in each run, so no object could ever match",
        at: made.attribute.mark,
        remedy: "use uuid5 instead of uuid4, or add all objects as new ones: \(say: .append)"
      )
    }
    for entity in entities {
      let names = entity.identity.map(\.text)
      guard
        let hashed = entity.anonymized.first(where: {
          $0.anonymization == .hash && names.contains($0.attribute.text)
        })
      else { continue }
      throw mistake(
        "\(entity.name.text).\(hashed.attribute.text) would get a different hash in each run, so no object could ever match",
        at: hashed.attribute.mark,
        remedy: "add all objects as new ones: \(say: .append)"
      )
    }
  }

  /// Throws if a run would continue with hashes of another key.
  fileprivate func checkHashes(leftOver: CopyOptions.LeftOver, commit: CopyOptions.Commit) throws(DecantError) {
    let hashed = entities.flatMap(\.anonymized).first { $0.anonymization == .hash }
    guard let hashed, leftOver == .resume || commit == .batch else { return }
    throw mistake(
      "\(hashed.attribute.text) is hashed with a key that only this run has, so another run cannot complete the copy",
      at: hashed.attribute.mark,
      remedy: leftOver == .resume
        ? "start over, without \(option: .resume)"
        : "remove \(option: .commit, "batch"): the copy then is a single transaction"
    )
  }

  /// Whether values are hidden from the recipient.
  fileprivate var hidesValues: Bool {
    !stripped.isEmpty || entities.contains { !$0.anonymized.isEmpty }
  }

  /// The identities given in the file, by entity.
  package var saidIdentities: [String: [String]] {
    var said: [String: [String]] = [:]
    for entity in entities where !entity.identity.isEmpty {
      said[entity.name.text] = entity.identity.map(\.text)
    }
    return said
  }

  /// Returns the place of each of `words`, by its text.
  private func places(of words: [Word]) -> [String: String] {
    Dictionary(words.map { ($0.text, place(of: $0.mark)) }) { first, _ in first }
  }

  /// Returns `rules` completed by those of the file; `nil` if nothing is merged.
  fileprivate func mergeRules(beside rules: MergeRules?, appends: Bool) throws(DecantError) -> MergeRules? {
    guard !appends, rules != nil || saysMerging else { return rules }
    var all = rules ?? MergeRules(.error)
    if rules == nil, let general = defaults.merge { all.rule = general.rule }
    var seen: [String: Merge] = [:]
    var identities: [String: [Word]] = [:]
    for entity in entities {
      let name = entity.name.text
      if let merge = entity.merge {
        if let other = seen[name], other.rule != merge.rule {
          throw mistake(
            "two merge rules are given for \(name)",
            at: merge.mark,
            remedy: "keep only one; the other is in line \(other.mark.line)"
          )
        }
        seen[name] = merge
        if all.rules[name] == nil {
          all.rules[name] = merge.rule
          all.places.keeps[name] = places(of: merge.keep)
          all.places.times[name] = merge.by.map { place(of: $0.mark) }
        }
      }
      guard let first = entity.identity.first else { continue }
      let words = Set(entity.identity.map(\.text))
      if let other = identities[name], let mark = other.first?.mark, Set(other.map(\.text)) != words {
        throw mistake(
          "two identities are given for \(name)",
          at: first.mark,
          remedy: "keep only one; the other is in line \(mark.line)"
        )
      }
      identities[name] = entity.identity
      if all.identities[name] == nil {
        all.identities[name] = entity.identity.map(\.text)
        all.places.identities[name] = places(of: entity.identity)
      }
    }
    if all.duplicates == nil { all.duplicates = defaults.duplicates }
    return all
  }
}

extension Mapping.Merge {
  /// The rule in the form of `MergeRules`.
  package var rule: MergeRules.Rule {
    var rule = MergeRules.Rule(policy, by: by?.text)
    rule.keeps = keep.map(\.text)
    return rule
  }
}
