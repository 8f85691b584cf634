internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects with the same content as others of their own store, which content alone cannot pair.
///
/// Links distinguish them: each object repeatedly gets a hash of its content and of the hashes of its neighbours, in
/// both directions of every link. Each round covers one more step, until the number of different hashes no longer
/// grows. Objects whose hash is unique in both stores are paired. Indistinguishable objects are paired in key order,
/// one root entity after the other, and each pair distinguishes others.
///
/// Until an object is paired, its hash represents it in the content of others.
final class LookAlikes {
  private let connection: Connection
  private let hashes: MatchHashes
  private var tables: [Table] = []
  /// The links that both stores have, which distinguish objects.
  private let links: [Sided<Link>]

  /// The remaining number of rounds: each reads all links of unpaired objects.
  private var roundsLeft = 100

  /// The unpaired objects of one root entity: temporary tables of `key`, `own`, `hash` and `links`.
  private struct Table {
    let root: MatchRoot
    let pairs: ObjectPairs
    let open: Sided<TemporaryTable>
    let insertion: Sided<Statement>
  }

  init(_ hashes: MatchHashes, on connection: Connection) {
    self.hashes = hashes
    self.connection = connection
    let layouts = hashes.layouts
    links = layouts.source.links.compactMap { link in
      layouts.destination.link(link.relationship).map { Sided(link, $0) }
    }
  }

  /// Returns whether links could distinguish objects of `root`.
  func haveLinks(_ root: MatchRoot) -> Bool {
    links.contains { $0.source.holder == root.name || $0.source.target == root.name }
  }

  /// Adds an object whose content hash `hash` occurs several times in a store.
  ///
  /// - Parameters:
  ///   - key: The object's key.
  ///   - hash: The hash of its content, equal in both stores.
  ///   - side: The store.
  ///   - root: The root entity.
  ///   - pairs: The pairs to which its partner is added.
  /// - Throws: `SQLiteError` if temporary tables cannot be written.
  func add(
    _ key: Int64,
    _ hash: Int64,
    _ side: MatchSide,
    of root: MatchRoot,
    _ pairs: ObjectPairs
  ) throws(SQLiteError) {
    let table = try table(of: root, pairs)
    try table.insertion[side].run(.integer(key), .integer(hash))
  }

  private func table(of root: MatchRoot, _ pairs: ObjectPairs) throws(SQLiteError) -> Table {
    if let table = tables.first(where: { $0.root.name == root.name }) { return table }
    let open = try Sided.tables(
      "(key INTEGER PRIMARY KEY, own INTEGER NOT NULL, hash INTEGER NOT NULL, links INTEGER NOT NULL DEFAULT 0)",
      on: connection
    )
    func statements(_ sql: (TemporaryTable) -> String) throws(SQLiteError) -> Sided<Statement> {
      Sided(try connection.prepare(sql(open.source)), try connection.prepare(sql(open.destination)))
    }
    let table = Table(
      root: root,
      pairs: pairs,
      open: open,
      insertion: try statements { "INSERT INTO \($0) (key, own, hash) VALUES (?1, ?2, ?2)" }
    )
    pairs.alike = try statements { "SELECT hash FROM \($0) WHERE key = ?1" }
    pairs.waiting = open
    tables.append(table)
    return table
  }

  /// Pairs the added objects, and removes those without partner.
  ///
  /// - Parameter names: The root entities whose pairs are needed now; the others may wait for further distinctions.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func settle(_ names: Set<String>) throws(SQLiteError) {
    let settled = tables.filter { names.contains($0.root.name) }
    guard !settled.isEmpty else { return }
    try pairSingles()
    while try breakTies(settled) { try pairSingles() }
    // The others differ in the links to them: the objects that they lead to come first.
    for table in settled {
      var pairCount: Int64 = 1
      while pairCount > 0, try isOpen(table) {
        try refine([table]) { $0.isColumn && $1 }
        pairCount = try pairInOrder(table)
      }
    }
    for table in settled { (table.pairs.alike, table.pairs.waiting) = (nil, nil) }
    tables.removeAll { names.contains($0.root.name) }
  }

  /// Returns whether both stores have unpaired objects of `table`.
  private func isOpen(_ table: Table) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM \(table.open.source))
        AND EXISTS (SELECT 1 FROM \(table.open.destination))
      """
    ) == 1
  }

  private func open(_ tables: [Table]) throws(SQLiteError) -> [Table] {
    var open: [Table] = []
    for table in tables where try isOpen(table) { open.append(table) }
    return open
  }

  /// Computes hashes and pairs the objects that they distinguish, until there is no further distinction.
  private func pairSingles() throws(SQLiteError) {
    var classCount: Int64 = -1
    while roundsLeft > 0 {
      roundsLeft -= 1
      let open = try open(tables)
      guard !open.isEmpty else { return }
      try refine(open) { _, _ in true }
      var pairCount: Int64 = 0
      var count: Int64 = 0
      for table in open {
        let singles = Sided { side in
          "(SELECT min(key) AS key, hash FROM \(table.open[side]) GROUP BY 2 HAVING count(*) = 1)"
        }
        pairCount += try pair(
          "SELECT a.key, b.key FROM \(singles.source) AS a JOIN \(singles.destination) AS b USING (hash)",
          in: table,
          .content
        )
        for side in MatchSide.allCases {
          count +=
            try connection.integer("SELECT count(DISTINCT hash) FROM \(table.open[side])") ?? 0
        }
      }
      if pairCount == 0, count <= classCount { return }
      classCount = pairCount > 0 ? -1 : count
    }
  }

  /// Pairs indistinguishable objects of one root entity among `tables`; returns false if there are none.
  private func breakTies(_ tables: [Table]) throws(SQLiteError) -> Bool {
    let open = try open(tables)
    let isLast = roundsLeft <= 0
    for table in open {
      // Objects that lead to similar objects of the same entity wait until those are paired.
      let loops = links.filter {
        $0.source.holder == table.root.name && $0.source.target == table.root.name
      }
      let condition = Sided { side in
        guard !isLast else { return "1" }
        let inner = loops.map { link in
          """
          key NOT IN (SELECT owner FROM (\(link[side].rows(in: hashes.schemas[side])))
          WHERE target IN (SELECT key FROM \(table.open[side])))
          """
        }
        return (["1"] + inner).joined(separator: " AND ")
      }
      if try pairInOrder(table, where: condition) > 0 { return true }
    }
    guard !isLast else { return false }
    // In a cycle of equal objects any of them may be the first.
    for table in open where try pairInOrder(table, limit: 1) > 0 { return true }
    return false
  }

  /// Pairs objects with equal hashes one to one, in key order; returns their number.
  private func pairInOrder(
    _ table: Table,
    where condition: Sided<String> = Sided("1", "1"),
    limit: Int = -1
  ) throws(SQLiteError) -> Int64 {
    let numbered = Sided { side in
      """
      (SELECT key, hash, row_number() OVER (PARTITION BY hash ORDER BY key) AS n
      FROM \(table.open[side]) WHERE \(condition[side]))
      """
    }
    return try pair(
      """
      SELECT a.key, b.key FROM \(numbered.source) AS a
      JOIN \(numbered.destination) AS b USING (hash, n) ORDER BY a.key LIMIT \(limit)
      """,
      in: table,
      .tie
    )
  }

  /// Adds the pairs of `select`, and removes objects that have no equal any more; returns the number of pairs.
  private func pair(_ select: String, in table: Table, _ known: ObjectPairs.Found) throws(SQLiteError) -> Int64 {
    let count = try table.pairs.add(select, known)
    guard count > 0 else { return 0 }
    for side in MatchSide.allCases {
      let partners = "SELECT \(side.column) FROM \(table.pairs.table)"
      try connection.run("DELETE FROM \(table.open[side]) WHERE key IN (\(partners))")
    }
    for side in MatchSide.allCases {
      let others = "SELECT own FROM \(table.open[side.other])"
      try connection.run("DELETE FROM \(table.open[side]) WHERE own NOT IN (\(others))")
    }
    return count
  }

  /// Computes the hashes of all objects in `open` again, with the links that count.
  ///
  /// - Parameters:
  ///   - open: The objects.
  ///   - counts: Whether a link counts, seen from its holder or from its target.
  /// - Throws: `SQLiteError` if a store cannot be read.
  private func refine(_ open: [Table], _ counts: (Link, Bool) -> Bool) throws(SQLiteError) {
    for side in MatchSide.allCases {
      for table in open {
        for both in links {
          let link = both.source
          let hasPositions = both.source.position != nil && both.destination.position != nil
          if link.holder == table.root.name, counts(link, true) {
            try add(both[side], "\(link.relationship)", hasPositions, to: table, side)
          }
          guard link.target == table.root.name, !link.isReflexive, counts(link, false) else {
            continue
          }
          let hasPlaces =
            both.source.inversePosition != nil && both.destination.inversePosition != nil
          let back = both[side].reversed(as: link.relationship)
          try add(back, "\(link.relationship) back", hasPlaces, to: table, side)
        }
      }
      // All at once: until then every object uses the previous hashes of the others.
      for table in open {
        try connection.run("UPDATE \(table.open[side]) SET hash = mix(own, links), links = 0")
      }
    }
  }

  private func add(
    _ link: Link,
    _ tag: String,
    _ hasPositions: Bool,
    to table: Table,
    _ side: MatchSide
  ) throws(SQLiteError) {
    guard let root = hashes.root(link.target) else { return }
    let keys = "(SELECT \(root.key(side)) FROM \(root.table(side)))"
    var token = hashes.token(root.name, "target", side)
    // A link to an object that only this store has differs from a dangling link.
    if link.isColumn {
      token = "ifnull(\(token), CASE WHEN target IN \(keys) THEN 'elsewhere' END)"
    }
    let sum = "mix_sum(\(tag.sqlText), \(token)\(hasPositions ? ", position" : ""))"
    try connection.run(
      """
      UPDATE \(table.open[side]) AS o SET links = mix(o.links, x.m) FROM
        (SELECT owner AS k, \(sum) AS m FROM (\(link.rows(in: hashes.schemas[side])))
        WHERE owner IN (SELECT key FROM \(table.open[side])) GROUP BY 1) AS x
      WHERE x.k = o.key AND x.m IS NOT NULL
      """
    )
  }
}
