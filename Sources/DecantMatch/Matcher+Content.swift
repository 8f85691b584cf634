package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The matching of objects by content.
extension Matcher {
  func matchByContent(_ group: [String], late: Set<String>) throws(DecantError) {
    let own = hashes.identityNeeds.filter { late.contains($0.key) }.mapValues { $0.intersection(late) }
    let lateNames = MatchOrder(group, needs: own).groups.joined().filter(late.contains)
    guard !isIntoNothing else {
      for name in lateNames { try matchByIdentity(name) }
      return
    }
    let roots = group.compactMap { hashes.root($0) }
    for root in roots {
      try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
        try sumUpOwned(by: root)
      }
    }
    let members = Set(group)
    let isCycle =
      roots.count > 1
      || roots.contains { root in hashes.links(of: root).contains { members.contains($0.target) } }
    let what = "cannot match \(group.joined(separator: ", "))"
    guard isCycle else {
      return try explaining(what) { () throws(SQLiteError) in
        for root in roots { try pairByContent(root, contentSelects(of: root)) }
      }
    }
    let cycle = try explaining(what) { () throws(SQLiteError) in
      let cycle = try MatchCycle(roots, hashes, late: late, on: connection)
      defer { withExtendedLifetime(cycle) {} }
      try cycle.refine()
      for root in roots where !late.contains(root.name) && cycle.isSettled {
        try pairByContent(root, cycle.selects(of: root))
      }
      return cycle
    }
    defer { withExtendedLifetime(cycle) {} }
    for name in lateNames {
      try matchByIdentity(name)
      // Before the next, whose identity may link to objects matched by content.
      guard let root = hashes.root(name), cycle.isSettled else { continue }
      try explaining(what) { () throws(SQLiteError) in
        try pairByContent(root, cycle.selects(of: root, without: pairs[name]))
      }
    }
  }

  /// Pairs unpaired objects that link to others of `group` by content, now that some of these are matched by key; if
  /// `targets` of other groups have been paired as well, all unpaired objects; those of the root entities `late` only take
  /// part in the content of others.
  package func matchTheRestByContent(_ group: [String], knowingMore targets: Bool = false, late: Set<String> = [])
    throws(DecantError)
  {
    let roots = group.compactMap { hashes.root($0) }.filter { pairs[$0.name]?.keepsPartners == true }
    guard targets || leadsToMembers(group), !isIntoNothing, try !areComplete(roots) else { return }
    try explaining("cannot match \(group.joined(separator: ", "))") { () throws(SQLiteError) in
      let cycle = try MatchCycle(roots, hashes, late: late, on: connection) { root, side in
        isOpen(root, side)
      }
      defer { withExtendedLifetime(cycle) {} }
      try cycle.refine()
      for root in roots where cycle.isSettled && !late.contains(root.name) {
        try pairByContent(root, cycle.selects(of: root))
      }
    }
  }

  /// Returns whether every object of the source has a partner.
  func areComplete(_ roots: [MatchRoot]) throws(DecantError) -> Bool {
    for root in roots {
      guard let pairs = pairs[root.name], let keys = included[root.name] else { continue }
      if try !isComplete(pairs, keys) { return false }
    }
    return true
  }

  /// Returns the condition that an object has no partner yet, and does not wait for one.
  func isOpen(_ root: MatchRoot, _ side: MatchSide) -> String {
    let waiting = pairs[root.name]?.waiting.map { " UNION ALL SELECT key FROM \($0[side])" } ?? ""
    return
      "\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs[root.name]?.table.description ?? "")\(waiting))"
  }

  /// Pairs objects that have the same content except for one-to-one links that the destination lacks.
  ///
  /// If an object was added beside the target of such a link, the link could not be written: it is still the same
  /// object.
  func pairButForSingleLinks() throws(DecantError) {
    let roots = hashes.roots.filter { pairs[$0.name]?.keepsPartners == true }
    guard !isIntoNothing,
      roots.contains(where: { hashes.links(of: $0).contains(where: hashes.isSingle) }),
      try !areComplete(roots)
    else { return }
    try explaining("cannot match objects") { () throws(SQLiteError) in
      let cycle = try MatchCycle(roots, hashes, late: [], ignoring: hashes.isSingle, on: connection) {
        root,
        side in
        isOpen(root, side)
      }
      defer { withExtendedLifetime(cycle) {} }
      try cycle.refine()
      for root in roots where cycle.isSettled {
        guard let pairs = pairs[root.name] else { continue }
        let walk = try EqualContent(cycle.selects(of: root), on: connection)
        while try walk.nextGroup() != nil {
          while let (source, destination) = try walk.nextPair() {
            guard try isIncluded(source, root.name) else { continue }
            try pairs.add(source, destination, .almost)
          }
        }
        try pairs.settle()
      }
    }
  }

  func contentSelects(of root: MatchRoot) -> Sided<String> {
    Sided { side in
      let content = hashes.content(of: root, side) { _ in false }
      let hash =
        hashes.anyIdentity(of: root, side).map { "CASE WHEN (\($0)) IS NULL THEN \(content) END" }
        ?? content
      // Objects that link to something only one store has are skipped before their values are read.
      let tokens = hashes.linkTokens(of: root, side).map { "(\($0)) IS NOT NULL" }
      return SelectStatement(
        columns: ["\(hash) AS h", "\(root.key(side)) AS k"],
        source: root.table(side),
        conditions: tokens
      ).sql
    }
  }

  /// Pairs objects of equal content.
  ///
  /// Of several with the same content, those with equal keys are paired if both stores have a common ancestor.
  /// Otherwise they wait until links distinguish them.
  func pairByContent(_ root: MatchRoot, _ selects: Sided<String>, isStepwise: Bool = false) throws(SQLiteError) {
    guard let pairs = pairs[root.name], !identified.contains(root.name) else { return }
    let isKept = lineage.contains(root.name)
    var selects = selects
    let equals = isKept ? try EqualKeys(on: connection) : nil
    defer { withExtendedLifetime(equals) {} }
    if let equals {
      try equals.find(selects) { key throws(SQLiteError) in try pairs.add(key, key, .content) }
      selects = equals.others
    }
    let mayWait =
      !isKept && pairs.keepsPartners && alike.haveLinks(root)
      && !(isStepwise && !root.identities.isEmpty)
    let walk = try EqualContent(selects, on: connection)
    while let group = try walk.nextGroup() {
      guard mayWait, !group.isSingle else {
        while let (source, destination) = try walk.nextPair() {
          try pairs.add(source, destination, .content)
        }
        continue
      }
      try walk.forEachKey { side, key throws(SQLiteError) in
        try alike.add(key, group.hash, side, of: root, pairs)
      }
    }
    if !isStepwise { try pairs.settle() }
  }

  /// Sums up the parts of objects of `root`, innermost parts first.
  ///
  /// - Parameters:
  ///   - root: The root entity of the owners.
  ///   - path: The root entities above, if these are parts themselves.
  ///   - valuesOnly: Whether the links of the parts are ignored.
  /// - Throws: `SQLiteError` if a store cannot be read.
  package func sumUpOwned(by root: MatchRoot, _ path: Set<String> = [], valuesOnly: Bool = false) throws(SQLiteError) {
    // If all objects have an identity, their parts do not matter, unless both of two are to be kept.
    guard !path.isEmpty || root.isKnownByContent || valuesOnly else { return }
    for (child, link) in hashes.owned(by: root, valuesOnly: valuesOnly)
    where !path.contains(child.name) {
      let name = hashes.ownedName(child, link, valuesOnly)
      guard hashes.ownedTables[name] == nil else { continue }
      try sumUpOwned(by: child, path.union([root.name]), valuesOnly: valuesOnly)
      let tables = try Sided.tables("(owner INTEGER PRIMARY KEY, hash INTEGER)", on: connection)
      for side in MatchSide.allCases {
        let select = hashes.ownedSelect(child, link, side, unmatched: unmatched, valuesOnly: valuesOnly)
        try connection.run("INSERT INTO \(tables[side]) \(select)")
      }
      let isEmpty =
        try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM \(tables.source)) + EXISTS (SELECT 1 FROM \(tables.destination))"
        ) == 0
      if !isEmpty { hashes.ownedTables[name] = tables }
    }
  }
}
