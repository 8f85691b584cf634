package import DecantBase
internal import DecantMatch
internal import DecantPlan
package import DecantStore
package import DecantSQLite

/// Removes the many-to-many links and parts of a replaced object that only the destination has.
///
/// Only links to objects that the source has as well are removed: it knows nothing about the others.
package struct MergeReplacement {
  package let connection: Connection
  package let planning: Planning
  package let source: Layout
  package let destination: Layout
  package let model: Model
  /// The schema name of the destination.
  package var schema = "main"

  package init(
    connection: Connection,
    planning: Planning,
    source: Layout,
    destination: Layout,
    model: Model,
    schema: String = "main"
  ) {
    (self.connection, self.planning, self.source) = (connection, planning, source)
    (self.destination, self.model, self.schema) = (destination, model, schema)
  }

  /// The numbers of removed links, parts and objects.
  package struct Removed {
    package var links: Int64 = 0
    package var parts: Int64 = 0
    /// The objects that the source has removed since the base.
    package var objects: Int64 = 0
  }

  /// Removes everything, or only counts it in a dry run.
  ///
  /// - Parameter isDryRun: Whether to count only.
  /// - Returns: The numbers of removed items.
  /// - Throws: `DecantError` if the destination cannot be written.
  package func run(isDryRun: Bool = false) throws(DecantError) -> Removed {
    var removed = Removed()
    let dropped = try DroppedObjects(
      connection: connection,
      layout: destination,
      ids: planning.ids,
      schema: schema,
      plan: planning.plan
    ).run(isDryRun: isDryRun)
    removed.objects = dropped.objects.values.reduce(0, +)
    removed.links = dropped.links
    guard let rules = planning.plan.mergeRules,
      ([rules.rule] + rules.rules.values)
        .contains(where: { $0.policy == .replace || $0.policy == .update })
    else { return removed }
    removed.links += try removeLinks(rules, isDryRun)
    removed.parts = try ReplacedParts(
      connection: connection,
      planning: planning,
      layouts: Sided(source, destination),
      model: model,
      schemas: Sided(CopySession.source, schema),
      replaced: { replaced($0, rules, $1) }
    ).run(isDryRun: isDryRun)
    return removed
  }

  private func removeLinks(_ rules: MergeRules, _ isDryRun: Bool) throws(DecantError) -> Int64 {
    var count: Int64 = 0
    for step in planning.plan.steps {
      guard let rows = linkRows(of: step) else { continue }
      try explaining("cannot replace the links \(step.name)") { () throws(SQLiteError) in
        count += try remove(step, rows, rules, isDryRun)
      }
    }
    return count
  }

  /// Rows that link objects, or that belong to an object whose key is part of theirs.
  private struct LinkRows {
    /// The targets of the rows: the root entity, and the column of the destination.
    var ends: [(root: String, column: String)]
    /// The columns of the owners.
    var owners: Set<String>
    /// The columns that identify a row.
    var key: [CopyStep.Assignment]
  }

  /// Returns the rows that a step writes; `nil` for a step of other rows.
  ///
  /// A table whose rows hold only two links, besides a key of their own that nothing refers to, is a link table.
  private func linkRows(of step: CopyStep) -> LinkRows? {
    switch step.kind {
    case .links(let links):
      guard step.assignments.count >= 2 else { return nil }
      let key = Array(step.assignments.prefix(2))
      return LinkRows(
        ends: [(links.ownerRoot, key[0].column), (links.targetRoot, key[1].column)],
        owners: Set(key.map(\.column)),
        key: key
      )
    case .objects(let root):
      guard model.isFromTables, let relation = source.relation(of: root),
        !source.hasLinks(to: root),
        !source.links.contains(where: { $0.isKey && $0.holder == root })
      else { return nil }
      let columns = relation.columns.filter { !$0.columnRole.isKey }
      // The row number is a key besides the declared one.
      if columns.count == relation.columns.count,
        let key = model[root]?.uniquenessConstraints.first,
        let rows = linkRows(of: step, relation, key)
      {
        return rows
      }
      let rows = linkRows(of: step, relation, columns.map(\.name))
      return rows?.ends.count == 2 && columns.count == 2 ? rows : nil
    case .unkeyed(let root, let key):
      guard let relation = source.relation(of: root), !source.hasLinks(to: root) else { return nil }
      return linkRows(of: step, relation, key)
    case .rows: return nil
    }
  }

  /// Returns the rows of `relation` identified by the columns `names`; `nil` if none of these is a link, or the link is
  /// the only one.
  private func linkRows(of step: CopyStep, _ relation: Relation, _ names: [String]) -> LinkRows? {
    let key = step.assignments.filter { names.contains($0.column) }
    let ends = relation.columns.compactMap { column -> (root: String, column: String)? in
      guard case .target = column.columnRole, !column.isConditional, let target = column.targetRoot,
        key.contains(where: { $0.column == column.name })
      else { return nil }
      return (target, column.name)
    }
    // If a row's target depends on its type, the type is not an owner.
    let isConditional = relation.columns.contains { names.contains($0.name) && $0.isConditional }
    guard !ends.isEmpty, key.count > 1, !isConditional else { return nil }
    // A row with further values belongs to the object whose deletion deletes the row.
    let isLink =
      ends.count == 1 || relation.columns.allSatisfy { $0.columnRole.isKey || names.contains($0.name) }
    let owners = relation.columns.filter { column in
      ends.contains { $0.column == column.name } && (isLink || column.isOwned)
    }
    return LinkRows(ends: ends, owners: Set(owners.map(\.name)), key: key)
  }

  /// Returns the SELECT of the keys, in the destination, of replaced objects; `nil` if there are none.
  private func replaced(_ root: String, _ rules: MergeRules, _ policy: MergePolicy = .replace) -> String? {
    guard let relation = source.relation(of: root) else { return nil }
    let entities = relation.entities.filter {
      rules.rule(of: $0.name, in: model).policy == policy
    }
    guard !entities.isEmpty else { return nil }
    // Objects excluded by a condition are not replaced.
    var conditions = [
      "is_there(\(root.sqlText), \(relation.keyName))",
      "merge_outcome(\(root.sqlText), \(relation.keyName)) <> \(MergeOutcome.leftOut.rawValue)",
      "NOT is_closed(\(root.sqlText), id(\(root.sqlText), \(relation.keyName)))",
    ]
    // An update does not touch equal objects.
    if policy == .update {
      conditions.append("merge_outcome(\(root.sqlText), \(relation.keyName)) = \(MergeOutcome.updated.rawValue)")
    }
    if entities.count < relation.entities.count, let code = relation.entityCode() {
      conditions.append("\(code) IN (\(entities.map(\.code).list))")
    }
    return SelectStatement(
      columns: ["id(\(root.sqlText), \(relation.keyName))"],
      source: relation.sqlTable(in: CopySession.source),
      conditions: conditions
    ).sql
  }

  /// Returns the SELECT of the keys, in the destination, of all objects that both stores have.
  private func matchedObjects(_ root: String) -> String? {
    guard let relation = source.relation(of: root) else { return nil }
    return SelectStatement(
      columns: ["id(\(root.sqlText), \(relation.keyName))"],
      source: relation.sqlTable(in: CopySession.source),
      conditions: ["is_there(\(root.sqlText), \(relation.keyName))"]
    ).sql
  }

  /// Removes the rows that lead to a replaced object at one of their ends, and to common objects at the others, and
  /// that the source lacks.
  private func remove(
    _ step: CopyStep,
    _ rows: LinkRows,
    _ rules: MergeRules,
    _ isDryRun: Bool
  ) throws(SQLiteError) -> Int64 {
    // A row with a replaced object at each end is one row.
    let leads = rows.ends.filter { rows.owners.contains($0.column) }.compactMap { lead(to: $0, rows, rules) }
    let expected = rows.key.compactMap { $0.proof?.expected }
    guard !leads.isEmpty, expected.count == rows.key.count else { return 0 }
    let counted = try isDryRun ? dropped(from: step) : nil
    defer { withExtendedLifetime(counted) {} }
    let key = rows.key.map { "d.\($0.column.sqlName)" }.joined(separator: ", ")
    let isCounted = counted.map { " AND (\($0.keys)) NOT IN (SELECT owner, target FROM \($0.table))" }
    let isFree = unreferred(step.table).map { " AND \($0)" }.joined()
    // With CASE, SQLite need not distinguish NULL from false, for which it would scan all rows each time.
    let select = """
      FROM \(schema.sqlName).\(step.table.sqlName) AS d WHERE (\(leads.joined(separator: " OR ")))
      AND CASE WHEN (\(key)) IN (SELECT \(expected.joined(separator: ", ")) FROM \(step.sourceTable)) THEN 0 ELSE 1 END
      \(isCounted ?? "")\(isFree)
      """
    guard !isDryRun else { return try connection.integer("SELECT count(*) \(select)") ?? 0 }
    try connection.run("DELETE \(select)")
    return connection.changeCount
  }

  /// Returns the conditions that no row of the destination refers to the row `d` of a table; otherwise it stays.
  private func unreferred(_ table: String) -> [String] {
    let key = destination.relation(of: table)?.keyColumn
    var links = (destination.nonIntegerKeys + destination.partialLinks).filter { $0.targetRoot.isSameName(as: table) }
      .compactMap { link in
        destination.relation(of: link.root).map { ($0, link.targetColumns, link.columns.map(\.sqlName)) }
      }
    for relation in destination.relations {
      for column in relation.columns where key != nil && column.targetRoot?.isSameName(as: table) == true {
        links.append((relation, [key ?? ""], [relation.value(of: column)]))
      }
    }
    return links.map { holder, targets, values in
      // An IN with NULL among the rows is never false.
      "CASE WHEN (\(targets.map { "d.\($0.sqlName)" }.joined(separator: ", "))) IN "
        + "(SELECT \(values.joined(separator: ", ")) FROM \(holder.sqlTable(in: schema))) THEN 0 ELSE 1 END"
    }
  }

  /// Returns the condition that a row leads to a replaced object at `end` and to common objects at the others; `nil` if
  /// there is no such row.
  private func lead(to end: (root: String, column: String), _ rows: LinkRows, _ rules: MergeRules) -> String? {
    guard let objects = replaced(end.root, rules) else { return nil }
    var conditions = ["d.\(end.column.sqlName) IN (\(objects))"]
    // For entities that only name something, the source is complete.
    let names = planning.plan.mergeRules?.likeness?.names ?? []
    for other in rows.ends where other.column != end.column && !names.contains(other.root) {
      guard let matchedObjects = matchedObjects(other.root) else { return nil }
      conditions.append("d.\(other.column.sqlName) IN (\(matchedObjects))")
    }
    // With CASE, SQLite scans the rows; by an index it would look for each pair of objects.
    return "CASE WHEN \(conditions.joined(separator: " AND ")) THEN 1 ELSE 0 END"
  }

  /// Returns the links in the table of a step that are removed before, as the source removed them since the base, and
  /// the two keys of its rows; `nil` if there are none.
  private func dropped(from step: CopyStep) throws(SQLiteError) -> (table: TemporaryTable, keys: String)? {
    let link = destination.links.first { $0.isTable && $0.table == step.table }
    guard let link, let dropped = planning.ids.baseChanges?.droppedLinks, dropped.count > 0 else { return nil }
    let table = try TemporaryTable("(owner INTEGER, target INTEGER, PRIMARY KEY (owner, target))", on: connection)
    let insertion = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2)")
    try dropped.forEach(link.relationship.description) { owner, target throws(SQLiteError) in
      try insertion.run(.integer(owner), .integer(target))
    }
    return (table, "d.\(link.holderKey), d.\(link.targetKey)")
  }
}
