internal import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The links by values to rows that are not added in a merge with a base, as the destination removed them.
struct RemovedTargets {
  let link: NonIntegerKey
  private let rows: String

  /// Finds the links by values from `root` that may lead to such rows.
  ///
  /// - Parameters:
  ///   - root: The root entity of the rows with the values.
  ///   - layout: The layout of the source.
  ///   - isRemoved: The condition that a row of the source was removed; `nil` if none was.
  /// - Returns: One for each link.
  static func all(from root: String, in layout: Layout, _ isRemoved: (Relation) -> String?) -> [RemovedTargets] {
    layout.nonIntegerKeys.compactMap { link in
      guard link.root == root, let target = layout.relation(of: link.targetRoot),
        let condition = isRemoved(target)
      else { return nil }
      // The names in `rows` differ from all columns of the holder.
      let columns =
        link.targetColumns.enumerated().map { "\($1.sqlName) AS \"decant \($0)\"" }
        + ["\(condition) AS \"decant removed\""]
      let rows = SelectStatement(columns: columns, source: target.sqlTable(in: CopySession.source))
        .sql
      return RemovedTargets(link: link, rows: rows)
    }
  }

  /// Returns, for each property of `root` that is part of such a link, by its label, the condition that it leads to
  /// such a row.
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

  /// Returns the condition that a row with `values` for the link leads to such a row.
  ///
  /// The target is on the left, as in ``NonIntegerKey/conditions(holder:target:)``.
  func leadsThere(_ values: [String]) -> String {
    let isSame = values.enumerated().map { "\"decant \($0)\" = (\($1))" }
    return
      "EXISTS (SELECT 1 FROM (\(rows)) WHERE \(isSame.joined(separator: " AND ")) AND \"decant removed\")"
  }
}

extension CopyStep {
  /// Makes links by values null if the destination removed their target, as a link by key would be.
  ///
  /// - Parameters:
  ///   - layout: The layout of the source.
  ///   - ids: The ID table, which knows the objects that are not added.
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
        assignments[place].empty(unless: "NOT \(written)")
        if let proven { assignments[place].proveEmpty(unless: "NOT \(proven)") }
      }
    }
  }

  /// The root entity of the copied rows, with any kind of key.
  private var rowsRoot: String? {
    switch kind {
    case .objects(let root), .unkeyed(let root, _): root
    case .links, .rows: nil
    }
  }
}
