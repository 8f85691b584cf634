internal import SQLite

/// Matches objects by what the model promises to tell them apart.
///
/// An identity that contains links waits until what these lead to is matched by identity itself, or by
/// key; those that wait for each other, and those whose targets have no identity, have none.
struct IdentityMatching {
  let connection: Connection
  let tables: [MatchTables]
  /// The numbers of the root entities that are matched already.
  let settled: Set<Int>
  /// The numbers of all root entities.
  let numbers: [String: Int]

  /// Fills the tables and pairs what has an identity; returns the names of the entities that have one.
  func run() throws(SQLiteError) -> Set<String> {
    for table in tables { try table.fill() }
    var done = settled
    var waiting = tables
    var identified: Set<String> = []
    while let next = waiting.firstIndex(where: { isReady($0.root, done) }) {
      let table = waiting.remove(at: next)
      identified.formUnion(try pair(table, withLinks: true))
      // Objects without identity are matched later, and a link to one can be part of none.
      if hasIdentity(table.root) { done.insert(table.root.number) }
    }
    for table in waiting { identified.formUnion(try pair(table, withLinks: false)) }
    return identified
  }

  private func hasIdentity(_ root: MatchRoot) -> Bool {
    root.relations.destination.entities.allSatisfy { root.identities[$0.code] != nil }
  }

  /// Whether every link in an identity of `root` leads to what is done.
  private func isReady(_ root: MatchRoot, _ done: Set<Int>) -> Bool {
    root.identities.values.flatMap(\.links).allSatisfy { link in
      numbers[link.root].map { done.contains($0) } ?? false
    }
  }

  /// Pairs the objects of a root entity; returns the names of the entities that have an identity.
  private func pair(_ table: MatchTables, withLinks: Bool) throws(SQLiteError) -> Set<String> {
    let root = table.root
    guard !root.identities.isEmpty else { return [] }
    for side in MatchSide.allCases where withLinks {
      let identity = root.identityHash(side) { link in
        let key = link.key[side]
        let token = "token_\(side.rawValue)(\(numbers[link.root] ?? -1), \(key), 1)"
        // A target that only one side has is part of an identity, too: of one that nothing there has. One
        // that is not there at all is none.
        return
          "CASE WHEN \(key) IN \(link.targets[side]) THEN ifnull(\(token), 'only \(side.rawValue)') END"
      } where: {
        !$0.links.isEmpty
      }
      guard let identity else { continue }
      try connection.run(
        """
        UPDATE \(table.own[side]) AS o SET identity = x.h FROM
          (SELECT \(root.key(side)) AS k, \(identity) AS h FROM \(root.table(side))) AS x
        WHERE x.k = o.key AND x.h IS NOT NULL
        """
      )
    }
    _ = try table.pairInOrder(
      table.own,
      by: "identity",
      where: Sided("identity IS NOT NULL", "identity IS NOT NULL")
    )
    let entities = root.relations.destination.entities
    return Set(
      entities.filter { entity in
        root.identities[entity.code].map { withLinks || $0.links.isEmpty } ?? false
      }.map(\.name)
    )
  }
}
