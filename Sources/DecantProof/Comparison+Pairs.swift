internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension Comparison {
  /// Pairs objects with equal keys, if both stores have a common origin.
  ///
  /// If no pair differs then, none differs by `pair(by:)` either, which takes longer.
  ///
  /// - Returns: How the objects of each concrete entity were paired; `nil` if keys may differ.
  /// - Throws: `DecantError` if a store cannot be read.
  func pairEqualKeys() throws(DecantError) -> [String: MatchedBy]? {
    guard table == nil, source.modelGap == nil else { return nil }
    var included: [String: KeySet] = [:]
    for relation in source.layout.relations {
      guard let existing = ids.map(of: relation.root)?.existing else { continue }
      ids.add(IDMap(root: relation.root, form: .keep, existing: existing, included: existing))
      included[relation.root] = existing
    }
    let layouts = Sided(source.layout, destination.layout)
    let isKept = try explaining("cannot match the objects of the two stores") {
      () throws(SQLiteError) in
      try proof(plan).prepare(connection)
      let roots = MatchRoot.all(of: plan, source.model, layouts)
      return try Lineage(connection: connection).roots(roots) { included[$0] }.count == roots.count
    }
    guard isKept else { return nil }
    var matched: [String: MatchedBy] = [:]
    for relation in source.layout.relations {
      let way: MatchedBy =
        switch relation.key {
        case .integer: .key
        case .values: .identity
        case .none: .content
        }
      for entity in relation.entities { matched[entity.name] = way }
    }
    return matched
  }

  /// Pairs the objects of both stores as a merge would, and records the pairs in the ID table.
  ///
  /// - Parameters:
  ///   - rules: The identities of objects, and whether both stores have a common origin; ignored if an ID table was
  ///     given.
  ///   - keepsKeys: Whether rows of plain databases that kept their keys go by these only, although a merge would find more.
  ///   - progress: Reports the progress.
  /// - Returns: How the objects of each concrete entity were paired.
  /// - Throws: `DecantError` if a store cannot be read, or an identity is not unique.
  func pair(by rules: MergeRules, keepsKeys: Bool = false, _ progress: SearchProgress) throws(DecantError)
    -> [String: MatchedBy]
  {
    guard table == nil else { return counts.mapValues { _ in .ids } }
    // Without a model the link columns are unknown, so that keys cannot differ.
    guard source.modelGap == nil else { return counts.mapValues { _ in .key } }
    let declared = Set(rules.identities.keys)
    var rules = rules
    rules.rule = MergeRules.Rule(.skip)
    rules.rules = [:]
    rules.takeLikeness(of: source, destination.layout)
    // With a declared identity, only the first of several duplicates gets a partner.
    rules.duplicates = rules.identities.isEmpty ? nil : .first
    var included: [String: KeySet] = [:]
    for relation in source.layout.relations {
      guard let existing = ids.map(of: relation.root)?.existing else { continue }
      ids.add(IDMap(root: relation.root, form: .keep, existing: existing, included: existing))
      included[relation.root] = existing
    }
    let layouts = Sided(source.layout, destination.layout)
    let matching = try explaining("cannot match the objects of the two stores") {
      () throws(SQLiteError) in
      try proof(plan).prepare(connection)
      let roots = MatchRoot.all(of: plan, source.model, layouts, declared: rules.identities)
      let lineage = try Lineage(connection: connection, rule: rules.lineage).roots(roots) {
        included[$0]
      }
      rules.take(try FoundIdentities(rules, roots, source.model, lineage: lineage, on: connection))
      rules.keptKeys = lineage
      return try Matcher(
        plan,
        model: source.model,
        layouts: layouts,
        schemas: Sided { $0.schema },
        rules: rules,
        included: included,
        keepsPartners: true,
        on: connection
      )
    }
    progress.show(0.2)
    matching.progress = progress.part(0.2...0.95)
    lineage = matching.lineage
    let pairs = try matching.run()
    var matched: [String: MatchedBy] = [:]
    for relation in source.layout.relations {
      guard let own = pairs[relation.root], let root = matching.hashes.root(relation.root),
        let existing = included[relation.root]
      else {
        for entity in relation.entities {
          matched[entity.name] = relation.key == .none ? .content : .identity
        }
        continue
      }
      let isKept = matching.lineage.contains(root.name)
      let isDeclared = root.relations.destination.entities.contains { declared.contains($0.name) }
      let isByKey = if keepsKeys, isKept, !isDeclared { try goesByKey(own, existing, relation) } else { false }
      let byContent = try explaining("cannot match \(root.name)") {
        () throws(SQLiteError) -> Bool in
        guard isKept else { return true }
        return if isByKey { false } else { try own.hasMovedContent() }
      }
      for entity in root.relations.destination.entities {
        let hasIdentity =
          root.identities[entity.code] != nil || matching.hashes.continued(by: root) != nil
        matched[entity.name] = hasIdentity ? .identity : byContent ? .content : .key
      }
      try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
        guard !isByKey else {
          return ids.add(IDMap(root: root.name, form: .keep, existing: existing, included: existing))
        }
        ids.add(try map(own, among: existing))
      }
    }
    return matched
  }

  /// Returns whether a row that was found under another key is a difference, although both stores have a common origin.
  ///
  /// Columns of a plain database may contain its key without declaring it. Where rows were added, as by a merge, others may
  /// have got new keys.
  private func goesByKey(_ pairs: ObjectPairs, _ existing: KeySet, _ relation: Relation) throws(DecantError) -> Bool {
    guard relation.terms == .rows, relation.handsOutKeys, let other = destination.layout.relation(of: relation.root)
    else { return false }
    return try explaining("cannot match \(relation.root)") { () throws(SQLiteError) in
      guard try pairs.hasMovedContent() else { return false }
      let count = "SELECT count(*) FROM \(other.sqlTable(in: CopySession.destination))"
      return try connection.integer(count) == existing.count
    }
  }

  /// Returns the ID map of `pairs`: a rule if all keys are equal, otherwise a list of pairs.
  private func map(_ pairs: ObjectPairs, among existing: KeySet) throws(SQLiteError) -> IDMap {
    let renumbered = "SELECT 1 FROM \(pairs.table) WHERE source <> destination LIMIT 1"
    let matched = try pairs.matched(among: existing)
    let included = matched.count == existing.count ? existing : matched
    var form = IDMap.Form.keep
    if try connection.integer(renumbered) != nil {
      let stored = try StoredPairs(on: connection)
      _ = try stored.add("SELECT source, destination FROM \(pairs.table)")
      form = .stored(stored)
    }
    return IDMap(root: pairs.root.name, form: form, existing: existing, included: included)
  }
}
