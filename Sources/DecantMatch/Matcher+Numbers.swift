internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The check of identities with numbers, such as the position in a list, which other objects may have had before.
extension Matcher {
  /// Throws if most of the objects of a list that were paired by such numbers have all their other values elsewhere.
  ///
  /// A list is what has the same other values of the identity.
  ///
  /// Under a policy that keeps the destination's values, the new object in the middle of a list would be lost, and the
  /// last one added again.
  func checkNumbers(of root: MatchRoot, _ pairs: ObjectPairs) throws(DecantError) {
    guard decider?.hasBase == false, rules.ancestor == nil, !isIntoNothing,
      root.relations.destination.entities.allSatisfy({ rules.identities[$0.name] == nil }),
      let identity = root.identities.values.first
    else { return }
    let columns = identity.attributes.compactMap { root.relations.destination.column(.attribute($0)) }
    let own = Set(columns.map(\.name))
    let texts = root.relations.destination.columns.filter { column in
      guard case .attribute = column.columnRole else { return false }
      return column.type == .string && !own.contains(column.name)
    }
    guard let text = texts.first else { return }
    var moved: Int64 = 0
    for number in columns where number.type?.isNumber == true && moved == 0 {
      let others = columns.filter { $0.name != number.name }.map { root.relations.destination.value(of: $0) }
      moved = try explaining("cannot compare \(root.name)") { () throws(SQLiteError) in
        try movedCount(of: root, pairs, without: own, by: others + identity.links.map(\.key.destination))
      }
    }
    guard moved > 0 else { return }
    let (terms, names) = (root.relations.source.terms, identity.names.joined(separator: ", "))
    throw DecantError(
      .conflictingOptions,
      "\(moved.counted(terms.object)) of \(root.name) have the \(names) of one \(terms.object) of the destination, and all "
        + "other values of another one",
      place: "\(root.name), which is identified by \(names), as that must be unique",
      remedy:
        "say what identifies them: \(say: .identity, "\(root.name): \(text.columnRole.property?.name ?? text.name)"); or "
        + "\(say: .identity, "\(root.name): \(names)"), if values were exchanged"
    )
  }

  /// Returns how many of the paired objects have all their values, but those in the columns `own`, elsewhere: in a group
  /// with equal `values`, of which these are the most; 0 if there is no such group.
  private func movedCount(of root: MatchRoot, _ pairs: ObjectPairs, without own: Set<String>, by values: [String])
    throws(SQLiteError) -> Int64
  {
    let tables = try Sided.tables("(k INTEGER PRIMARY KEY, h INTEGER, g INTEGER)", on: connection)
    for side in MatchSide.allCases {
      let content = MixFunction.sql(root.ownValues(side, without: own))
      let group = side == .destination && !values.isEmpty ? MixFunction.sql(values) : "NULL"
      try connection.run(
        "INSERT INTO \(tables[side]) SELECT \(root.key(side)), \(content), \(group) FROM \(root.table(side))")
    }
    func single(_ side: MatchSide) -> String {
      "(SELECT min(k) AS k, h FROM \(tables[side]) GROUP BY h HAVING count(*) = 1)"
    }
    // Two may have changed places.
    return try connection.integer(
      """
      SELECT max(moved) FROM (
        SELECT sum(e.h = s.h) AS kept, count(m.k) AS moved FROM \(pairs.table) AS p
        JOIN \(tables.source) AS s ON s.k = p.source JOIN \(tables.destination) AS e ON e.k = p.destination
        LEFT JOIN \(single(.source)) AS a ON a.k = s.k
        LEFT JOIN \(single(.destination)) AS m ON m.h = a.h AND m.k <> e.k GROUP BY e.g)
      WHERE moved >= 3 AND moved > kept
      """
    ) ?? 0
  }
}
