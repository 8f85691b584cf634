internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The positions of list links that become the same link.
extension CopyStep {
  /// Makes the first of several positions count, if ends of links were joined.
  mutating func settlePlaces(_ links: LinkRelation, _ ids: IDTable) {
    takesFirstPlace =
      assignments.count > 2 && ids.hasJoined(anyOf: [links.ownerRoot, links.targetRoot])
  }

  /// Returns the statement that gives links of a batch, written by `insertion`, the first of their positions; `nil` if
  /// each link has a single position.
  ///
  /// The list of a joined object comes after that of the object it is joined with, and existing links of the
  /// destination come before all others, so that their positions are never changed.
  package func replacement(into schema: String, isFirst: Bool = false) -> String? {
    guard takesFirstPlace, assignments.count > 2 else { return nil }
    let places = assignments.indices.dropFirst(2)
    let ends = assignments.prefix(2).map { $0.expression.uncounted }
    let conditions = (endConditions + filters).map { "(\($0))" } + batchConditions(isFirst: isFirst)
    let rows = SelectStatement(
      columns: ["\(ends[0]) AS a", "\(ends[1]) AS b"]
        + places.map { "min(\(assignments[$0].expression)) AS v\($0)" },
      source: "\(source) AS r",
      conditions: conditions
    ).sql
    func name(_ index: Int) -> String { assignments[index].column.sqlName }
    let sets = places.map { index in
      let place = "d.\(name(index))"
      return "\(name(index)) = min(\(place), ifnull(x.v\(index), \(place)))"
    }
    let isLess = places.map { "x.v\($0) < d.\(name($0))" }
    return """
      UPDATE \(schema.sqlName).\(table.sqlName) AS d SET \(sets.joined(separator: ", "))
      FROM (\(rows) GROUP BY 1, 2) AS x
      WHERE d.\(name(0)) = x.a AND d.\(name(1)) = x.b AND (\(isLess.joined(separator: " OR ")))
      """.replacing(CopyStep.written, with: schema.sqlName)
  }
}
