internal import DecantPlan
package import DecantStore
internal import DecantSQLite

/// Links by values to rows that stay away in a merge with a base, as the destination has removed them.
struct RemovedTargets {
  let link: NonIntegerKey
  private let rows: String

  /// Finds the links by values from `root` that may lead to such rows.
  ///
  /// - Parameters:
  ///   - root: The root entity of the rows that hold the values.
  ///   - layout: Where the source has its rows.
  ///   - isRemoved: The condition that a row of the source was removed; `nil` where none was.
  /// - Returns: One for each link.
  static func all(from root: String, in layout: Layout, _ isRemoved: (Relation) -> String?) -> [RemovedTargets] {
    layout.nonIntegerKeys.compactMap { link in
      guard link.root == root, let target = layout.relation(of: link.targetRoot),
        let condition = isRemoved(target)
      else { return nil }
      // No name in `rows` is that of a column of the holder.
      let columns =
        link.targetColumns.enumerated().map { "\($1.sqlName) AS \"decant \($0)\"" }
        + ["\(condition) AS \"decant removed\""]
      let rows = SelectStatement(columns: columns, source: target.sqlTable(in: CopySession.source))
        .sql
      return RemovedTargets(link: link, rows: rows)
    }
  }

  /// For each property of `root` that is part of such a link, by its label: the condition that it leads to such a row.
  static func conditions(
    of root: MatchRoot,
    in layout: Layout,
    _ isRemoved: (Relation) -> String?
  ) -> [String: String] {
    let relation = root.relations.source
    var conditions: [String: [String]] = [:]
    for removed in all(from: root.name, in: layout, isRemoved) {
      let columns = removed.link.columns.compactMap { name in
        relation.columns.first { $0.name == name }
      }
      let leads = removed.leadsThere(columns.map { relation.value(of: $0) })
      for column in columns { conditions[column.columnRole.label, default: []].append(leads) }
    }
    return conditions.mapValues { "(\($0.joined(separator: " OR ")))" }
  }

  /// The condition that a row which holds `values` for the link leads to such a row.
  ///
  /// The target stands on the left, as in ``ValueLink/conditions(holder:target:)``.
  func leadsThere(_ values: [String]) -> String {
    let isSame = values.enumerated().map { "\"decant \($0)\" = (\($1))" }
    return
      "EXISTS (SELECT 1 FROM (\(rows)) WHERE \(isSame.joined(separator: " AND ")) AND \"decant removed\")"
  }
}

extension Layout {
  /// The columns of `holder` to empty so that a link leads nowhere: none that another link of the row holds, where that can
  /// be, none that may not be empty, and none of the row's key.
  package func emptiedColumns(of link: NonIntegerKey, in holder: Relation) -> [String] {
    let key = if case .values(let columns) = holder.key { columns } else { holder.ownKey }
    let free = link.columns.filter { !key.contains($0) && !link.requiredColumns.contains($0) }
    let others = nonIntegerKeys.filter { $0.root == link.root && $0 != link }.flatMap(\.columns)
    let own = free.filter { !others.contains($0) }
    return own.isEmpty ? free : own
  }
}

extension CopyStep {
  /// Has links by values be empty where they lead to a row that the destination has removed: as a link that holds a key
  /// would be, which leads nowhere afterwards.
  ///
  /// - Parameters:
  ///   - layout: Where the source has its rows.
  ///   - ids: The ID table, which knows what stays away.
  package mutating func emptyLinks(toRemovedRowsOf layout: Layout, _ ids: IDTable) {
    guard let root = rowsRoot, let holder = layout.relation(of: root) else { return }
    let away = ids.baseChanges?.away ?? [:]
    let found = RemovedTargets.all(from: root, in: layout) { target in
      let number = ids.numberedRows?.sourceNumbers(of: target.root)?.proven ?? target.keyName
      return away[target.root].map { _ in "is_away(\(target.root.sqlText), \(number))" }
    }
    for removed in found {
      let names = removed.link.columns
      let places = names.compactMap { name in assignments.firstIndex { $0.column == name } }
      guard places.count == names.count else { continue }
      let written = removed.leadsThere(places.map { assignments[$0].expression.description })
      let proofs = places.compactMap { assignments[$0].proof?.expected }
      let proven = proofs.count == places.count ? removed.leadsThere(proofs) : nil
      let emptied = layout.emptiedColumns(of: removed.link, in: holder)
      for place in places where emptied.contains(assignments[place].column) {
        let expression = assignments[place].expression
        assignments[place].expression = "CASE WHEN NOT \(written) THEN \(expression) END"
        assignments[place].stream = nil
        guard let proven, let expected = assignments[place].proof?.expected else { continue }
        assignments[place].proof?.expected = "CASE WHEN NOT \(proven) THEN \(expected) END"
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
