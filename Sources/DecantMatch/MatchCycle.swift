internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects that link to one another in a cycle, or to objects of their own entity, as nested folders do.
///
/// Each repeatedly gets a hash of its content, including the hashes of its targets: one more step each time, until the
/// number of different hashes no longer grows.
final class MatchCycle {
  private let roots: [MatchRoot]
  private let members: Set<String>
  private let hashes: MatchHashes
  /// The root entities whose objects take part even if they have an identity.
  private let late: Set<String>
  /// Whether a link of the source is ignored if it leads to a paired object.
  private let ignores: (MatchHashes.Link) -> Bool
  /// Whether a kept copy counts as its original in links other than those of its parts.
  private let isLoose: Bool
  /// Whether the parts of objects are ignored.
  private let isAlone: Bool
  private let connection: Connection
  private var tables: [String: Sided<TemporaryTable>] = [:]

  /// Whether the hashes are stable; otherwise equal objects are unknown.
  private(set) var isSettled = false

  private static let roundLimit = 1000

  /// Begins with the content of each object.
  ///
  /// - Parameters:
  ///   - roots: The root entities.
  ///   - hashes: The definition of hashes.
  ///   - late: Those whose objects take part even if they have an identity.
  ///   - ignores: Whether a link of the source is ignored if it leads to a paired object.
  ///   - isLoose: Whether a kept copy counts as its original in links other than those of its parts.
  ///   - isAlone: Whether the parts of objects are ignored.
  ///   - connection: The connection with both stores.
  ///   - condition: The condition of the objects of a root entity that take part, in each store.
  /// - Throws: `SQLiteError` if a store cannot be read.
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
          // SQLite would merge the inner query into the outer one, and compute each hash three times. A limit keeps it
          // apart.
          "INSERT INTO \(names[side]) SELECT k, h, h, NULL FROM (\(base(of: root, side)) WHERE "
            + "\(condition(root, side)) LIMIT -1) WHERE h IS NOT NULL"
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

  /// Computes the hashes again until there is no further distinction.
  func refine() throws(SQLiteError) {
    var count = try classCount()
    for _ in 0..<MatchCycle.roundLimit {
      var isRemoved = false
      for side in MatchSide.allCases {
        for root in roots { try look(root, side) }
        // All at once: until then every object uses the previous hashes of the others.
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
    // Of both stores together: a difference between the stores counts here, too.
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

  /// Returns the current hashes of the objects of `root`: `h` and `k`.
  ///
  /// With `pairs` only those of unpaired objects.
  func selects(of root: MatchRoot, without pairs: ObjectPairs? = nil) -> Sided<String> {
    Sided { side in
      let select = "SELECT hash AS h, key AS k FROM \(tables[root.name]?[side].description ?? "")"
      guard let pairs else { return select }
      return select + " WHERE key NOT IN (SELECT \(side.column) FROM \(pairs.table))"
    }
  }
}
