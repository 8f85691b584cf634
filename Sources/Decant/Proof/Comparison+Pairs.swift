internal import SQLite

extension Comparison {
  /// Pairs the objects of both stores as a merge would, and enters that into the ID table.
  ///
  /// - Parameter rules: What tells objects apart, and whether both stores go back to one.
  /// - Returns: For each concrete entity, by what its objects were paired.
  /// - Throws: `DecantError` where a store cannot be read, or identities do not hold.
  func pair(by rules: MergeRules) throws(DecantError) -> [String: MatchedBy] {
    var rules = rules
    rules.rule = MergeRules.Rule(.skip)
    rules.rules = [:]
    // Each further one of a declared identity has no partner.
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
      rules.take(
        try FoundIdentities(rules, roots, source.model, lineage: lineage, on: connection)
      )
      rules.keptKeys = lineage
      return try MergeMatching(
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
    let pairs = try matching.run()
    var matched: [String: MatchedBy] = [:]
    var settled: Set<String> = []
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
      for entity in root.relations.destination.entities {
        let hasIdentity =
          root.identities[entity.code] != nil || matching.hashes.continued(by: root) != nil
        matched[entity.name] = hasIdentity ? .identity : isKept ? .key : .content
        if hasIdentity || isKept { settled.insert(root.name) }
      }
      try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
        let parts = "SELECT 1 FROM \(own.table) WHERE known = \(ObjectPairs.Found.owner.rawValue)"
        if try connection.integer("\(parts) LIMIT 1") != nil { settled.insert(root.name) }
        let stored = try StoredPairs(on: connection)
        _ = try stored.add("SELECT source, destination FROM \(own.table)")
        let sources = try stored.sources(among: existing)
        ids.add(
          IDMap(
            root: root.name,
            form: .stored(stored),
            existing: existing,
            included: sources.count == existing.count ? existing : sources
          )
        )
      }
    }
    // Look-alikes that nothing tells apart are found by what leads to them, too.
    try explaining("cannot match the objects of the two stores") { () throws(SQLiteError) in
      _ = try Matcher(
        connection: connection,
        plan: plan,
        sourceModel: source.model,
        source: source.layout,
        destination: destination.layout,
        settled: settled
      ).match(ids)
    }
    return matched
  }
}
