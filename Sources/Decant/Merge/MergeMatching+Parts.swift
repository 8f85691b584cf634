internal import SQLite

/// What belongs to an object that both stores have, and has no identity itself.
extension MergeMatching {
  /// Names of attributes that say where a part stands among others, in small letters and without “_”.
  private static let places: Set<String> = [
    "position", "place", "sort", "sortorder", "sortindex", "sortkey", "order", "orderindex",
    "ordering", "displayorder", "index", "ordinal", "rank", "line", "lineno", "linenumber",
    "number",
  ]

  /// Pairs parts of the same owner that are left on both sides: those in the same place, else the only one of either
  /// side if some value agrees.
  ///
  /// Parts of an object that stays beside its like are no parts of that one.
  ///
  /// - Throws: `DecantError` where a store cannot be read.
  func pairParts() throws(DecantError) {
    let policies = [rules.rule] + rules.rules.values
    guard !isIntoNothing,
      !policies.contains(where: { $0.policy == .keepBoth || $0.policy == .threeWay })
    else { return }
    // Parts of parts come after what they belong to.
    for _ in 0..<hashes.roots.count {
      var found = false
      for root in hashes.roots {
        for link in hashes.links(of: root) where link.isOwner && link.target != root.name {
          guard let pairs = pairs[root.name] else { continue }
          let parts = PartRows(root, link, hashes, pairs, places: Self.places)
          for select in [parts.inPlace, parts.alone].compactMap(\.self) {
            found =
              try explaining("cannot match \(root.name)") { () throws(SQLiteError) in
                try pair(select, pairs, root.name)
              } || found
          }
        }
      }
      guard found else { break }
    }
  }

  private func pair(_ select: String, _ pairs: ObjectPairs, _ name: String) throws(SQLiteError)
    -> Bool
  {
    var isFound = false
    try connection.forEachRow(select) { row throws(SQLiteError) in
      guard try isIncluded(row.integer(at: 0), name) else { return }
      try pairs.add(row.integer(at: 0), row.integer(at: 1), .owner)
      isFound = true
    }
    if isFound { try pairs.settle() }
    return isFound
  }
}

/// The parts of objects that both stores have which have no identity and no partner.
private struct PartRows {
  private let rows: Sided<String>
  private let valueCount: Int
  private let hasPlace: Bool

  init(
    _ root: MatchRoot,
    _ link: MergeHashes.Link,
    _ hashes: MergeHashes,
    _ pairs: ObjectPairs,
    places: Set<String>
  ) {
    let place =
      root.relations.destination.columns.first { column in
        switch column.meaning {
        case .position(link.property), .ownerPosition(link.property): true
        default: false
        }
      }
      ?? root.relations.destination.columns.first { column in
        guard case .attribute(let property) = column.meaning else { return false }
        return places.contains(property.name.lowercased().filter { $0 != "_" })
      }
    let proof = root.step.assignments.first { $0.column == place?.name }?.proof
    hasPlace = proof != nil
    var count = 0
    rows = Sided { side in
      let owner = hashes.token(
        link.target,
        root.relations[side].value(of: link.columns[side]),
        side
      )
      let placeValue = proof.map { side == .source ? $0.expected : $0.actual } ?? "NULL"
      let values = root.tellingValues(side).filter { $0 != placeValue }
      count = values.count
      var conditions = ["\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs.table))"]
      if let identity = hashes.identity(of: root, side) {
        conditions.append("(\(identity)) IS NULL")
      }
      return SelectStatement(
        columns: [
          "\(root.key(side)) AS k", "\(root.entity(side)) AS e", "\(owner) AS o",
          "\(placeValue) AS p",
        ] + values.enumerated().map { "\($1) AS v\($0)" },
        source: root.table(side),
        conditions: conditions
      ).sql
    }
    valueCount = count
  }

  /// The pairs that are in the same place of the same owner; `nil` where parts have no places.
  var inPlace: String? { hasPlace ? only("o, e, p", "d.p IS s.p AND s.p IS NOT NULL") : nil }

  /// The pairs of the only ones of an owner that agree in something.
  var alone: String? {
    guard valueCount > 0 else { return nil }
    let agrees = (0..<valueCount).map {
      "(s.v\($0) IS d.v\($0) AND s.v\($0) IS NOT NULL AND s.v\($0) NOT IN (0, ''))"
    }
    return only("o, e", "(\(agrees.joined(separator: " OR ")))")
  }

  private func only(_ group: String, _ condition: String) -> String {
    let single = Sided { side in
      """
      (SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY \(group)) AS n FROM (\(rows[side]))
      WHERE o IS NOT NULL) WHERE n = 1)
      """
    }
    return """
      SELECT s.k, d.k FROM \(single.source) AS s JOIN \(single.destination) AS d
      ON d.o = s.o AND d.e IS s.e AND \(condition) ORDER BY 1
      """
  }
}
