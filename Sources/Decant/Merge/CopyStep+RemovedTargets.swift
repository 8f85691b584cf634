internal import SQLite

/// Links by values to rows that stay away in a merge with a base.
extension CopyStep {
  /// Has links by values be empty where they lead to a row that the destination has removed: as a link that holds a key
  /// would be, which leads nowhere afterwards.
  ///
  /// - Parameters:
  ///   - layout: Where the source has its rows.
  ///   - ids: The ID table, which knows what stays away.
  mutating func emptyLinks(toRemovedRowsOf layout: Layout, _ ids: IDTable) {
    guard let away = ids.parting?.away, !away.isEmpty, let root = rowsRoot,
      let holder = layout.relation(of: root)
    else { return }
    let key = if case .values(let columns) = holder.key { columns } else { holder.ownKey }
    for link in layout.valueLinks where link.root == root {
      let places = link.columns.compactMap { name in assignments.firstIndex { $0.column == name } }
      guard away[link.targetRoot]?.count ?? 0 > 0, places.count == link.columns.count,
        let target = layout.relation(of: link.targetRoot)
      else { continue }
      let number =
        ids.numberedRows?.sourceNumbers(of: target.root)?.proven ?? target.keyName
      let removed = SelectStatement(
        columns: link.targetColumns.map(\.sqlName),
        source: target.sqlTable(in: Workbench.source),
        conditions: ["is_away(\(target.root.sqlText), \(number))"]
      ).sql
      let written = places.map { assignments[$0].expression.description }.joined(separator: ", ")
      let proven = places.compactMap { assignments[$0].proof?.expected }.joined(separator: ", ")
      // A row keeps its own key.
      for place in places where !key.contains(assignments[place].column) {
        let expression = assignments[place].expression
        assignments[place].expression =
          "CASE WHEN (\(written)) IN (\(removed)) THEN NULL ELSE \(expression) END"
        assignments[place].stream = nil
        guard let expected = assignments[place].proof?.expected else { continue }
        assignments[place].proof?.expected =
          "CASE WHEN (\(proven)) IN (\(removed)) THEN NULL ELSE \(expected) END"
      }
    }
  }

  /// The root entity whose rows are copied, by whatever key.
  private var rowsRoot: String? {
    switch kind {
    case .objects(let root), .unkeyed(let root, _): root
    case .links, .rows: nil
    }
  }
}
