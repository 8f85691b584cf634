internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects that lead to one another in a cycle, or to objects of their own kind, as folders lie in folders.
///
/// Each gets a hash of what it holds, which takes in those of the objects it leads to, again and again: a
/// step further each time, until no two hashes part any more.
final class MatchCycle {
  private let roots: [MatchRoot]
  private let members: Set<String>
  private let hashes: MatchHashes
  /// Root entities whose objects take part whether they have an identity or not.
  private let late: Set<String>
  /// Which links of the source do not count where they lead to objects that have a partner.
  private let ignores: (MatchHashes.Link) -> Bool
  /// Whether an object that stays beside its like counts as that one where nothing belongs to it.
  private let isLoose: Bool
  /// Whether it does not matter what objects own.
  private let isAlone: Bool
  private let connection: Connection
  private var tables: [String: Sided<TemporaryTable>] = [:]

  /// Whether no two hashes part any more; else nobody knows which objects are the same.
  private(set) var isSettled = false

  private static let roundLimit = 1000

  /// Begins with what each object holds.
  ///
  /// - Parameters:
  ///   - roots: The root entities.
  ///   - hashes: How hashes are taken.
  ///   - late: Those whose objects take part whether they have an identity or not.
  ///   - ignores: Which links of the source do not count where they lead to objects that have a partner.
  ///   - isLoose: Whether an object that stays beside its like counts as that one where nothing belongs to it.
  ///   - isAlone: Whether it does not matter what objects own.
  ///   - connection: The one that has both stores.
  ///   - condition: Which objects of a root entity take part, in each store.
  /// - Throws: `SQLiteError` where a store cannot be read.
  init(
    _ roots: [MatchRoot],
    _ hashes: MatchHashes,
    late: Set<String>,
    ignoring ignores: @escaping (MatchHashes.Link) -> Bool = { _ in false },
    isLoose: Bool = false,
    isAlone: Bool = false,
    on connection: Connection,
    where condition: (MatchRoot, MatchSide) -> String = { _, _ in "1" }
  ) throws(SQLiteError) {
    (self.late, self.ignores) = (late, ignores)
    (self.isLoose, self.isAlone) = (isLoose, isAlone)
    self.roots = roots
    self.hashes = hashes
    self.connection = connection
    members = Set(roots.map(\.name))
    for root in roots {
      let names = try Sided.tables(
        "(key INTEGER PRIMARY KEY, base INTEGER NOT NULL, hash INTEGER NOT NULL, next INTEGER)",
        on: connection
      )
      tables[root.name] = names
      for side in MatchSide.allCases {
        try connection.run(
          "INSERT INTO \(names[side]) SELECT k, h, h, NULL FROM (\(base(of: root, side)) WHERE "
            + "\(condition(root, side))) WHERE h IS NOT NULL"
        )
      }
    }
  }

  private func base(of root: MatchRoot, _ side: MatchSide) -> String {
    let content = hashes.content(of: root, side, isLoose: isLoose, isAlone: isAlone) {
      members.contains($0.target)
    }
    let identity = late.contains(root.name) ? nil : hashes.anyIdentity(of: root, side)
    let hash = identity.map { "CASE WHEN (\($0)) IS NULL THEN \(content) END" } ?? content
    return "SELECT \(hash) AS h, \(root.key(side)) AS k FROM \(root.table(side))"
  }

  /// Takes the hashes again until they tell nothing new.
  func refine() throws(SQLiteError) {
    var count = try classCount()
    for _ in 0..<MatchCycle.roundLimit {
      var isRemoved = false
      for side in MatchSide.allCases {
        for root in roots { try look(root, side) }
        // All at once: until then every object sees the others as they were.
        for root in roots {
          guard let table = tables[root.name]?[side] else { continue }
          try connection.run("DELETE FROM \(table) WHERE next IS NULL")
          if connection.changeCount > 0 { isRemoved = true }
          try connection.run("UPDATE \(table) SET hash = mix(base, next)")
        }
      }
      let found = try classCount()
      if found == count, !isRemoved { return isSettled = true }
      count = found
    }
  }

  private func look(_ root: MatchRoot, _ side: MatchSide) throws(SQLiteError) {
    guard let table = tables[root.name]?[side] else { return }
    let tokens = hashes.links(of: root).filter { members.contains($0.target) }.map { link in
      let key = root.relations[side].value(of: link.columns[side], in: root.relations[side].table.sqlName)
      let other = tables[link.target]?[side] ?? table
      let token = hashes.targetToken(
        link,
        key,
        side,
        else: "(SELECT t.hash FROM \(other) AS t WHERE t.key = \(key))",
        isLoose: isLoose && !link.isOwner
      )
      guard side == .source, ignores(link) else { return token }
      return "CASE WHEN \(hashes.token(link.target, key, side)) IS NULL THEN \(token) ELSE 0 END"
    }
    try connection.run(
      """
      UPDATE \(table) AS o SET next = x.m FROM
        (SELECT \(root.key(side)) AS k, \(MixLinkedFunction.sql(tokens, ["0"])) AS m
        FROM \(root.table(side))) AS x
      WHERE x.k = o.key
      """
    )
  }

  private func classCount() throws(SQLiteError) -> Int64 {
    var count: Int64 = 0
    // Of both stores together: what parts in the one from what it was in the other parts here.
    for names in tables.values {
      count +=
        try connection.integer(
          """
          SELECT count(*) FROM
            (SELECT hash FROM \(names.source) UNION SELECT hash FROM \(names.destination))
          """
        ) ?? 0
    }
    return count
  }

  /// The hashes of the objects of `root` as they are now: `h` and `k`.
  ///
  /// With `pairs` those of objects alone that have no partner yet.
  func selects(of root: MatchRoot, without pairs: ObjectPairs? = nil) -> Sided<String> {
    Sided { side in
      let select = "SELECT hash AS h, key AS k FROM \(tables[root.name]?[side].description ?? "")"
      guard let pairs else { return select }
      return select + " WHERE key NOT IN (SELECT \(side.column) FROM \(pairs.table))"
    }
  }
}
