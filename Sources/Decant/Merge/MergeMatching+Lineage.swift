internal import SQLite

/// Objects that kept their keys, as both stores go back to one.
extension MergeMatching {
  /// Pairs objects of `name` that nothing else tells apart and that have equal keys.
  ///
  /// A store hands out keys in ascending order. An object whose key is not above the highest under which both
  /// stores have the same object was there when the stores parted: equal keys are the same object, however much it
  /// was changed. Above it both stores may have handed out a key by themselves: there at least half of the
  /// values have to agree.
  func pairByKey(_ name: String) throws(DecantError) {
    guard lineage.contains(name), !isIntoNothing, let root = hashes.root(name),
      let pairs = pairs[name]
    else { return }
    try explaining("cannot match \(name)") { () throws(SQLiteError) in
      let agreed = "SELECT max(source) FROM \(pairs.table) WHERE source = destination"
      let highest = try connection.integer(agreed) ?? Int64.min
      var rest: Int64 = 0
      try connection.forEachRow(equalKeys(root, pairs)) { row throws(SQLiteError) in
        let key = row.integer(at: 0)
        guard try isIncluded(key, name) else { return }
        let (agreeing, all) = (row.integer(at: 1), row.integer(at: 2))
        guard key <= highest || agreeing * 2 >= all && agreeing > 0 else { return rest += 1 }
        try pairs.add(key, key, .key)
      }
      if rest > 0 { distinct[name] = rest }
      try pairs.settle()
    }
  }

  /// The objects of both stores that have equal keys and no partner: the key, how many values agree, and how many
  /// there are.
  private func equalKeys(_ root: MatchRoot, _ pairs: ObjectPairs) -> String {
    var count = 0
    let rows = Sided { side in
      let values = root.tellingValues(side) + hashes.linkTokens(of: root, side)
      count = values.count
      let identity = hashes.identity(of: root, side) ?? "NULL"
      let columns =
        ["\(root.key(side)) AS k", "\(root.entity(side)) AS e", "\(identity) AS i"]
        + values.enumerated().map { "\($1) AS v\($0)" }
      let partner = side == .source ? "source" : "destination"
      return SelectStatement(
        columns: columns,
        source: root.table(side),
        conditions: ["\(root.key(side)) NOT IN (SELECT \(partner) FROM \(pairs.table))"]
      ).sql
    }
    func sum(_ term: (String, String) -> String) -> String {
      let terms = (0..<count).map { "(\(term("s.v\($0)", "d.v\($0)")))" }
      return terms.isEmpty ? "0" : terms.joined(separator: " + ")
    }
    let agreeing = sum { "\($0) IS NOT NULL AND \($0) NOT IN (0, '') AND \($0) IS \($1)" }
    let all = sum {
      "(\($0) IS NOT NULL AND \($0) NOT IN (0, '')) OR (\($1) IS NOT NULL AND \($1) NOT IN (0, ''))"
    }
    return """
      SELECT s.k, \(agreeing), \(all) FROM (\(rows.source)) AS s JOIN (\(rows.destination)) AS d ON d.k = s.k
      WHERE s.e IS d.e AND (s.i IS NULL OR d.i IS NULL) ORDER BY 1
      """
  }
}
