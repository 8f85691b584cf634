internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Parts of the source that are not added, because their owner already exists and keeps its own parts.
///
/// Parts follow their owner: under `skip` no part of an existing owner is added, under `fill` only if it has no parts,
/// under `newest` only if the owner takes the source's values. A link of an object that is stored in a separate table,
/// under the object's key, is not added either if the object differs.
extension Merging {
  /// Gives parts the rule of their owner.
  mutating func followOwners() {
    let roots = roots
    let hashes = MatchHashes(roots: roots, model: source.model, layouts: layouts, schemas: schemas)
    let parts = PartLinks(hashes, marks: rules.likeness?.marks ?? [])
    rules.followOwners(parts, roots, source.model)
  }

  /// Finds these parts by root entity, and records their numbers in the rules.
  ///
  /// - Parameters:
  ///   - matching: The matched objects.
  ///   - ids: The objects of the source.
  ///   - gone: The parts that are not merged for another reason.
  /// - Returns: The keys of the parts.
  /// - Throws: `DecantError` if a store cannot be read.
  mutating func surplusParts(
    _ matching: Matcher,
    _ ids: IDTable,
    besides gone: [String: KeySet]
  ) throws(DecantError) -> [String: KeySet] {
    var surplus: [String: KeySet] = [:]
    (rules.surplusParts, rules.idleParts) = ([:], [:])
    for name in matching.parts.closed {
      guard let link = matching.parts.owners[name], let root = matching.hashes.root(name),
        let existing = ids.map(of: name)?.existing
      else { continue }
      try explaining("cannot match \(name)") { () throws(SQLiteError) in
        guard let bounds = try existing.bounds() else { return }
        let keys = try KeySet(range: bounds, expecting: existing.count, on: connection)
        let absent = Absent(owners: surplus[link.target], parts: gone[name])
        try find(root, link, matching, absent) { key throws(SQLiteError) in
          try keys.insert(key)
        }
        try keys.seal()
        if keys.count > 0 { surplus[name] = keys }
      }
    }
    for root in matching.hashes.roots {
      let keys = try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
        try surplusContinuations(of: root, matching, ids)
      }
      if let keys { surplus[root.name] = keys }
    }
    return surplus
  }

  /// Returns the objects of `root` that would continue a destination object that keeps its own values.
  ///
  /// Both together are one object, whose values must not be mixed.
  private mutating func surplusContinuations(
    of root: MatchRoot,
    _ matching: Matcher,
    _ ids: IDTable
  ) throws(SQLiteError) -> KeySet? {
    guard let continued = matching.pairs[root.name]?.continued,
      let other = matching.hashes.linked(by: root),
      let outcome = matching.pairs[other.name]?.outcome,
      let existing = ids.map(of: root.name)?.existing, let bounds = try existing.bounds(),
      let entity = root.relations.destination.entities.first?.name,
      [.skip, .error, .newest].contains(rules.rule(of: entity, in: source.model).policy),
      // Link targets cannot be left out.
      !layouts.source.links.contains(where: { $0.target == root.name })
    else { return nil }
    let keys = try KeySet(range: bounds, expecting: existing.count, on: connection)
    try connection.forEachRow("SELECT source FROM \(continued.table) ORDER BY 1") {
      row throws(SQLiteError) in
      let key = row.integer(at: 0)
      guard try outcome.changed.contains(key), try !outcome.updated.contains(key) else { return }
      try keys.insert(key)
    }
    try keys.seal()
    guard keys.count > 0 else { return nil }
    rules.surplusParts[entity, default: 0] += keys.count
    return keys
  }

  /// Owners that are not added, and parts that are not merged for another reason.
  private struct Absent {
    let owners, parts: KeySet?
  }

  /// Calls `found` with every part of `root` that is not added.
  private mutating func find(
    _ root: MatchRoot,
    _ link: MatchHashes.Link,
    _ matching: Matcher,
    _ absent: Absent,
    _ found: (Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let pairs = matching.pairs[root.name], let owners = matching.pairs[link.target],
      owners.keepsPartners
    else { return }
    let entities = root.relations.destination.entities
    let names = Dictionary(entities.map { ($0.code, $0.name) }, uniquingKeysWith: { one, _ in one })
    let only = entities.count == 1 ? entities.first?.name : nil
    let there = root.relations.destination
    // Evaluated for all owners at once, since the column may have no index.
    let hasParts = """
      p.destination IN (SELECT \(there.value(of: link.columns.destination)) FROM \(root.table(.destination)))
      """
    let owner = root.relations.source.value(of: link.columns.source)
    let updated = owners.outcome?.updated
    try connection.forEachRow(
      """
      SELECT k, e, o, p.source IS NOT NULL, \(hasParts) FROM
        (SELECT \(root.key(.source)) AS k, \(root.entity(.source)) AS e, \(owner) AS o
        FROM \(root.table(.source))) AS s
      LEFT JOIN \(owners.table) AS p ON p.source = s.o
      WHERE o IS NOT NULL AND k NOT IN (SELECT source FROM \(pairs.table))
        AND k NOT IN (SELECT source FROM \(pairs.duplicates))
      """
    ) { row throws(SQLiteError) in
      let (key, owner) = (row.integer(at: 0), row.integer(at: 2))
      guard let entity = only ?? names[row.integer(at: 1)],
        try matching.isIncluded(key, root.name), try absent.parts?.contains(key) != true
      else { return }
      let isSurplus: Bool
      // No policy adds a part without changes.
      let isIdle = try owners.settled?.contains(owner) == true
      if isIdle {
        isSurplus = true
      } else if try absent.owners?.contains(owner) == true {
        isSurplus = true
      } else if row.integer(at: 3) == 1, try matching.isIncluded(owner, link.target) {
        let rule = rules.rule(of: entity, in: source.model)
        let takesValues = try updated?.contains(owner) == true
        isSurplus =
          switch rule.policy {
          case .skip, .error: true
          case .fill: row.integer(at: 4) == 1
          case .newest: rule.followsOwner && !takesValues
          // A kept copy has no partner: this owner exists unchanged.
          case .keepBoth: rule.followsOwner
          case .update, .replace, .threeWay: false
          }
      } else {
        isSurplus = false
      }
      guard isSurplus else { return }
      rules.surplusParts[entity, default: 0] += 1
      if isIdle { rules.idleParts[entity, default: 0] += 1 }
      try found(key)
    }
  }
}
