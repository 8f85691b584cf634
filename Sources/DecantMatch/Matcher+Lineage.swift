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
        // An object that was merged before may have kept a key above others that either store allocated itself.
        let fork = try connection.integer(
          """
          SELECT min(source) FROM \(pairs.table) WHERE source <> destination
          AND source IN (SELECT \(root.key(.destination)) FROM \(root.table(.destination)))
          """
        )
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
    for column in rows.telling where !open.isEmpty {
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
    var count: Int64 = 0
    let equal = EqualKeyRows(root, hashes, pairs, decided: decided(without: name))
    let differing = try forEachSame(of: equal, name) { key throws(SQLiteError) in
      try pairs.add(key, key, .key)
      count += 1
    }
    if count > 0 { try pairs.settle() }
    unequalKeys[name] = differing - count
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
    var differing: Int64 = 0
    try forEachEqualKey(rows.select, name) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      differing += 1
      let (agreeing, all, owners) = (row.integer(at: 1), row.integer(at: 2), row.integer(at: 3))
      let isOther = row.integer(at: 4) == 1 && !rules.isAboutAncestor
      if rules.lineage == .same || key <= highest[name] ?? Int64.min
        || owners == 1 && agreeing * 2 > all && !isOther
      {
        try found(key)
      } else if owners == 1, agreeing > 0, !isOther, open.count < EqualKeyRows.limit {
        open.append(key)
      }
    }
    var rest = Set(open)
    for column in rows.telling where !rest.isEmpty {
      try connection.forEachRow(rows.rare(column, among: rest)) { row throws(SQLiteError) in
        guard rest.remove(row.integer(at: 0)) != nil else { return }
        try found(row.integer(at: 0))
      }
    }
    return differing
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
      SELECT DISTINCT a.target FROM \(rows.source) AS a JOIN \(holders.table) AS p ON p.source = a.owner
      JOIN \(rows.destination) AS b ON b.owner = p.destination AND b.target = a.target
      WHERE p.source <= \(highest) AND a.target IN (\(EqualKeyRows(target, hashes, pairs).keys))
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
      SELECT DISTINCT \(ends.source.key) FROM \(holders.table) AS p
      JOIN \(holder.table(.source)) AS a ON \(ends.source.own) = p.source
      JOIN \(holder.table(.destination)) AS b ON \(ends.destination.own) = p.destination
      WHERE p.source <= \(highest) AND \(ends.source.key) = \(ends.destination.key)
        AND \(ends.source.key) IN (\(EqualKeyRows(target, hashes, pairs).keys))
      """,
      target,
      pairs
    )
  }

  /// Pairs the objects of equal keys in `select`; returns whether there were any.
  private func pair(_ select: String, _ target: MatchRoot, _ pairs: ObjectPairs) throws(SQLiteError) -> Bool {
    var isFound = false
    try connection.forEachRow(select) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      guard try isIncluded(key, target.name) else { return }
      try pairs.add(key, key, .key)
      isFound = true
    }
    if isFound { try pairs.settle() }
    return isFound
  }
}

/// The unpaired objects of a root entity that have equal keys in both stores.
private struct EqualKeyRows {
  private let root: MatchRoot
  private let rows: Sided<String>
  /// All objects of each store.
  private let all: Sided<String>
  private var sources: String { all.source }
  /// The indices of the compared values: the object's own, then the targets of its links.
  let columns: Range<Int>
  /// The values that can distinguish objects on their own: the object's own values, and one-to-one links.
  let telling: [Int]
  private let singles: Set<Int>
  /// The values that are part of a uniqueness constraint.
  private let named: [Int]
  /// The links whose targets are known to be in only one of the stores, if they are.
  private let exclusive: [Int]
  private let owners: Range<Int>
  /// The indices of the sums of an object's parts.
  private let parts: Range<Int>
  /// The number of the object's own values.
  private let ownCount: Int
  /// The values that all objects have.
  private var constant: Set<Int> = []

  /// For each compared value the most common one, as SQL: a literal, or a SELECT of a long one.
  private var common: [Int: String] = [:]
  /// The most common values that are too long for a literal: `place` and `v`.
  private var longValues: TemporaryTable?
  private static let sampleSize = 1_000

  /// The maximum number of objects that are examined again, value by value.
  static let limit = 10_000

  /// Creates the rows of a root entity.
  ///
  /// - Parameters:
  ///   - root: The root entity.
  ///   - hashes: The definition of hashes.
  ///   - pairs: The pairs found so far.
  ///   - isMoved: Whether to use the source's objects that have a partner of equal content and another key, instead of
  ///     unpaired ones.
  ///   - decided: The root entities whose pairs are known.
  init(
    _ root: MatchRoot,
    _ hashes: MatchHashes,
    _ pairs: ObjectPairs,
    isMoved: Bool = false,
    decided: Set<String> = []
  ) {
    self.root = root
    var counts = (values: 0, own: 0, owners: 0, parts: 0)
    let singles = hashes.links(of: root).enumerated().filter { hashes.isSingle($0.element) }.map(\.offset)
    func rows(_ side: MatchSide, _ conditions: [String]) -> String {
      func tokens(_ links: [MatchHashes.Link]) -> [String] {
        links.map { link in
          let key = root.relations[side].value(of: link.columns[side])
          return "ifnull(\(hashes.targetToken(link, key, side)), 'only \(side.rawValue)')"
        }
      }
      let links = hashes.links(of: root)
      // The first one is the entity.
      let own = hashes.comparedValues(of: root, side).dropFirst()
      let values = own + tokens(links)
      let owners = tokens(links.filter(\.isOwner))
      let parts = hashes.ownedSums(of: root, side)
      counts = (values.count, own.count, owners.count, parts.count)
      let identity = hashes.anyIdentity(of: root, side) ?? "NULL"
      let columns =
        ["\(root.key(side)) AS k", "\(root.entity(side)) AS e", "\(identity) AS i"]
        + values.enumerated().map { "\($1) AS v\($0)" }
        + owners.enumerated().map { "\($1) AS o\($0)" } + parts.enumerated().map { "\($1) AS p\($0)" } + [
          "\(MixFunction.sql(Array(own))) AS h"
        ]
      return SelectStatement(columns: columns, source: root.table(side), conditions: conditions).sql
    }
    self.rows = Sided { side in
      isMoved && side == .source
        ? rows(side, ["\(root.key(side)) IN (\(pairs.movedContent))"])
        : rows(
          side,
          ["\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs.table))"]
            + pairs.openConditions(root.key(side), side)
        )
    }
    all = Sided { rows($0, []) }
    self.singles = Set(singles.map { counts.own + $0 })
    let unique = hashes.uniqueNames(of: root)
    named = hashes.comparedProperties(of: root, .destination).enumerated().filter { _, property in
      guard case .attribute(let attribute) = property.columnRole else { return false }
      return unique.contains(attribute.name)
    }.map(\.offset)
    exclusive = hashes.links(of: root).enumerated().filter { decided.contains($0.element.target) }
      .map { counts.own + $0.offset }
    telling = Array(0..<counts.own) + singles.map { counts.own + $0 }
    (columns, owners, parts, ownCount) = (0..<counts.values, 0..<counts.owners, 0..<counts.parts, counts.own)
  }

  /// The values that are almost always different; of few objects, also texts that are different in all.
  private var distinct: Set<Int> = []
  /// Those among them that are almost always different in many objects.
  private var clearlyDistinct: Set<Int> = []

  /// Finds the values that more than half of the objects have: agreement in these is no evidence.
  mutating func leaveOutCommonValues(on connection: Connection) throws(SQLiteError) {
    for column in columns {
      try connection.forEachRow(
        """
        SELECT count(v) >= \(named.contains(column) ? 2 : 8) AND count(DISTINCT v) * 10 >= count(v) * 9,
          count(*) > 1 AND count(DISTINCT v) <= 1,
          count(*) > 1 AND count(DISTINCT v) = count(*) AND min(typeof(v) = 'text')
        FROM (SELECT v\(column) AS v FROM (\(sources)) LIMIT \(EqualKeyRows.sampleSize))
        """
      ) { row in
        if row.integer(at: 0) == 1 { clearlyDistinct.insert(column) }
        if row.integer(at: 0) == 1 || row.integer(at: 2) == 1 && column < ownCount { distinct.insert(column) }
        if row.integer(at: 1) == 1 { constant.insert(column) }
      }
      let most = """
        FROM (SELECT v, count(*) AS c, sum(count(*)) OVER () AS n
          FROM (SELECT v\(column) AS v FROM (\(sources)) LIMIT \(EqualKeyRows.sampleSize)) GROUP BY v)
        WHERE v IS NOT NULL AND c > 3 AND c * 2 > n
        """
      common[column] = try connection.text("SELECT iif(length(v) <= 1000, quote(v), '') \(most)")
      guard common[column] == "" else { continue }
      if longValues == nil { longValues = try TemporaryTable("(place INTEGER, v)", on: connection) }
      guard let table = longValues else { continue }
      try connection.run("INSERT INTO \(table) SELECT \(column), v \(most)")
      common[column] = "SELECT v FROM \(table) WHERE place = \(column)"
    }
  }

  /// Returns a SELECT of a row if there is an object with a key above `key`.
  func any(above key: Int64?) -> String {
    "SELECT 1 FROM \(both)" + (key.map { " AND s.k > \($0)" } ?? "") + " LIMIT 1"
  }

  /// A SELECT of a row if one of the first objects of the source equals the destination's object with its key.
  var anySame: String {
    let agree = (["s.e IS d.e"] + columns.map { "s.v\($0) IS d.v\($0)" }).sqlJoined(by: "AND")
    return """
      SELECT 1 FROM (SELECT * FROM (\(all.source)) ORDER BY k LIMIT \(EqualKeyRows.limit)) AS s
      JOIN (\(all.destination)) AS d ON d.k = s.k WHERE \(agree) LIMIT 1
      """
  }

  /// A SELECT of the highest key below `limit` with equal own values in both stores; NULL if there is no such key.
  func highestEqual(below limit: String) -> String { "SELECT max(s.k) FROM \(both) AND s.k < \(limit) AND \(areEqual)" }

  /// The condition that a link leads to an object that only the source has, and to one that only the destination has.
  private var leadApart: String {
    let links = exclusive.map {
      "s.v\($0) IS 'only \(MatchSide.source.rawValue)' AND d.v\($0) IS 'only \(MatchSide.destination.rawValue)'"
    }
    return links.isEmpty ? "0" : links.sqlJoined(by: "OR")
  }

  /// The condition that several own values of an object are equal in both stores, and that no other object of the source
  /// has them all.
  private var areEqual: String {
    let values = (0..<ownCount).map { "(s.v\($0) IS NOT NULL)" }
    guard values.count > 1 else { return "0" }
    return "s.h IS d.h AND \(values.sqlJoined(by: "+")) > 1 AND NOT (\(leadApart)) "
      + "AND s.h NOT IN (SELECT h FROM (\(sources)) GROUP BY 1 HAVING count(*) > 1)"
  }

  private var both: String {
    """
    (\(rows.source)) AS s JOIN (\(rows.destination)) AS d ON d.k = s.k
    WHERE s.e IS d.e AND (s.i IS NULL OR d.i IS NULL)
    """
  }

  /// A SELECT of their keys.
  var keys: String { "SELECT s.k FROM \(both)" }

  /// A SELECT of the key, the number of agreeing values, the number of values, whether the owners are the same, whether
  /// they are different objects: as many of the values that are almost always different differ as agree, not counting
  /// edited texts, or links lead to objects that the other store lacks; and whether the own values are equal.
  var select: String {
    func sum(_ term: (Int, String, String) -> String) -> String {
      columns.isEmpty
        ? "0" : columns.map { "(\(term($0, "s.v\($0)", "d.v\($0)")))" }.sqlJoined(by: "+")
    }
    let agreeing = sum { "\(isTelling($1, $0)) AND \($1) IS \($2)" }
    let all = sum { "\(isTelling($1, $0)) OR \(isTelling($2, $0))" }
    let same = (["1"] + owners.map { "s.o\($0) IS d.o\($0)" }).joined(separator: " AND ")
    let told = distinct.sorted().map { (one: "s.v\($0)", other: "d.v\($0)") }
    let agree = (told + parts.map { ("s.p\($0)", "d.p\($0)") }).map {
      "(\($0.one) IS NOT NULL AND \($0.one) IS \($0.other))"
    }
    let unlike = told.map {
      "(\($0.one) IS NOT NULL AND \($0.other) IS NOT NULL AND \($0.one) IS NOT \($0.other) AND NOT edited_text(\($0.one), \($0.other)))"
    }
    let differsAsMuch =
      told.isEmpty
      ? "0" : "\(unlike.sqlJoined(by: "+")) >= max(1, \(agree.sqlJoined(by: "+")))"
    // Unless one of these was renamed: the other values agree, and only this object has them together.
    let equal = (0..<ownCount).filter { !constant.contains($0) }.map {
      "(\(isTelling("s.v\($0)", $0)) AND s.v\($0) IS d.v\($0))"
    }
    let isAlike =
      equal.count < 2
      ? "0"
      : "\(equal.sqlJoined(by: "+")) >= 2 AND s.h IS d.h "
        + "AND s.h IN (SELECT h FROM (\(sources)) GROUP BY 1 HAVING count(*) <= 2)"
    let leadsToOther = "(\(leadApart)) AND NOT (\(isAlike))"
    let isOther = "(\(differsAsMuch)) OR (\(leadsToOther))"
    return "SELECT s.k, \(agreeing), \(all), \(same), \(isOther), \(areEqual) FROM \(both) ORDER BY 1"
  }

  /// Returns a SELECT of those `keys` whose value of `column` agrees and is shared by at most one other object of the
  /// source.
  ///
  /// A small integer may be a kind or a count, which objects share by chance: it counts only if values are almost
  /// always different. A one-to-one link is always rare: the target has no other object. If it `isOfWords`, the value is a
  /// text of more than digits and what dates and times have beside them.
  func rare(_ column: Int, among keys: Set<Int64>, isOfWords: Bool = false) -> String {
    let value = "v\(column)"
    let hasWords = isOfWords ? " AND typeof(s.\(value)) = 'text' AND s.\(value) GLOB '*[^-0-9:. TZ+/]*'" : ""
    let isNumber = "typeof(s.\(value)) IN ('integer', 'real')"
    let isRare =
      clearlyDistinct.contains(column) || singles.contains(column)
      ? "1"
      : "(NOT \(isNumber) OR s.\(value) NOT BETWEEN -99999 AND 99999 OR s.\(value) <> CAST(s.\(value) AS INTEGER))"
    return """
      SELECT s.k FROM \(both) AND s.\(value) IS d.\(value) AND \(isTelling("s.\(value)", column))\(hasWords)
        AND \(isRare) AND s.k IN (\(keys.map(String.init).joined(separator: ", ")))
        AND s.\(value) IN (SELECT \(value) FROM (\(sources)) GROUP BY 1 HAVING count(*) <= 2)
      """
  }

  /// Returns whether a value is neither an initial value nor the most common one.
  private func isTelling(_ value: String, _ column: Int) -> String {
    let isOther = common[column].map { " AND \(value) NOT IN (\($0))" } ?? ""
    return "(\(value) IS NOT NULL AND \(value) NOT IN (0, '')\(isOther))"
  }
}
