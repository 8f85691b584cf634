internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The check of identities with numbers, such as the position in a list, which other objects may have had before.
extension Matcher {
  /// Throws if most of the objects that were paired by such numbers have all their other values elsewhere.
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
    guard columns.contains(where: { $0.type?.isNumber == true }), let text = texts.first else { return }
    let (kept, moved) = try explaining("cannot compare \(root.name)") { () throws(SQLiteError) in
      let tables = try Sided.tables("(k INTEGER PRIMARY KEY, h INTEGER)", on: connection)
      for side in MatchSide.allCases {
        let values = MixFunction.sql(root.ownValues(side, without: own))
        try connection.run("INSERT INTO \(tables[side]) SELECT \(root.key(side)), \(values) FROM \(root.table(side))")
        try connection.run("CREATE INDEX temp.\(tables[side].name)_h ON \(tables[side].name) (h)")
      }
      func single(_ side: MatchSide) -> String {
        "(SELECT min(k) AS k, h FROM \(tables[side]) GROUP BY h HAVING count(*) = 1)"
      }
      let kept = try connection.integer(
        """
        SELECT count(*) FROM \(pairs.table) AS p JOIN \(tables.source) AS s ON s.k = p.source
        JOIN \(tables.destination) AS d ON d.k = p.destination WHERE d.h = s.h
        """
      )
      let moved = try connection.integer(
        """
        SELECT count(*) FROM \(pairs.table) AS p JOIN \(single(.source)) AS s ON s.k = p.source
        JOIN \(single(.destination)) AS d ON d.h = s.h WHERE d.k <> p.destination
        """
      )
      return (kept ?? 0, moved ?? 0)
    }
    // Two may have changed places.
    guard moved >= 3, moved > kept else { return }
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
}
