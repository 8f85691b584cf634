internal import SQLite

/// Finds out which object of the destination each object of the source is.
///
/// By key where keys were kept, else by identity, else by content: the first of these that fits each
/// root entity. Pairs go to temporary tables, so that memory does not grow with the objects.
struct Matcher {
  let connection: Connection
  let plan: CopyPlan
  let sourceModel: Model
  let source: Layout
  let destination: Layout
  /// Whether keys may be trusted; otherwise every root entity is matched by identity or content.
  var mayMatchByKey = true
  /// The root entities whose objects are matched already, where that is known.
  var settled: Set<String>?
  /// How objects are paired that nothing tells apart.
  var tieBreak = TieBreak.usual

  /// Enters into `ids`, which has every object of the source under its own key, how objects were found.
  ///
  /// - Parameter ids: The ID table, offered to SQL already.
  /// - Returns: For each concrete entity, by what its objects were matched.
  /// - Throws: `SQLiteError` where a store cannot be read, or temporary tables cannot be written.
  func match(_ ids: IDTable) throws(SQLiteError) -> [String: MatchedBy] {
    let roots = MatchRoot.all(of: plan, sourceModel, Sided(source, destination))
    let states = MatchStates()
    defer { states.removeAll() }
    try register(states)
    var kept = settled ?? []
    if settled == nil, mayMatchByKey {
      kept = try Lineage(connection: connection).roots(roots) { ids.map(of: $0)?.existing }
    }
    var open: [MatchRoot] = []
    for root in roots {
      if kept.contains(root.name), let map = ids.map(of: root.name) {
        states[Int64(root.number)] = .settled(map)
      } else {
        open.append(root)
      }
    }
    var matched: [String: MatchedBy] = [:]
    for root in roots {
      for entity in root.relations.source.entities { matched[entity.name] = .key }
    }
    for relation in source.relations {
      // Such objects are rows: the values of their key are what tells them.
      switch relation.key {
      case .integer: continue
      case .values: matched[relation.root] = .identity
      case .none: matched[relation.root] = .content
      }
    }
    guard !open.isEmpty else { return matched }
    let tables = try open.map { root throws(SQLiteError) in try MatchTables(root, on: connection) }
    for table in tables { states[Int64(table.root.number)] = table.state }
    let identified = try IdentityMatching(
      connection: connection,
      tables: tables,
      settled: Set(roots.map(\.number)).subtracting(open.map(\.number)),
      numbers: numbers(of: roots)
    ).run()
    try ContentMatching(
      connection: connection,
      tables: tables,
      links: MatchLink.all(source, destination),
      numbers: numbers(of: roots),
      tieBreak: tieBreak
    ).run()
    for table in tables {
      try enter(table, into: ids)
      for entity in table.root.relations.destination.entities {
        matched[entity.name] = identified.contains(entity.name) ? .identity : .content
      }
    }
    return matched
  }

  private func numbers(of roots: [MatchRoot]) -> [String: Int] {
    Dictionary(roots.map { ($0.name, $0.number) }) { first, _ in first }
  }

  private func register(_ states: MatchStates) throws(SQLiteError) {
    try connection.register(MixFunction(), as: "mix", [.directOnly, .deterministic])
    try connection.register(
      MixFunction(wantsAll: true),
      as: "mix_all",
      [.directOnly, .deterministic]
    )
    try connection.register(MixSum(), as: "mix_sum", .directOnly)
    for side in MatchSide.allCases {
      try connection.register(
        TokenFunction(side, states),
        as: "token_\(side.rawValue)",
        .directOnly
      )
    }
  }

  private func enter(_ table: MatchTables, into ids: IDTable) throws(SQLiteError) {
    guard let map = ids.map(of: table.root.name) else { return }
    let included = try table.pairs.sources(among: map.existing)
    ids.add(
      IDMap(
        root: map.root,
        form: .stored(table.pairs),
        existing: map.existing,
        included: included.count == map.existing.count ? map.existing : included
      )
    )
  }
}
