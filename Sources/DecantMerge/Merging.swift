package import DecantBase
package import DecantMatch
package import DecantPlan
internal import DecantProof
package import DecantStore
package import DecantSQLite

/// Fills the ID table of a merge: matches existing objects, and determines the outcome for each.
package struct Merging {
  package let connection: Connection
  package let plan: CopyPlan
  package let source: any SourceStore
  package let destination: any DestinationStore
  /// The layouts of both stores, with the tables of the plan.
  package let layouts: Sided<Layout>
  /// The schema name of the destination.
  package let schema: String
  package var rules: MergeRules
  /// The common ancestor, if the merge uses one.
  package let base: MergeBase?
  /// The listing and deciding of conflicts, if the merge has them.
  package let conflicts: Conflicts?
  package private(set) var resolve: Resolve
  /// Whether the counterpart of every object in the destination is needed.
  package let keepsPartners: Bool
  /// The check for objects of different entities that violate one constraint; `nil` if these are left out.
  package let clash: InheritedUniquenessConflict?
  /// The progress of the search, if it is reported.
  package var progress: SearchProgress?

  package init(
    connection: Connection,
    plan: CopyPlan,
    source: any SourceStore,
    destination: any DestinationStore,
    layouts: Sided<Layout>,
    schema: String,
    rules: MergeRules,
    base: MergeBase?,
    conflicts: Conflicts?,
    resolve: Resolve,
    keepsPartners: Bool,
    clash: InheritedUniquenessConflict?,
    progress: SearchProgress? = nil
  ) {
    (self.connection, self.plan, self.source) = (connection, plan, source)
    (self.destination, self.layouts, self.schema) = (destination, layouts, schema)
    (self.rules, self.base, self.conflicts) = (rules, base, conflicts)
    (self.resolve, self.keepsPartners, self.clash) = (resolve, keepsPartners, clash)
    self.progress = progress
  }

  var schemas: Sided<String> { Sided(CopySession.source, schema) }

  /// The root entities of both stores, with the known identities.
  var roots: [MatchRoot] {
    MatchRoot.all(of: plan, source.model, layouts, schemas: schemas, declared: rules.identities)
  }

  /// Makes `ids` available to SQL, and finds the attributes that identify objects in both stores if nothing else does.
  package mutating func findIdentities(_ ids: IDTable) throws(DecantError) {
    let proof = CopyProof(
      plan: plan,
      layout: layouts.destination,
      ids: ids,
      sourceFiles: source.externalStorage,
      destinationFiles: destination.externalStorage
    )
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try CopySession.offer(ids, on: connection)
      try proof.prepare(connection)
    }
    defer {
      followOwners()
      keepDataKeys()
    }
    // With a base, the identities were found in all three stores.
    guard base == nil, !destination.isNew else { return }
    let (found, lineage) = try explaining("cannot look for identities") {
      () throws(SQLiteError) in
      let roots = roots
      let lineage = try Lineage(connection: connection, rule: rules.lineage).roots(roots) {
        ids.map(of: $0)?.existing
      }
      return (try FoundIdentities(rules, roots, source.model, lineage: lineage, on: connection), lineage)
    }
    rules.take(found)
    rules.keptKeys = lineage
  }

  /// Lets new objects keep a key that is their identity, also where the destination assigns the keys: it is free, as no
  /// object has it.
  private mutating func keepDataKeys() {
    guard !destination.isNew else { return }
    for relation in layouts.destination.relations where resolve.takenKeys[relation.root] == nil {
      guard let key = relation.columns.first(where: { $0.columnRole.isKey })?.columnRole.property?.name,
        relation.entities.contains(where: { rules.identities[$0.name] == [key] })
      else { continue }
      let table = relation.sqlTable(in: schemas.destination)
      resolve.takenKeys[relation.root] = ["SELECT \(relation.keyName) AS k FROM \(table)"]
    }
  }

  /// Replaces the maps in `ids`, in which all objects are new, and counts objects by outcome.
  package mutating func fill(_ ids: IDTable, _ counts: inout [String: Resolve.EntityCounts]) throws(DecantError) {
    var included: [String: KeySet] = [:]
    for relation in layouts.source.relations {
      included[relation.root] = ids.map(of: relation.root)?.included
    }
    if base != nil || conflicts != nil {
      ids.conflicts = try explaining("cannot list conflicts") { () throws(SQLiteError) in
        try ConflictLog(on: connection)
      }
    }
    // Objects removed by the destination and not changed by the source are not merged at all.
    let merged = base == nil ? included : try without(base?.away ?? [:], included)
    let decider = MergeDecider(
      base: base,
      conflicts: conflicts,
      log: ids.conflicts,
      // With a tombstone file, the objects that are permanently left out are not known yet.
      clash: rules.tombstoneFile == nil ? clash : nil
    )
    let matching = try explaining("cannot match objects") { () throws(SQLiteError) in
      try Matcher(
        plan,
        model: source.model,
        layouts: layouts,
        schemas: schemas,
        rules: rules,
        included: merged,
        decider: decider,
        keepsPartners: keepsPartners || base != nil,
        isIntoNothing: destination.isNew,
        on: connection
      )
    }
    matching.progress = progress?.part(0.2...0.9)
    let pairs = try matching.run()
    progress?.show(0.9)
    rules.unequalKeys = matching.unequalKeys.filter { $0.value > 0 }
    rules.undatedCounts = pairs.compactMapValues { $0.outcome?.undatedCount }
    var gone = try leaveOutGone(matching, pairs, ids, &counts)
    if let base {
      for (root, keys) in base.away { gone[root] = try union(gone[root], keys, of: root, ids) }
    }
    var surplus = destination.isNew ? [:] : try surplusParts(matching, ids, besides: gone)
    let staying = destination.isNew ? nil : try staying(matching, surplus, ids)
    if let staying {
      let names = try idleNames(matching, staying, ids)
      surplus.merge(names) { parts, _ in parts }
    }
    for (root, keys) in surplus { gone[root] = try union(gone[root], keys, of: root, ids) }
    try enter(pairs, into: ids, without: gone)
    for (root, keys) in surplus { ids.map(of: root)?.matchedObjects?.surplus = keys }
    if let staying { ids.map(of: staying.root)?.matchedObjects?.closed = staying.closed }
    try choose(pairs, matching.hashes, ids)
    try base?.settle(
      pairs,
      ids,
      DroppedObjects(connection: connection, layout: layouts.destination, ids: ids, schema: schema, plan: plan),
      matching.hashes
    )
    try conflicts?.check()
    for step in plan.steps {
      guard case .unkeyed(let root, let key) = step.kind else { continue }
      guard !destination.isNew else {
        try checkRowsAreTold(root, by: key)
        continue
      }
      try merge(rows: step, of: root, ids, &counts)
    }
    for relation in layouts.source.relations {
      guard let map = ids.map(of: relation.root) else { continue }
      try explaining("cannot count \(relation.root)") { () throws(SQLiteError) in
        try count(relation, map, &counts)
        for (name, pairings) in try pairings(of: relation, map) {
          counts[name]?.merge.pairings = pairings
          let further = rules.furtherIdentity(of: name, in: source.model)
          // A declared identity does not count as a further one.
          let isNamed = rules.identity(of: name, in: source.model) == further
          for pairing in pairings where !further.isEmpty && !isNamed && pairing.names == further {
            rules.furtherPairs[name] = pairing.count
          }
        }
      }
    }
  }

  /// The circumstances under which a tombstone file is valid: the store, and the identities of objects.
  private var tombstoneCircumstances: [String: String] {
    let identities = rules.identities.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.joined(separator: ", "))" }
    return [
      "destination": destination.identity.uuid ?? destination.place.store.address,
      "identities": identities.joined(separator: "; "),
    ]
  }

  /// Finds the objects that were merged before and no longer exist; they are left out.
  private func leaveOutGone(
    _ matching: Matcher,
    _ pairs: [String: ObjectPairs],
    _ ids: IDTable,
    _ counts: inout [String: Resolve.EntityCounts]
  ) throws(DecantError) -> [String: KeySet] {
    guard let path = rules.tombstoneFile else { return [:] }
    let file = Tombstones(path: path, about: tombstoneCircumstances)
    try file.check()
    ids.tombstones = file
    ids.stableHashes = try explaining("cannot take hashes of the objects") {
      () throws(SQLiteError) in
      try StableHashes(matching.hashes, groups: matching.groups, on: connection).tables
    }
    var gone: [String: KeySet] = [:]
    // Owners come before their parts.
    for root in matching.groups.joined() {
      guard let table = ids.stableHashes[root], let map = ids.map(of: root), let own = pairs[root],
        let merged = try file.merged(of: root, table, among: map.existing, on: connection)
      else { continue }
      gone[root] = try explaining("cannot match \(root)") { () throws(SQLiteError) in
        let matchedObjects = try MatchedObjects(own, among: map.existing, scope: map.included, on: connection)
        let set = try KeySet(like: map.existing, on: connection)
        try merged.forEach { key throws(SQLiteError) in
          guard try map.included.contains(key), try !matchedObjects.matched.contains(key),
            try !matchedObjects.duplicates.contains(key)
          else { return }
          try set.insert(key)
        }
        // Parts of a left-out object are left out as well, even new ones.
        for owner in matching.hashes.owners(of: root) {
          guard let absent = gone[owner.target], absent.count > 0 else { continue }
          try connection.forEachRow(owner.select) { row throws(SQLiteError) in
            let key = row.integer(at: 0)
            guard row.type(at: 1) == .integer, try absent.contains(row.integer(at: 1)),
              try map.included.contains(key), try !matchedObjects.matched.contains(key)
            else { return }
            try set.insert(key)
          }
        }
        try set.seal()
        return set
      }
    }
    return gone
  }

  /// Returns `included` without the keys of `removed`.
  private func without(_ removed: [String: KeySet], _ included: [String: KeySet])
    throws(DecantError) -> [String: KeySet]
  {
    var rest = included
    for (root, keys) in removed {
      guard let own = included[root] else { continue }
      rest[root] = try explaining("cannot leave out what was removed") { () throws(SQLiteError) in
        try kept(own, keys)
      }
    }
    return rest
  }

  private func union(_ one: KeySet?, _ other: KeySet, of root: String, _ ids: IDTable) throws(DecantError) -> KeySet {
    guard let one, let existing = ids.map(of: root)?.existing else { return other }
    return try explaining("cannot leave out what was removed") { () throws(SQLiteError) in
      let union = try KeySet(like: existing, on: connection)
      try one.forEach { key throws(SQLiteError) in try union.insert(key) }
      try other.forEach { key throws(SQLiteError) in try union.insert(key) }
      try union.seal()
      return union
    }
  }

  /// Gives every root entity a map in which matched objects are not new.
  private func enter(
    _ pairs: [String: ObjectPairs],
    into ids: IDTable,
    without gone: [String: KeySet]
  ) throws(DecantError) {
    var maps: [IDMap] = []
    for relation in layouts.source.relations {
      guard let map = ids.map(of: relation.root), let own = pairs[relation.root] else { continue }
      try explaining("cannot match \(relation.root)") { () throws(SQLiteError) in
        let scope = try kept(map.included, gone[map.root])
        let matchedObjects = try MatchedObjects(own, among: map.existing, scope: scope, on: connection)
        if matchedObjects.duplicates.count > 0 {
          matchedObjects.lists = JoinedLists(on: connection)
          try matchedObjects.lists?.measure(JoinedLists.lists(of: map.root, in: layouts.source), of: own.duplicates)
        }
        maps.append(
          IDMap(
            root: map.root,
            form: map.form,
            existing: map.existing,
            included: try union(scope, matchedObjects.matched, of: map.existing),
            fresh: try fresh(scope, matchedObjects),
            matchedObjects: matchedObjects,
            continued: own.continued
          )
        )
      }
    }
    let families = Dictionary(grouping: layouts.source.relations, by: \.family)
    for map in maps {
      let family = layouts.source.relation(of: map.root)?.family ?? map.root
      let members = (families[family] ?? []).compactMap { relation in
        (maps.first { $0.root == relation.root } ?? ids.map(of: relation.root))
          .map { (relation.root, $0.fresh) }
      }
      try explaining("cannot number \(map.root)") { () throws(SQLiteError) in
        ids.add(try resolve.numbered(map, among: members))
      }
    }
  }

  /// Returns the merged objects, and those that are left out but exist in the destination: links may lead to them.
  private func union(_ scope: KeySet, _ matched: KeySet, of existing: KeySet) throws(SQLiteError) -> KeySet {
    guard scope.count < existing.count, let bounds = try existing.bounds() else { return scope }
    let union = try KeySet(range: bounds, expecting: existing.count, on: connection)
    try scope.forEach { key throws(SQLiteError) in try union.insert(key) }
    try matched.forEach { key throws(SQLiteError) in try union.insert(key) }
    try union.seal()
    return union
  }

  private func kept(_ included: KeySet, _ gone: KeySet?) throws(SQLiteError) -> KeySet {
    guard let gone, gone.count > 0, let bounds = try included.bounds() else { return included }
    let kept = try KeySet(range: bounds, expecting: included.count, on: connection)
    try included.forEach { key throws(SQLiteError) in
      if try !gone.contains(key) { try kept.insert(key) }
    }
    try kept.seal()
    return kept
  }

  private func fresh(_ included: KeySet, _ matchedObjects: MatchedObjects) throws(SQLiteError) -> KeySet {
    guard matchedObjects.matched.count + matchedObjects.duplicates.count > 0, let bounds = try included.bounds()
    else { return included }
    let fresh = try KeySet(
      range: bounds,
      expecting: max(included.count - matchedObjects.matched.count, 1),
      on: connection
    )
    try included.forEach { key throws(SQLiteError) in
      if try !matchedObjects.matched.contains(key), try !matchedObjects.duplicates.contains(key) {
        try fresh.insert(key)
      }
    }
    try fresh.seal()
    return fresh
  }

  /// Decides the outcome for the objects that both stores have.
  private func choose(_ pairs: [String: ObjectPairs], _ hashes: MatchHashes, _ ids: IDTable) throws(DecantError) {
    var conflicts: [String] = []
    var conflictCount: Int64 = 0
    for root in hashes.roots {
      guard let outcome = pairs[root.name]?.outcome else { continue }
      ids.map(of: root.name)?.matchedObjects?.settle(
        changed: outcome.changed,
        updated: outcome.updated,
        filled: outcome.filled
      )
      conflicts += outcome.conflicts.map { "\(root.name) \(source.model.terms.key($0))" }
      conflictCount += outcome.conflictCount
    }
    guard conflictCount > 0 else { return }
    throw DecantError(
      .conflict,
      "\(conflictCount.counted(source.model.terms.object)) of “\(source.identity.place)” "
        + "\(conflictCount == 1 ? "is" : "are") in “\(destination.identity.place)” with different values",
      place: "such as \(conflicts.prefix(3).joined(separator: ", "))",
      remedy:
        "choose which values to keep: \(say: .merge, "skip"), update, fill, newest, keep-both or replace"
    )
  }
}
