internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The check of identities with numbers, such as the position in a list, which other objects may have had before.
extension RelationColumn {
  /// Whether its numbers are places in a list, which may be given to another object.
  fileprivate var isPlace: Bool { type?.isNumber == true && LinkName(name).isPlace }
}

extension Matcher {
  /// Throws if objects that were paired by such numbers are not the same.
  ///
  /// Either most of those of a list have all their other values elsewhere: a list is what has the same other values of the
  /// identity. Under a policy that keeps the destination's values, the new object in the middle of a list would be lost,
  /// and the last one added again. Or both stores have added an object under one place of a list: one would be lost, and
  /// links to it would lead to the other.
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
    let (object, names) = (root.relations.source.terms.object, identity.names.joined(separator: ", "))
    func error(_ message: DecantError.Text, _ otherwise: DecantError.Text) -> DecantError {
      DecantError(
        .conflictingOptions,
        message,
        place: "\(root.name), which is identified by \(names), as that must be unique",
        remedy:
          "say what identifies them: \(say: .identity, "\(root.name): \(text.columnRole.property?.name ?? text.name)"); or "
          + "\(say: .identity, "\(root.name): \(names)"), if \(otherwise)"
      )
    }
    guard moved == 0 else {
      throw error(
        "\(moved.counted(object)) of \(root.name) have the \(names) of one \(object) of the destination, and all other "
          + "values of another one", "values were exchanged")
    }
    guard lineage.contains(root.name), columns.contains(where: { $0.isPlace }) else { return }
    let added = try explaining("cannot compare \(root.name)") { () throws(SQLiteError) in
      try addedCount(of: root, pairs, without: Set(columns.map(\.name.sqlName)))
    }
    guard added == 0 else {
      throw error(
        "both stores have added \(added.counted(object)) to \(root.name) with the same \(names), under different keys and "
          + "with other values", "they are the same")
    }
  }

  /// Returns how many of the paired objects both stores have added under different keys, and differ in most values but
  /// those in `columns`.
  private func addedCount(of root: MatchRoot, _ pairs: ObjectPairs, without columns: Set<String>) throws(SQLiteError)
    -> Int64
  {
    let values = Sided { side in root.informativeValues(side, without: columns) }
    guard !values.source.isEmpty, values.source.count == values.destination.count else { return 0 }
    let rows = Sided { side in
      SelectStatement(
        columns: ["\(root.key(side)) AS k"] + values[side].enumerated().map { "\($1) AS v\($0)" },
        source: root.table(side)
      ).sql
    }
    func count(_ condition: (String, String) -> String) -> String {
      values.source.indices.map { "ifnull(\(condition("s.v\($0)", "d.v\($0)")), 0)" }.joined(separator: " + ")
    }
    let equal = count { "\($0) = \($1) AND \($0) NOT IN (0, '')" }
    // What both had before they were two stores has one key in both.
    return try connection.integer(
      """
      SELECT count(*) FROM \(pairs.table) AS p
      JOIN (\(rows.source)) AS s ON s.k = p.source JOIN (\(rows.destination)) AS d ON d.k = p.destination
      WHERE min(p.source, p.destination) > (
          SELECT ifnull(max(source), 9e18) FROM \(pairs.table) WHERE source = destination)
        AND \(count { "\($0) <> \($1)" }) >= max(1, 2 * (\(equal)))
      """
    ) ?? 0
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
