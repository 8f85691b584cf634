internal import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The matching of objects by keys, if both stores have a common ancestor.
extension Matcher {
  /// Pairs objects of `group` that have equal keys and no other evidence.
  ///
  /// A store allocates keys in ascending order. An object whose key is at most the highest key with the same object in
  /// both stores existed in their common ancestor: equal keys then mean the same object, however much it was changed,
  /// if more objects up to that key are unchanged than changed beyond recognition. Above it, and if most objects
  /// differ, both stores may have allocated a key independently: there most of the values must agree, or one that is
  /// rare; of values that are almost always different and of groups of parts, more must agree than differ, not counting
  /// edited texts; links must not lead to objects that only one store has; and parts must have the same owner.
  ///
  /// - Returns: Whether there were any.
  func pairByKey(_ group: [String]) throws(DecantError) -> Bool {
    var isFound = false
    let names = group.filter { lineage.contains($0) && !isIntoNothing }
    try explaining("cannot match \(group.joined(separator: ", "))") { () throws(SQLiteError) in
      for name in names {
        guard let pairs = pairs[name], let root = hashes.root(name) else { continue }
        let fork = try fork(of: root, pairs)
        let rows = EqualKeyRows(root, hashes, pairs, decided: decided(without: name))
        let paired = "SELECT max(source) FROM \(pairs.table) WHERE source = destination AND source < ?1"
        highest[name] = try connection.integer(paired, .integer(fork ?? Int64.max))
        // Links to an edited object, as from a list to its next item, keep equal objects from being paired by content.
        if let key = try connection.integer(rows.highestEqual(below: "?1"), .integer(fork ?? Int64.max)) {
          highest[name] = max(highest[name] ?? key, key)
        }
        if let key = highest[name], try !isMostlySame(rows, pairs, name, upTo: key) {
          highest[name] = nil
        }
        forks[name] = fork
      }
      var isSettled = false
      // Paired objects may be the targets of others.
      while !isSettled {
        isSettled = true
        for name in names where try pairByKey(name) > 0 {
          isFound = true
          if names.count > 1 { isSettled = false }
        }
      }
    }
    return isFound
  }

  /// Returns the lowest key of the source from which equal keys are no evidence; `nil` if all are.
  ///
  /// An object that was merged before may have kept a key above others that either store allocated itself. If one store
  /// is the ancestor, it may have the keys of a third one: then it lacks a key of the other below a common object's.
  func fork(of root: MatchRoot, _ pairs: ObjectPairs) throws(SQLiteError) -> Int64? {
    func keys(_ side: MatchSide) -> String { "SELECT \(root.key(side)) AS k FROM \(root.table(side))" }
    // Both stores have such a key, for different objects.
    let moved = try connection.integer(
      """
      SELECT min(min(iif(source IN (\(keys(.destination))), source, \(Int64.max)),
        iif(destination IN (\(keys(.source))), destination, \(Int64.max))))
      FROM \(pairs.table) WHERE source <> destination
      """
    ).flatMap { $0 == Int64.max ? nil : $0 }
    guard let ancestor = rules.ancestor else { return moved }
    let added = try connection.integer(
      """
      SELECT min(k) FROM (\(keys(ancestor.other))) WHERE k NOT IN (\(keys(ancestor)))
      AND k < (SELECT max(source) FROM \(pairs.table) WHERE source = destination)
      """
    )
    return [moved, added].compactMap(\.self).min()
  }

  /// Returns whether more objects of `name` up to `highest` have an equal object under their key than a different one.
  ///
  /// Two apps may install a few equal rows, which say nothing about other rows of the table. An edited object that kept a
  /// rare text of words, such as its title, is neither; one of the same day may be another one.
  private func isMostlySame(_ rows: EqualKeyRows, _ pairs: ObjectPairs, _ name: String, upTo highest: Int64)
    throws(SQLiteError) -> Bool
  {
    guard rules.lineage != .same, !rules.isAboutAncestor else { return true }
    var rows = rows
    try rows.leaveOutCommonValues(on: connection)
    defer { withExtendedLifetime(rows) {} }
    var same =
      try connection.integer(
        "SELECT count(*) FROM \(pairs.table) WHERE source = destination AND source <= ?1",
        .integer(highest)
      ) ?? 0
    var (different, kept): (Int64, Int64) = (0, 0)
    var open: Set<Int64> = []
    try connection.forEachRow(rows.select) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      guard key <= highest, try isIncluded(key, name) else { return }
      if row.integer(at: 5) == 1 {
        same += 1
      } else if row.integer(at: 3) == 0 || row.integer(at: 1) * 2 <= row.integer(at: 2) {
        different += 1
        guard row.integer(at: 3) == 1, row.integer(at: 1) > 0 else { return }
        kept += 1
        if open.count < EqualKeyRows.limit { open.insert(key) }
      }
    }
    guard same <= different, !open.isEmpty else { return same > different }
    let examined = Int64(open.count)
    for column in rows.informative where !open.isEmpty {
      try connection.forEachRow(rows.rare(column, among: open, isOfWords: true)) { row in
        open.remove(row.integer(at: 0))
      }
    }
    // Those that were not examined are like the others.
    return same > different - kept * (examined - Int64(open.count)) / examined
  }

  /// Counts unpaired objects whose key belongs to another object in the destination.
  ///
  /// Of entities with a common ancestor, some may have been paired since their keys were compared. For entities without
  /// one, objects count if there is an equal object under the same key: the stores may still be copies of one store in
  /// which most objects were changed.
  func countUnmatchedKeys() throws(SQLiteError) {
    for (name, count) in unequalKeys where count > 0 {
      guard let root = hashes.root(name), let pairs = pairs[name] else { continue }
      unequalKeys[name] = 0
      try forEachEqualKey(EqualKeyRows(root, hashes, pairs).keys, name) { _ in unequalKeys[name, default: 0] += 1 }
    }
    guard rules.lineage == .found, !isIntoNothing else { return }
    for root in hashes.roots where !lineage.contains(root.name) && !root.relations.source.isNumbered {
      guard root.identities.isEmpty, let pairs = pairs[root.name], let included = included[root.name],
        try connection.integer(EqualKeyRows(root, hashes, pairs).anySame) != nil
      else { continue }
      let (matched, key) = (try pairs.matched(among: included), root.key(.source))
      var count: Int64 = 0
      try connection.forEachRow(
        """
        SELECT \(key) FROM \(root.table(.source))
        WHERE \(key) IN (SELECT \(root.key(.destination)) FROM \(root.table(.destination)))
        """
      ) { row throws(SQLiteError) in
        let key = row.integer(at: 0)
        if try included.contains(key), try !matched.contains(key) { count += 1 }
      }
      unequalKeys[root.name] = count
    }
  }

  /// Pairs objects of `name`; returns their number.
  private func pairByKey(_ name: String) throws(SQLiteError) -> Int64 {
    guard let root = hashes.root(name), let pairs = pairs[name] else { return 0 }
    let certain = try pairByCertainKey(root, pairs)
    var count: Int64 = 0
    let equal = EqualKeyRows(root, hashes, pairs, decided: decided(without: name))
    let differing = try forEachSame(of: equal, name) { key throws(SQLiteError) in
      try pairs.add(key, key, .key)
      count += 1
    }
    if count > 0 { try pairs.settle() }
    unequalKeys[name] = differing - count
    return count + certain
  }

  /// Pairs all objects with the keys of the ancestor, if both stores give each key once; returns their number.
  private func pairByCertainKey(_ root: MatchRoot, _ pairs: ObjectPairs) throws(SQLiteError) -> Int64 {
    guard rules.isAboutAncestor, root.relations.source.numbersOnce, root.relations.destination.numbersOnce else {
      return 0
    }
    let fork = forks[root.name] ?? Int64.max
    var count: Int64 = 0
    try forEachEqualKey(EqualKeyRows(root, hashes, pairs, regardsIdentities: false).keys, root.name) {
      row throws(SQLiteError) in
      guard row.integer(at: 0) < fork else { return }
      try pairs.add(row.integer(at: 0), row.integer(at: 0), .key)
      count += 1
    }
    if count > 0 { try pairs.settle() }
    return count
  }

  /// Returns the root entities other than `name` whose pairs are known.
  func decided(without name: String) -> Set<String> {
    Set(hashes.roots.map(\.name).filter { $0 != name && !unmatched.contains($0) })
  }

  /// Finds the objects of the destination beside which an object of the source was kept in an earlier merge.
  ///
  /// The kept copy is paired by content; the other object has the key that it has in the source.
  package func findKeptBeside(_ name: String) throws(SQLiteError) {
    guard lineage.contains(name), let root = hashes.root(name), let pairs = pairs[name],
      try pairs.hasMovedContent()
    else { return }
    let equal = EqualKeyRows(root, hashes, pairs, isMoved: true)
    _ = try forEachSame(of: equal, name) { key throws(SQLiteError) in
      try pairs.add(keptCopy: key, beside: key)
    }
    try pairs.settle()
  }

  /// Finds such objects among the targets of objects of `name`: an object of equal values and key leads to them, under
  /// their key, in both stores.
  ///
  /// If the targets were different objects, the earlier merge would have added it, leading to the kept copy.
  ///
  /// - Parameters:
  ///   - name: The root entity of the objects with links.
  ///   - keepsBoth: Whether an earlier merge with the same rules can have kept objects of a root entity.
  /// - Throws: `SQLiteError` if a database reports an error.
  package func findTargetsKeptBeside(_ name: String, where keepsBoth: (String) -> Bool) throws(SQLiteError) {
    guard lineage.contains(name), decider?.hasBase != true, let root = hashes.root(name), let holders = pairs[name],
      let highest = try connection.integer(holders.highestKept)
    else { return }
    let unique = hashes.uniqueNames(of: root)
    let names = root.relations.destination.columns.filter { column in
      guard case .attribute(let property) = column.columnRole else { return false }
      return unique.contains(property.name)
    }.map(\.name)
    for link in hashes.links(of: root) where lineage.contains(link.target) && !link.isOwner && keepsBoth(link.target) {
      guard let target = hashes.root(link.target), let pairs = pairs[link.target], try pairs.hasMovedContent()
      else { continue }
      let rows = Sided { side in
        """
        (SELECT \(root.key(side)) AS k, \(root.relations[side].value(of: link.columns[side])) AS t,
          \(MixFunction.sql(hashes.comparedValues(of: root, side))) AS h,
          \(MixFunction.sql(root.ownValues(side, without: Set(names)))) AS g FROM \(root.table(side)))
        """
      }
      // Those above the last common one may be allocated by either store. One with an identity would have been added
      // with another one.
      let select = """
        SELECT DISTINCT a.t FROM \(rows.source) AS a JOIN \(rows.destination) AS b ON b.k = a.k AND b.t = a.t
        JOIN \(pairs.table) AS p ON p.source = a.t
        WHERE a.k < \(highest) AND a.h IS b.h
          AND a.t IN (\(EqualKeyRows(target, hashes, pairs, isMoved: true).keys))
          AND (a.k NOT IN (SELECT source FROM \(holders.table) UNION ALL SELECT destination FROM \(holders.table))
            OR a.k IN (SELECT source FROM \(holders.table) WHERE source = destination)
              AND (p.destination, a.g) NOT IN (SELECT t, g FROM \(rows.destination) WHERE t IS NOT NULL))
        """
      try connection.forEachRow(select) { row throws(SQLiteError) in
        try pairs.add(keptCopy: row.integer(at: 0), beside: row.integer(at: 0))
      }
      try pairs.settle()
    }
  }

  /// Calls `found` with each key of `rows` under which both stores have the same object; returns the number of equal
  /// keys.
  private func forEachSame(
    of rows: EqualKeyRows,
    _ name: String,
    _ found: (Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int64 {
    var rows = rows
    var open: [Int64] = []
    if rules.lineage != .same, try connection.integer(rows.any(above: highest[name])) != nil {
      try rows.leaveOutCommonValues(on: connection)
    }
    defer { withExtendedLifetime(rows) {} }
    let contested = try contested(name)
    var differing: Int64 = 0
    // Those of an ancestor's objects that were changed beyond recognition, and the highest key of the others.
    var (changed, top): ([Int64], Int64?) = ([], nil)
    func accept(_ key: Int64) throws(SQLiteError) {
      if rules.isAboutAncestor, key < forks[name] ?? Int64.max { top = max(top ?? key, key) }
      try found(key)
    }
    try forEachEqualKey(rows.select, name) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      differing += 1
      let (agreeing, owners, edited) = (row.integer(at: 1), row.integer(at: 3), row.integer(at: 7))
      // An edited text neither agrees nor differs; beside links alone it may be another new object's.
      let all = max(row.integer(at: 2) - edited, 0)
      // An ancestor's object is the same one, however much of it was changed, unless its keys are another store's.
      let isStraight = rules.isAboutAncestor && key < forks[name] ?? Int64.max
      let isOther = row.integer(at: 4) == 1 && !isStraight
      let isKept = key <= highest[name] ?? Int64.min && !contested.contains(key)
      if rules.lineage == .same || isKept
        || owners == 1 && (agreeing * 2 > all && !isOther || isStraight && row.integer(at: 6) == 1)
      {
        try accept(key)
      } else if owners == 1, agreeing > 0, !isOther, open.count < EqualKeyRows.limit {
        open.append(key)
      } else if isStraight {
        changed.append(key)
      }
    }
    var rest = Set(open)
    for column in rows.informative where !rest.isEmpty {
      try connection.forEachRow(rows.rare(column, among: rest)) { row throws(SQLiteError) in
        guard rest.remove(row.integer(at: 0)) != nil else { return }
        try accept(row.integer(at: 0))
      }
    }
    // A store gives no key below one that it still has.
    for key in changed + rest where rules.isAboutAncestor && key < top ?? Int64.min { try found(key) }
    return differing
  }

  /// Returns the keys of `name` that are no evidence: the contested ones, and those of objects that lead to a contested key in
  /// both stores.
  private func contested(_ name: String) throws(SQLiteError) -> Set<Int64> {
    var keys = contestedKeys[name] ?? []
    guard let root = hashes.root(name) else { return keys }
    for link in hashes.links(of: root) where link.target != name {
      guard let targets = contestedKeys[link.target], !targets.isEmpty else { continue }
      let target = Sided { side in root.relations[side].value(of: link.columns[side]) }
      let rows = Sided { side in "(SELECT \(root.key(side)) AS k, \(target[side]) AS t FROM \(root.table(side)))" }
      try connection.forEachRow(
        """
        SELECT s.k FROM \(rows.source) AS s JOIN \(rows.destination) AS d ON d.k = s.k AND d.t = s.t
        WHERE s.t IN (\(Array(targets).list))
        """
      ) { row in keys.insert(row.integer(at: 0)) }
    }
    return keys
  }

  /// Calls `body` with the rows of `select`, which begin with a key under which both stores have an unpaired object.
  private func forEachEqualKey(
    _ select: String,
    _ name: String,
    do body: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let upper = hashes.root(name).flatMap(hashes.continued).flatMap { included[$0.name] }
    try connection.forEachRow(select) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      // A row that extends an object of the source is paired with that object, whatever the keys.
      guard try isIncluded(key, name), try upper?.contains(key) != true else { return }
      try body(row)
    }
  }

  /// Pairs objects with equal keys and links from the same objects, which existed in their common ancestor.
  ///
  /// In a table of links, an old object may also lead to a new one in each store: different objects need several links.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: `DecantError` if a store cannot be read.
  func pairByHolders() throws(DecantError) -> Bool {
    guard !isIntoNothing else { return false }
    var isFound = false
    let (columns, tables) = (columnsByTarget, tablesByTarget)
    for target in hashes.roots where lineage.contains(target.name) {
      guard let pairs = pairs[target.name] else { continue }
      for (holder, link) in columns[target.name] ?? [] {
        guard let highest = highest[holder.name], let holders = self.pairs[holder.name] else { continue }
        try explaining("cannot match \(target.name)") { () throws(SQLiteError) in
          if try pair(target, pairs, ledToBy: link, of: holder, holders, upTo: highest) { isFound = true }
        }
      }
      for link in tables[target.name] ?? [] {
        try explaining("cannot match \(target.name)") { () throws(SQLiteError) in
          if try pair(target, pairs, ledToBy: link) { isFound = true }
        }
      }
    }
    return isFound
  }

  /// The links in columns to other root entities, with their holders, by target.
  private var columnsByTarget: [String: [(holder: MatchRoot, link: MatchHashes.Link)]] {
    var links: [String: [(holder: MatchRoot, link: MatchHashes.Link)]] = [:]
    for holder in hashes.roots {
      for link in hashes.links(of: holder) where link.target != holder.name {
        links[link.target, default: []].append((holder, link))
      }
    }
    return links
  }

  /// The link tables that both stores have, in both directions, by target; without those of one root entity.
  private var tablesByTarget: [String: [Sided<Link>]] {
    var tables: [String: [Sided<Link>]] = [:]
    for link in hashes.layouts.source.links where link.isTable && link.holder != link.target {
      guard let there = hashes.layouts.destination.link(link.relationship), there.isTable else { continue }
      let both = Sided(link, there)
      let back = Sided { both[$0].reversed(as: link.inverse ?? link.relationship) }
      for link in [both, back] { tables[link.source.target, default: []].append(link) }
    }
    return tables
  }

  private func pair(_ target: MatchRoot, _ pairs: ObjectPairs, ledToBy link: Sided<Link>) throws(SQLiteError) -> Bool {
    guard let highest = highest[link.source.holder], let holders = self.pairs[link.source.holder]
    else { return false }
    let rows = Sided { side in
      "(\(link[side].rows(in: hashes.schemas[side], bothWays: false)))"
    }
    return try pair(
      """
      SELECT a.target, count(*) FROM \(rows.source) AS a JOIN \(holders.table) AS p ON p.source = a.owner
      JOIN \(rows.destination) AS b ON b.owner = p.destination AND b.target = a.target
      WHERE p.source <= \(highest) AND a.target IN (\(EqualKeyRows(target, hashes, pairs).keys)) GROUP BY 1
      """,
      target,
      pairs
    )
  }

  private func pair(
    _ target: MatchRoot,
    _ pairs: ObjectPairs,
    ledToBy link: MatchHashes.Link,
    of holder: MatchRoot,
    _ holders: ObjectPairs,
    upTo highest: Int64
  ) throws(SQLiteError) -> Bool {
    let ends = Sided { side in
      (
        key: holder.relations[side].value(of: link.columns[side], in: side.rawValue),
        own: "\(side.rawValue).\(holder.key(side))"
      )
    }
    return try pair(
      """
      SELECT \(ends.source.key), \(Matcher.convincingLinkCount) FROM \(holders.table) AS p
      JOIN \(holder.table(.source)) AS a ON \(ends.source.own) = p.source
      JOIN \(holder.table(.destination)) AS b ON \(ends.destination.own) = p.destination
      WHERE p.source <= \(highest) AND \(ends.source.key) = \(ends.destination.key)
        AND \(ends.source.key) IN (\(EqualKeyRows(target, hashes, pairs).keys)) GROUP BY 1
      """,
      target,
      pairs
    )
  }

  /// Pairs the objects of equal keys in `select`, each with the number of links; returns whether there were any.
  private func pair(_ select: String, _ target: MatchRoot, _ pairs: ObjectPairs) throws(SQLiteError) -> Bool {
    var (found, weak): ([Int64], Set<Int64>) = ([], [])
    try connection.forEachRow(select) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      guard try isIncluded(key, target.name), contestedKeys[target.name]?.contains(key) != true else { return }
      found.append(key)
      if row.integer(at: 1) < Matcher.convincingLinkCount { weak.insert(key) }
    }
    if rules.lineage != .same, !rules.isAboutAncestor, !weak.isEmpty {
      var rows = EqualKeyRows(target, hashes, pairs, decided: decided(without: target.name))
      try rows.leaveOutCommonValues(on: connection)
      var others: Set<Int64> = []
      try connection.forEachRow(rows.others) { row in others.insert(row.integer(at: 0)) }
      found.removeAll { weak.contains($0) && others.contains($0) }
      withExtendedLifetime(rows) {}
    }
    for key in found { try pairs.add(key, key, .key) }
    if !found.isEmpty { try pairs.settle() }
    return !found.isEmpty
  }

  /// The number of links that show that objects with other values are the same.
  private static var convincingLinkCount: Int64 { 3 }
}
