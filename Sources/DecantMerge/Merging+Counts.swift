internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// Counts of objects by outcome.
extension Merging {
  /// Counts the kept copies that were also found to differ.
  func countKeptCopies(among matchedObjects: MatchedObjects) throws(SQLiteError) -> Int64 {
    guard let changed = matchedObjects.changed, let keptCopies = matchedObjects.keptCopies else { return 0 }
    var count: Int64 = 0
    try keptCopies.forEach { key throws(SQLiteError) in
      if try changed.contains(key) { count += 1 }
    }
    return count
  }

  func count(_ relation: Relation, _ map: IDMap, _ counts: inout [String: Resolve.EntityCounts]) throws(SQLiteError) {
    guard let matchedObjects = map.matchedObjects else { return }
    if relation.entities.count == 1, let name = relation.entities.first?.name,
      rules.tombstoneFile == nil, matchedObjects.scope.count == map.existing.count
    {
      // No row has to be read.
      let updated = matchedObjects.updated?.count ?? 0
      let changed = matchedObjects.changed?.count ?? 0
      let keptCopies = matchedObjects.keptCopies?.count ?? 0
      let skipped = try changed - updated - countKeptCopies(among: matchedObjects)
      counts[name]?.merge = MergeCounts(
        same: matchedObjects.matched.count - skipped - updated,
        skipped: skipped,
        updated: updated,
        keptBoth: keptCopies,
        duplicate: matchedObjects.duplicates.count
      )
      return
    }
    let names = Dictionary(relation.entities.map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
    let entity = relation.entityCode() ?? "\(relation.entities.first?.code ?? 0)"
    var leftOut: [String: Int64] = [:]
    try connection.forEachRow(
      """
      SELECT \(entity), merge_outcome(\(relation.root.sqlText), \(relation.keyName)), count(*)
      FROM \(relation.sqlTable(in: CopySession.source)) GROUP BY 1, 2
      """
    ) { row in
      let only = relation.entities.count == 1 ? relation.entities.first?.name : nil
      guard let name = only ?? names[row.integer(at: 0)],
        let outcome = MergeOutcome(rawValue: row.integer(at: 1))
      else { return }
      let number = row.integer(at: 2)
      switch outcome {
      case .leftOut: leftOut[name, default: 0] += number
      case .new: break
      case .same: counts[name]?.merge.same += number
      case .skipped: counts[name]?.merge.skipped += number
      case .updated, .filled: counts[name]?.merge.updated += number
      case .keptBoth: counts[name]?.merge.keptBoth += number
      case .duplicate: counts[name]?.merge.duplicate += number
      }
    }
    for (name, number) in leftOut {
      guard let before = counts[name] else { continue }
      let surplus = rules.surplusParts[name] ?? 0
      let number = number - surplus
      counts[name]?.merge.notAdded = surplus
      guard rules.tombstoneFile != nil || base != nil else { continue }
      counts[name]?.merge.gone = number - (before.source - before.included)
      counts[name]?.included = before.source - number
    }
  }

  /// Returns how the objects of each entity that both stores have were found.
  func pairings(of relation: Relation, _ map: IDMap) throws(SQLiteError) -> [String: [EntityReport.Pairing]] {
    guard let matchedObjects = map.matchedObjects, matchedObjects.matched.count > 0 else { return [:] }
    let only = relation.entities.count == 1 ? relation.entities.first?.name : nil
    guard let table = matchedObjects.pairTable else {
      // Only objects without identity that are not link targets are not paired individually.
      let pairing = EntityReport.Pairing(way: .content, count: matchedObjects.matched.count)
      return only.map { [$0: [pairing]] } ?? [:]
    }
    var select = "SELECT 0, known, count(*) FROM \(table) GROUP BY 2"
    if only == nil {
      let entity = relation.entityCode() ?? "0"
      select = """
        SELECT \(entity), p.known, count(*) FROM \(table) AS p
        JOIN \(relation.sqlTable(in: CopySession.source)) ON \(relation.keyName) = p.source GROUP BY 1, 2
        """
    }
    let names = Dictionary(relation.entities.map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
    var pairings: [String: [EntityReport.Pairing]] = [:]
    try connection.forEachRow(select) { row in
      guard let name = only ?? names[row.integer(at: 0)],
        let found = ObjectPairs.Found(rawValue: row.integer(at: 1))
      else { return }
      var pairing = EntityReport.Pairing(way: found.way, count: row.integer(at: 2))
      if case .likeness(let rank, _) = found {
        pairing.rank = rank + 1
        pairing.names = [rules.likenessName(rank)]
      } else if found == .identity {
        pairing.names = rules.identity(of: name, in: source.model) ?? []
        pairing.isFound = rules.isFound(name, in: source.model)
      } else if found == .furtherIdentity {
        pairing.names = rules.furtherIdentity(of: name, in: source.model)
      } else if found == .partialKey {
        pairing.names = relation.partialKeyColumns
      }
      let place = pairings[name]?.firstIndex {
        $0.way == pairing.way && $0.names == pairing.names
      }
      if let place {
        pairings[name]?[place].count += pairing.count
      } else {
        pairings[name, default: []].append(pairing)
      }
    }
    return pairings
  }

  /// Throws if a declared identity cannot be used for rows of `root`, which have no integer keys.
  func checkRowsAreTold(_ root: String, by key: [String]) throws(DecantError) {
    guard let names = rules.identities[root], key.isEmpty || !Set(key).isSubset(of: names) else {
      return
    }
    throw DecantError(
      .unsupportedRequest,
      "the rows of \(root) have no integer key, so rows with the same identity cannot be found",
      place: "the identity \(root): \(names.joined(separator: ", "))",
      remedy: key.isEmpty
        ? "for a new store, remove it"
        : "for a new store, remove it: \(key.joined(separator: ", ")) identifies them there"
    )
  }

  /// Determines which rows of `root`, which have no integer keys, already exist.
  func merge(
    rows step: CopyStep,
    of root: String,
    _ ids: IDTable,
    _ counts: inout [String: Resolve.EntityCounts]
  ) throws(DecantError) {
    let outcomes = try explaining("cannot match \(root)") {
      () throws(SQLiteError) -> [MergeOutcome: Int64] in
      ids.add(try MergeRows(step, in: schema, on: connection), of: root)
      let proof = CopyProof(
        plan: plan,
        layout: layouts.destination,
        ids: ids,
        sourceFiles: source.externalStorage,
        destinationFiles: destination.externalStorage
      )
      var select = proof.expectedRows(of: step)
      select.columns = ["\(CopyStep.rowOutcome(root, step)) AS n"]
      var outcomes: [MergeOutcome: Int64] = [:]
      try connection.forEachRow("SELECT n, count(*) FROM (\(select.sql)) GROUP BY 1") { row in
        guard let outcome = MergeOutcome(rawValue: row.integer(at: 0)) else { return }
        outcomes[outcome] = row.integer(at: 1)
      }
      return outcomes
    }
    counts[root]?.merge.same = outcomes[.same] ?? 0
    counts[root]?.merge.skipped = outcomes[.skipped] ?? 0
    counts[root]?.merge.updated = (outcomes[.updated] ?? 0) + (outcomes[.filled] ?? 0)
    counts[root]?.merge.notAdded = outcomes[.leftOut] ?? 0
    let found = (counts[root]?.merge.there ?? 0) - (outcomes[.leftOut] ?? 0)
    if found > 0 {
      let names = step.assignments.map(\.column).filter(step.identityColumns.contains)
      counts[root]?.merge.pairings = [
        EntityReport.Pairing(way: names.isEmpty ? .content : .identity, names: names, count: found)
      ]
    }
    let policy = rules.rule(of: root, in: source.model).policy
    guard let count = outcomes[.skipped], [.error, .keepBoth].contains(policy) else {
      return
    }
    throw DecantError(
      policy == .error ? .conflict : .decisionNeeded,
      "\(count.counted("row")) of \(root) \(count == 1 ? "is" : "are") in "
        + "“\(destination.identity.place)” with different values",
      place:
        policy == .error
        ? "\(option: .merge, "error") does not allow such rows"
        : "the key of a row of \(root) consists of its values, so it cannot be added twice",
      remedy: "choose which values to keep: \(say: .merge, "\(root): skip"), update, fill or newest"
    )
  }
}
