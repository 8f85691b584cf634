internal import SQLite

/// What the destination has removed since, and the source left as it was.
extension MergeBase {
  /// Finds the objects of the source that stay away.
  ///
  /// An object stays with all that belongs to it: where one of them was changed in the source, or is new, all of
  /// them come back.
  ///
  /// - Parameters:
  ///   - source: The source, held against the base.
  ///   - destination: The base, held against the destination.
  ///   - rules: Only entities that are merged by what both had lose anything.
  /// - Returns: Keys of the source, by root entity; none where nothing was removed.
  /// - Throws: `SQLiteError` where a store cannot be read.
  static func removed(
    _ source: BaseComparison,
    _ destination: BaseComparison,
    _ rules: MergeRules
  ) throws(SQLiteError) -> [String: KeySet] {
    var removed: [String: KeySet] = [:]
    for root in source.hashes.roots {
      guard let existing = source.existing(root.name) else { continue }
      let keys = try set(like: existing, source)
      let codes = root.relations.source.entities.filter {
        rules.rule(of: $0.name, in: source.hashes.model).policy == .threeWay
      }.map(\.code)
      guard !codes.isEmpty else { continue }
      let relation = root.relations.source
      var select = "SELECT \(root.key(.source)) FROM \(root.table(.source))"
      if codes.count < relation.entities.count, let code = relation.entityCode() {
        select += " WHERE \(code) IN (\(codes.list))"
      }
      try source.connection.forEachRow(select) { row throws(SQLiteError) in
        let key = row.integer(at: 0)
        guard try source.isUnchanged(key, of: root.name),
          let before = try source.partner(of: key, root.name),
          try !destination.has(before, of: root.name)
        else { return }
        try keys.insert(key)
      }
      if keys.count > 0 { removed[root.name] = keys }
    }
    guard !removed.isEmpty else { return [:] }
    let kept = try keptTogether(removed, source, destination)
    var result: [String: KeySet] = [:]
    for (root, keys) in removed {
      guard let stays = kept[root] else { continue }
      let away = try set(like: keys, source, existing: source.existing(root))
      try keys.forEach { key throws(SQLiteError) in
        if try !stays.contains(key) { try away.insert(key) }
      }
      try away.seal()
      if away.count > 0 { result[root] = away }
    }
    return result
  }

  private static func set(like keys: KeySet, _ source: BaseComparison, existing: KeySet? = nil)
    throws(SQLiteError) -> KeySet
  {
    let like = existing ?? keys
    return try KeySet(
      range: try like.bounds() ?? 0...0,
      expecting: like.count,
      on: source.connection
    )
  }

  /// Objects that the destination does not have and that come back all the same, as they are joined by ownership
  /// to one that was not removed, over whatever distance.
  private static func keptTogether(
    _ removed: [String: KeySet],
    _ source: BaseComparison,
    _ destination: BaseComparison
  ) throws(SQLiteError) -> [String: KeySet] {
    var kept: [String: KeySet] = [:]
    for root in source.hashes.roots {
      guard let existing = source.existing(root.name) else { continue }
      kept[root.name] = try set(like: existing, source)
    }
    /// Whether the destination does not have the object.
    func isMissing(_ key: Int64, _ root: String) throws(SQLiteError) -> Bool {
      guard let before = try source.partner(of: key, root) else { return true }
      return try !destination.has(before, of: root)
    }
    /// Whether the object is missing and comes.
    func comes(_ key: Int64, _ root: String) throws(SQLiteError) -> Bool {
      guard let removed = removed[root], try removed.contains(key) else { return true }
      return try kept[root]?.contains(key) ?? false
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for root in source.hashes.roots.map(\.name) {
        for owner in source.hashes.owners(of: root)
        where removed[root] != nil || removed[owner.target] != nil {
          try source.connection.forEachRow(owner.select) { row throws(SQLiteError) in
            guard row.type(at: 1) == .integer else { return }
            let (own, other) = (row.integer(at: 0), row.integer(at: 1))
            guard try isMissing(own, root), try isMissing(other, owner.target),
              let there = source.existing(owner.target), try there.contains(other)
            else { return }
            let (isKept, isOwnerKept) = (try comes(own, root), try comes(other, owner.target))
            guard isKept != isOwnerKept else { return }
            isSettled = false
            if isKept {
              try kept[owner.target]?.insert(other)
            } else {
              try kept[root]?.insert(own)
            }
          }
        }
      }
    }
    return kept
  }

  /// Finds the links from many to many that the destination has removed, and the source left as they were.
  static func removedLinks(_ source: BaseComparison, _ destination: BaseComparison)
    throws(SQLiteError) -> RemovedLinks
  {
    let links = try RemovedLinks(on: source.connection)
    for own in source.comparison.source.layout.links where own.isTable {
      guard let before = source.comparison.destination.layout.link(own.relationship),
        let there = destination.comparison.destination.layout.link(own.relationship)
      else { continue }
      let inBase = try source.connection.prepare(lookup(before, Planner.destination))
      let inDestination = try destination.connection.prepare(lookup(there, Planner.destination))
      let rows = own.rows(in: Workbench.source, bothWays: false)
      try source.connection.forEachRow(rows) { row throws(SQLiteError) in
        guard row.type(at: 0) == .integer, row.type(at: 1) == .integer else { return }
        let (owner, target) = (row.integer(at: 0), row.integer(at: 1))
        guard let oldOwner = try source.partner(of: owner, own.holder),
          let oldTarget = try source.partner(of: target, own.target),
          let newOwner = try destination.partner(of: oldOwner, own.holder),
          let newTarget = try destination.partner(of: oldTarget, own.target),
          try isThere(inBase, oldOwner, oldTarget),
          try !isThere(inDestination, newOwner, newTarget)
        else { return }
        try links.add(own.relationship.description, owner, target)
      }
    }
    return links
  }

  private static func lookup(_ link: Link, _ schema: String) -> String {
    let (owner, target) = (link.holderKey, link.targetKey)
    let either = link.isReflexive ? " OR \(owner) = ?2 AND \(target) = ?1" : ""
    return "SELECT 1 FROM \(link.sqlTable(in: schema)) "
      + "WHERE \(owner) = ?1 AND \(target) = ?2\(either)"
  }

  private static func isThere(_ lookup: Statement, _ owner: Int64, _ target: Int64)
    throws(SQLiteError) -> Bool
  {
    defer { lookup.reset() }
    try lookup.bind([.integer(owner), .integer(target)])
    return try lookup.step()
  }
}
