internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Removes objects and many-to-many links from the destination that the source has removed since the base.
///
/// An object is kept, with its parts, if another object still links to it.
struct DroppedObjects {
  let connection: Connection
  let layout: Layout
  let ids: IDTable
  /// The schema name of the destination.
  let schema: String
  /// The tables that the source has, too, in the form in which SQLite compares names.
  let merged: Set<String>

  init(connection: Connection, layout: Layout, ids: IDTable, schema: String, plan: CopyPlan) {
    (self.connection, self.layout, self.ids, self.schema) = (connection, layout, ids, schema)
    merged = Set(plan.steps.map(\.table.foldedName))
  }

  /// The number of removed objects, by entity, and the number of removed links.
  struct Counts {
    var objects: [String: Int64] = [:]
    var links: Int64 = 0
  }

  // MARK: Kept objects

  /// Finds the objects among `dropped` that can be removed, and those that cannot because something links to them.
  ///
  /// If an object is kept beside the source's, its parts are kept as well, so that it stays whole, unless a part
  /// belongs to another object that is removed. `takesTheirs` says whether an object with links to it is removed
  /// anyway, which clears these links; `nil` if there is no decision. `refuse` is called with an object that was
  /// decided to be removed, and a part of it that is kept: the object is then kept.
  func settle(
    _ dropped: [String: KeySet],
    _ hashes: MatchHashes,
    _ pairs: [String: ObjectPairs],
    _ takesTheirs: (Int64, String) throws(SQLiteError) -> Bool?,
    _ refuse: ((key: Int64, root: String), (key: Int64, root: String)) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> (away: [String: KeySet], ledTo: [String: KeySet]) {
    guard !dropped.isEmpty else { return ([:], [:]) }
    var kept: [String: KeySet] = [:]
    var ledTo: [String: KeySet] = [:]
    var whole: [String: KeySet] = [:]
    for (root, keys) in dropped {
      kept[root] = try KeySet(like: keys, on: connection)
      ledTo[root] = try KeySet(like: keys, on: connection)
    }
    for root in hashes.roots where dropped[root.name] != nil {
      for link in hashes.links(of: root) where link.isOwner {
        guard let owners = pairs[link.target] else { continue }
        let owner = root.relations.destination.value(of: link.columns.destination)
        try connection.forEachRow(
          """
          SELECT \(root.key(.destination)) FROM \(root.table(.destination))
          WHERE \(owner) IN (SELECT original FROM \(owners.keptCopies))
          """
        ) { row throws(SQLiteError) in
          guard let keys = dropped[root.name], try keys.contains(row.integer(at: 0)) else { return }
          try whole.insert(row.integer(at: 0), of: root.name, like: keys, on: connection)
        }
      }
    }
    /// Objects that are removed despite links to them, by decision.
    var decided: [String: KeySet] = [:]
    func goes(_ key: Int64, _ root: String) throws(SQLiteError) -> Bool {
      guard let keys = dropped[root], try keys.contains(key) else { return false }
      return try kept[root]?.contains(key) != true
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for (root, parts) in whole {
        let leaving = try KeySet(like: parts, on: connection)
        for owner in hashes.owners(of: root, .destination) {
          try connection.forEachRow(owner.select) { row throws(SQLiteError) in
            guard row.type(at: 1) == .integer, try goes(row.integer(at: 1), owner.target) else {
              return
            }
            try leaving.insert(row.integer(at: 0))
          }
        }
        try parts.forEach { key throws(SQLiteError) in
          guard try goes(key, root), try !leaving.contains(key) else { return }
          try kept[root]?.insert(key)
          isSettled = false
        }
      }
      try forEachLink(hashes, to: dropped) { holder, key, target, targetKey, labels throws(SQLiteError) in
        guard try goes(targetKey, target), try !goes(key, holder),
          try !isReplaced(key, holder, labels),
          try decided[target]?.contains(targetKey) != true
        else { return }
        let isTheirs = try takesTheirs(targetKey, target)
        guard isTheirs != true else {
          guard let keys = dropped[target] else { return }
          return try decided.insert(targetKey, of: target, like: keys, on: connection)
        }
        try kept[target]?.insert(targetKey)
        if isTheirs == nil { try ledTo[target]?.insert(targetKey) }
        isSettled = false
      }
      // An object and its parts are removed or kept together.
      for root in hashes.roots {
        for owner in hashes.owners(of: root.name, .destination) where dropped[owner.target] != nil {
          try connection.forEachRow(owner.select) { row throws(SQLiteError) in
            guard row.type(at: 1) == .integer else { return }
            let (own, other) = (row.integer(at: 0), row.integer(at: 1))
            let (isGone, isOwnerGone) = (try goes(own, root.name), try goes(other, owner.target))
            // A part that gets another owner from the source needs this one no longer.
            guard isGone != isOwnerGone, try !isReplaced(own, root.name, owner.labels) else { return }
            if isGone, try dropped[owner.target]?.contains(other) == true {
              try kept[root.name]?.insert(own)
              isSettled = false
            } else if isOwnerGone {
              if try decided[owner.target]?.contains(other) == true {
                try refuse((other, owner.target), (own, root.name))
              }
              try kept[owner.target]?.insert(other)
              isSettled = false
            }
          }
        }
      }
    }
    var away: [String: KeySet] = [:]
    for (root, keys) in dropped {
      let rest = try KeySet(like: keys, on: connection)
      try keys.forEach { key throws(SQLiteError) in
        if try goes(key, root) { try rest.insert(key) }
      }
      try rest.seal()
      try ledTo[root]?.seal()
      if rest.count > 0 { away[root] = rest }
    }
    return (away, ledTo.filter { $0.value.count > 0 })
  }

  /// Calls `body` with every link of the destination that is stored with its holder: holder and target, and the labels
  /// of the properties that change the link.
  ///
  /// Of links that only the destination has, those `to` the given objects are enough.
  private func forEachLink(
    _ hashes: MatchHashes,
    to dropped: [String: KeySet],
    _ body: (String, Int64, String, Int64, [String]) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    for link in ownLinks(hashes) where dropped[link.target] != nil {
      try connection.forEachRow(link.select) { row throws(SQLiteError) in
        guard row.type(at: 1) == .integer else { return }
        try body(link.holder, row.integer(at: 0), link.target, row.integer(at: 1), [])
      }
    }
    for root in hashes.roots {
      for link in hashes.targets(of: root, .destination) {
        try connection.forEachRow(link.select) { row throws(SQLiteError) in
          guard row.type(at: 1) == .integer else { return }
          try body(root.name, row.integer(at: 0), link.target, row.integer(at: 1), link.labels)
        }
      }
    }
  }

  /// Returns the links of tables and columns that only the destination has, each with a SELECT of the keys of holder, 0
  /// for one that is not merged, and target.
  private func ownLinks(_ hashes: MatchHashes) -> [(holder: String, target: String, select: String)] {
    var own: [(holder: String, target: String, select: String)] = []
    for relation in layout.relations
    where !merged.contains(relation.table.foldedName) || hashes.root(relation.root) != nil {
      let root = hashes.root(relation.root)
      let key = root?.key(.destination) ?? "0"
      let known = Set(root.map { hashes.links(of: $0).map(\.columns.destination.name) } ?? [])
      for column in relation.columns where (root == nil || !column.columnRole.isKey) && !known.contains(column.name) {
        guard let target = column.targetRoot, hashes.root(target) != nil else { continue }
        let value = relation.value(of: column)
        own.append(
          (
            relation.root, target,
            "SELECT \(key), \(value) FROM \(relation.sqlTable(in: schema)) WHERE \(value) IS NOT NULL"
          ))
      }
      guard root == nil else { continue }
      for link in layout.nonIntegerKeys where link.root == relation.root {
        guard let target = hashes.root(link.targetRoot) else { continue }
        let isSame = link.conditions(holder: "h", target: "t").joined(separator: " AND ")
        own.append(
          (
            relation.root, target.name,
            "SELECT 0, t.\(target.key(.destination)) FROM \(relation.sqlTable(in: schema)) AS h "
              + "JOIN \(target.table(.destination)) AS t ON \(isSame)"
          ))
      }
    }
    for links in layout.links {
      guard case .table(let table) = links.storage, !merged.contains(table.table.foldedName),
        hashes.layouts.source.link(links.relationship) == nil
      else { continue }
      for end in links.ends where hashes.root(end.root) != nil {
        let select = "SELECT 0, \(end.column.sqlName) FROM \(links.sqlTable(in: schema))"
        own.append((holder: table.table, target: end.root, select: select))
      }
    }
    return own
  }

  /// Returns whether the holder takes another link from the source.
  private func isReplaced(_ key: Int64, _ root: String, _ labels: [String]) throws(SQLiteError) -> Bool {
    guard let own = try ids.map(of: root)?.matchedObjects?.source(of: key),
      let taken = ids.baseChanges?.taken[root]
    else { return false }
    for label in labels where try taken.contains(own, named: label) { return true }
    return false
  }

  // MARK: Removal

  /// Removes the objects and links, or only counts them in a dry run.
  func run(isDryRun: Bool) throws(DecantError) -> Counts {
    guard let baseChanges = ids.baseChanges else { return Counts() }
    do throws(SQLiteError) {
      var counts = Counts()
      counts.links = try removeLinks(baseChanges.droppedLinks, isDryRun)
      var tables: [String: TemporaryTable] = [:]
      defer { withExtendedLifetime(tables) {} }
      for (root, keys) in baseChanges.dropped {
        let table = try TemporaryTable("(key INTEGER PRIMARY KEY)", on: connection)
        let insertion = try connection.prepare("INSERT INTO \(table) VALUES (?1)")
        try keys.forEach { key throws(SQLiteError) in try insertion.run(.integer(key)) }
        tables[root] = table
      }
      // All are counted before any is removed: triggers may remove others.
      var removals: [String] = []
      for links in layout.links where links.isTable {
        // A link between two of them is one link.
        let leads = links.ends.compactMap { end in
          tables[end.root].map { "\(end.column.sqlName) IN (SELECT key FROM \($0))" }
        }
        guard !leads.isEmpty else { continue }
        let rows = "FROM \(links.sqlTable(in: schema)) WHERE \(leads.joined(separator: " OR "))"
        counts.links += try connection.integer("SELECT count(*) \(rows)") ?? 0
        removals.append("DELETE \(rows)")
      }
      for relation in referringFirst() {
        guard let table = tables[relation.root] else { continue }
        let rows = "FROM \(relation.sqlTable(in: schema)) WHERE \(isDropped(relation, table))"
        try connection.forEachRow("SELECT \(relation.entityCode() ?? "NULL"), count(*) \(rows) GROUP BY 1") { row in
          let entity = relation.entities.first { $0.code == row.integer(at: 0) }
          let name = (entity ?? relation.entities.first)?.name ?? relation.root
          counts.objects[name, default: 0] += row.integer(at: 1)
        }
        removals.append("DELETE \(rows)")
      }
      guard !isDryRun else { return counts }
      try emptyLinks(to: tables)
      for removal in removals { try connection.run(removal) }
      return counts
    } catch {
      throw connection.refusal("cannot remove the objects that the source removed", place: nil, error)
    }
  }

  /// Returns the relations, each before its link targets: a trigger may refuse to remove a row that has links to it.
  private func referringFirst() -> [Relation] {
    var needs: [String: Set<String>] = [:]
    for relation in layout.relations {
      needs[relation.root, default: []].formUnion(relation.columns.compactMap(\.targetRoot))
    }
    for link in layout.nonIntegerKeys { needs[link.root, default: []].insert(link.targetRoot) }
    let order = MatchOrder(layout.relations.map(\.root), needs: needs).groups.joined()
    let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return layout.relations.sorted { (places[$0.root] ?? 0) > (places[$1.root] ?? 0) }
  }

  /// Returns the condition that a row of `relation` is among those to remove in `table`.
  private func isDropped(_ relation: Relation, _ table: TemporaryTable) -> String {
    let select = "SELECT key FROM \(table)"
    return ids.numberedRows?.isAmong(select, of: relation.root, in: schema)
      ?? "\(relation.keyName) IN (\(select))"
  }

  /// Clears the links that still lead to removed objects.
  private func emptyLinks(to tables: [String: TemporaryTable]) throws(SQLiteError) {
    for relation in layout.relations {
      for column in relation.columns where !column.columnRole.isKey {
        guard let target = column.targetRoot, let table = tables[target] else { continue }
        let gone = tables[relation.root].map { " AND NOT (\(isDropped(relation, $0)))" }
        let isToGone = "\(relation.value(of: column)) IN (SELECT key FROM \(table))\(gone ?? "")"
        try connection.run(relation.clearing(column, in: schema, where: isToGone))
      }
    }
    for link in layout.nonIntegerKeys {
      guard let table = tables[link.targetRoot], let target = layout.relation(of: link.targetRoot),
        let holder = layout.relation(of: link.root)
      else { continue }
      let gone = tables[holder.root].map { " AND NOT (\(isDropped(holder, $0)))" }
      let isSame = link.conditions(holder: "h", target: "t")
      let sets = layout.emptiedColumns(of: link, in: holder).map { "\($0.sqlName) = NULL" }
      guard !sets.isEmpty else { continue }
      try connection.run(
        "UPDATE \(holder.sqlTable(in: schema)) AS h SET \(sets.joined(separator: ", ")) WHERE EXISTS "
          + "(SELECT 1 FROM \(target.sqlTable(in: schema)) AS t WHERE \(isSame.joined(separator: " AND ")) "
          + "AND \(isDropped(target, table)))\(gone ?? "")"
      )
    }
  }

  private func removeLinks(_ dropped: RemovedLinks, _ isDryRun: Bool) throws(SQLiteError) -> Int64 {
    guard dropped.count > 0 else { return 0 }
    var count: Int64 = 0
    for links in layout.links where links.isTable {
      let (owner, target) = (links.holderKey, links.targetKey)
      let rows = "FROM \(links.sqlTable(in: schema)) WHERE \(owner) = ?1 AND \(target) = ?2"
      let statement = try connection.prepare(isDryRun ? "SELECT count(*) \(rows)" : "DELETE \(rows) RETURNING 1")
      try dropped.forEach(links.relationship.description) { owner, target throws(SQLiteError) in
        try statement.bind([.integer(owner), .integer(target)])
        defer { statement.reset() }
        while try statement.step() { count += isDryRun ? statement.integer(at: 0) : 1 }
      }
    }
    return count
  }
}
