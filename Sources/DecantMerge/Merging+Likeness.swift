internal import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The objects that are left out because the objects that need them take nothing from the source.
///
/// A source with its own ways of matching contains only the objects matched by them, and what these objects need: if
/// one of them changes nothing, the objects that it needs are not merged either.
extension Merging {
  /// Existing objects of one root entity that take no values from the source.
  struct Staying {
    let root: String
    /// Their keys in the source, and in the destination except for objects that another source object changes.
    let keys, closed: KeySet
  }

  /// Finds these objects, and the titles of the first ones with different values in the source.
  ///
  /// - Parameters:
  ///   - matching: The matched objects.
  ///   - surplus: Parts that are not added, by root entity.
  ///   - ids: The objects of the source.
  /// - Returns: `nil` if the source supplies no way of matching.
  /// - Throws: `DecantError` if a store cannot be read.
  mutating func staying(
    _ matching: Matcher,
    _ surplus: [String: KeySet],
    _ ids: IDTable
  ) throws(DecantError) -> Staying? {
    guard let likeness = rules.likeness, let pairs = matching.pairs[likeness.entity],
      let root = matching.hashes.root(likeness.entity),
      let existing = ids.map(of: root.name)?.existing
    else { return nil }
    let policy = rules.rule(of: root.name, in: source.model).policy
    let (connection, outcome) = (connection, pairs.outcome)
    rules.stayingTitles = []
    var titles: [Int64] = []
    let staying = try explaining("cannot match \(root.name)") {
      () throws(SQLiteError) -> Staying? in
      let table = pairs.table
      guard let here = try existing.bounds(),
        let low = try connection.integer("SELECT min(destination) FROM \(table)"),
        let high = try connection.integer("SELECT max(destination) FROM \(table)")
      else { return nil }
      let count = existing.count
      let keys = try KeySet(range: here, expecting: count, on: connection)
      let open = try KeySet(range: low...high, expecting: count, on: connection)
      let closed = try KeySet(range: low...high, expecting: count, on: connection)
      let withOtherParts = try owners(of: root, withOtherPartsIn: matching, surplus, among: existing)
      try connection.forEachRow("SELECT source, destination FROM \(table) ORDER BY 1") {
        row throws(SQLiteError) in
        let key = row.integer(at: 0)
        let isSettled = try pairs.settled?.contains(key) == true
        let stays =
          switch policy {
          case .skip, .error, .keepBoth: true
          case .newest: try outcome?.updated.contains(key) != true
          case .update, .replace, .fill, .threeWay: isSettled
          }
        guard stays else { return try open.insert(row.integer(at: 1)) }
        try keys.insert(key)
        var isChanged = try outcome?.changed.contains(key) == true
        if !isChanged, !isSettled { isChanged = try withOtherParts.contains(key) }
        if isChanged, titles.count < 5, policy == .skip || policy == .newest || rules.leavesUnknown {
          titles.append(key)
        }
      }
      try connection.forEachRow("SELECT destination FROM \(table)") { row throws(SQLiteError) in
        let image = row.integer(at: 0)
        if try !open.contains(image) { try closed.insert(image) }
      }
      try keys.seal()
      try closed.seal()
      return Staying(root: root.name, keys: keys, closed: closed)
    }
    try readTitles(titles, root, likeness)
    return staying
  }

  /// Returns the source objects with a part that the destination lacks or has with other values.
  private func owners(
    of root: MatchRoot,
    withOtherPartsIn matching: Matcher,
    _ surplus: [String: KeySet],
    among keys: KeySet
  ) throws(SQLiteError) -> KeySet {
    let owners = try KeySet(like: keys, on: connection)
    for (name, link) in matching.parts.owners where link.target == root.name {
      guard let part = matching.hashes.root(name) else { continue }
      let others = [matching.pairs[name]?.outcome?.changed, surplus[name]].compactMap(\.self)
        .filter { $0.count > 0 }
      guard !others.isEmpty, rules.likeness?.marks.contains(name) != true else { continue }
      let owner = part.relations.source.value(of: link.columns.source)
      try connection.forEachRow(
        "SELECT \(part.key(.source)), \(owner) FROM \(part.table(.source))"
      ) { row throws(SQLiteError) in
        for keys in others where try keys.contains(row.integer(at: 0)) {
          try owners.insert(row.integer(at: 1))
        }
      }
    }
    return owners
  }

  private mutating func readTitles(_ keys: [Int64], _ root: MatchRoot, _ likeness: Likeness) throws(DecantError) {
    guard let title = likeness.title,
      let column = root.relations.source.column(.attribute(Property(root.name, title)))
    else { return }
    let select =
      "SELECT \(column.encoding.decoding(column.name.sqlName)) FROM \(root.table(.source)) "
      + "WHERE \(root.key(.source)) = ?1"
    for key in keys {
      let text = try explaining("cannot read \(root.name)") { () throws(SQLiteError) in
        try connection.text(select, .integer(key))
      }
      rules.stayingTitles.append("“\(text ?? "")”")
    }
  }

  /// Returns the objects that name something, and are used only by existing objects that take nothing, by root entity.
  mutating func idleNames(_ matching: Matcher, _ staying: Staying, _ ids: IDTable)
    throws(DecantError) -> [String: KeySet]
  {
    var idle: [String: KeySet] = [:]
    for name in rules.likeness?.names.sorted() ?? [] {
      guard let existing = ids.map(of: name)?.existing, let pairs = matching.pairs[name] else {
        continue
      }
      let keys = try explaining("cannot match \(name)") { () throws(SQLiteError) -> KeySet? in
        guard let bounds = try existing.bounds() else { return nil }
        let wanted = try KeySet(range: bounds, expecting: existing.count, on: connection)
        for select in leads(to: name, from: staying.root) {
          try connection.forEachRow(select) { row throws(SQLiteError) in
            let isFromStaying = try staying.keys.contains(row.integer(at: 1))
            guard row.type(at: 1) == .null || !isFromStaying else { return }
            try wanted.insert(row.integer(at: 0))
          }
        }
        try connection.forEachRow("SELECT source FROM \(pairs.table)") { row throws(SQLiteError) in
          try wanted.insert(row.integer(at: 0))
        }
        let idle = try KeySet(range: bounds, expecting: existing.count, on: connection)
        try existing.forEach { key throws(SQLiteError) in
          let isWanted = try wanted.contains(key)
          if try matching.isIncluded(key, name), !isWanted { try idle.insert(key) }
        }
        try idle.seal()
        return idle.count > 0 ? idle : nil
      }
      guard let keys else { continue }
      idle[name] = keys
      rules.surplusParts[name] = keys.count
      rules.idleParts[name] = keys.count
    }
    return idle
  }

  /// Returns the SELECTs of the objects of `name` that are link targets, each with the object of `root` that links to
  /// it; NULL if another object links to it.
  private func leads(to name: String, from root: String) -> [String] {
    let schema = CopySession.source
    let columns = layouts.source.relations.flatMap { relation in
      relation.columns.filter { $0.targetRoot == name }.map { column in
        let holder = relation.columns.first { $0.targetRoot == root }.map { relation.value(of: $0) }
        let from = relation.root == root ? relation.keyName : holder ?? "NULL"
        return
          "SELECT \(relation.value(of: column)) AS k, \(from) FROM \(relation.sqlTable(in: schema))"
      }
    }
    let tables = layouts.source.linkRelations.flatMap { links in
      let ends = [(links.ownerRoot, links.ownerColumn), (links.targetRoot, links.targetColumn)]
      return [(ends[0], ends[1]), (ends[1], ends[0])].filter { $0.0.0 == name }.map { end, other in
        let from = other.0 == root ? other.1.sqlName : "NULL"
        return "SELECT \(end.1.sqlName) AS k, \(from) FROM \(links.sqlTable(in: schema))"
      }
    }
    return (columns + tables).map { "SELECT * FROM (\($0)) WHERE k IS NOT NULL" }
  }
}

extension CopyPlan {
  /// Marks the link columns that lead to objects that may take nothing from the source.
  package mutating func setClosedOwners(_ rules: MergeRules, _ layout: Layout) {
    guard let likeness = rules.likeness else { return }
    for index in steps.indices {
      switch steps[index].kind {
      case .unkeyed(let root, _):
        for column in layout.relation(of: root)?.columns ?? []
        where column.targetRoot == likeness.entity {
          steps[index].closedOwners[column.name] = likeness.entity
        }
      case .links(let links):
        let roots = [links.ownerRoot, links.targetRoot]
        for (assignment, root) in zip(steps[index].assignments, roots)
        where root == likeness.entity {
          steps[index].closedOwners[assignment.column] = root
        }
      case .objects, .rows: continue
      }
    }
  }
}
