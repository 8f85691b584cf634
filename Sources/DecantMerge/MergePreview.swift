package import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
internal import DecantJSON
package import DecantSQLite

/// The first objects of each entity and outcome that a copy would add, or a merge would change, for a dry run.
package struct MergePreview {
  package let connection: Connection
  package let planning: Planning
  package let layouts: Sided<Layout>
  package let model: Model
  /// The schema name of the destination.
  package let schema: String
  /// The number of objects to name for each entity and outcome.
  package let limit: Int

  package init(
    connection: Connection,
    planning: Planning,
    layouts: Sided<Layout>,
    model: Model,
    schema: String,
    limit: Int
  ) {
    (self.connection, self.planning, self.layouts) = (connection, planning, layouts)
    (self.model, self.schema, self.limit) = (model, schema, limit)
  }

  /// Returns the groups by entity in the plan's order, then by outcome; none is empty.
  package func groups() throws(DecantError) -> [CopyReport.Preview] {
    let schemas = Sided(CopySession.source, schema)
    let rows = planning.ids.numberedRows
    let layouts = rows?.layouts(schema) ?? layouts
    let plan = rows?.numbered(planning.plan) ?? planning.plan
    let roots = MatchRoot.all(of: plan, model, layouts, schemas: schemas)
    let hashes = MatchHashes(roots: roots, model: model, layouts: layouts, schemas: schemas)
    let values = ConflictValues(hashes, on: connection)
    var groups: [CopyReport.Preview] = []
    for root in roots {
      try explaining("cannot list the objects of \(root.name)") { () throws(SQLiteError) in
        try list(root, values, &groups)
        try listRemoved(root, values, &groups)
      }
    }
    for step in plan.steps {
      guard case .unkeyed(let root, let key) = step.kind else { continue }
      try explaining("cannot list the rows of \(root)") { () throws(SQLiteError) in
        groups += try list(step, root, key.count)
      }
    }
    return groups
  }

  /// Lists the rows of a table without integer keys, by the values of their keys.
  private func list(_ step: CopyStep, _ root: String, _ keyCount: Int) throws(SQLiteError) -> [CopyReport.Preview] {
    let told = planning.isMerge ? step.rowOutcome(root, planning.ids) : "\(MergeOutcome.new.rawValue)"
    let title = layouts.source.relation(of: root)?.titleColumn(of: root, in: model).flatMap { column in
      step.assignments.first { $0.column == column.name }?.expression.uncounted.description
    }
    let keys = (0..<keyCount).map { "r._k\($0)" }
    var select = SelectStatement(
      columns: [told, title ?? "NULL"] + keys,
      source: "\(step.source) AS r",
      conditions: step.filters.map { "(\($0))" }
    )
    select.order = keys
    var found: [CopyReport.Preview.Outcome: CopyReport.Preview] = [:]
    try connection.forEachRow(select.sql.replacing(CopyStep.written, with: schema.sqlName)) { row in
      guard let outcome = MergeOutcome(rawValue: row.integer(at: 0))?.preview else { return }
      var group = found[outcome] ?? CopyReport.Preview(outcome: outcome, entity: root)
      group.count += 1
      if group.objects.count < limit {
        let values = keys.indices.map { ConflictValues.json(row, at: $0 + 2, nil) }
        group.objects.append(
          CopyReport.Preview.Object(
            key: (values.isEmpty ? JSONValue.null : .array(values)).text,
            title: row.type(at: 1) == .null ? nil : row.text(at: 1)
          )
        )
      }
      found[outcome] = group
    }
    return CopyReport.Preview.Outcome.allCases.compactMap { found[$0] }
  }

  private func list(
    _ root: MatchRoot,
    _ values: ConflictValues,
    _ groups: inout [CopyReport.Preview]
  ) throws(SQLiteError) {
    guard let map = planning.ids.map(of: root.name) else { return }
    var found: [CopyReport.Preview.Outcome: [String: CopyReport.Preview]] = [:]
    let (key, name) = (root.key(.source), root.name.sqlText)
    let relation = root.relations.source
    let entities = Dictionary(relation.entities.map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
    let only = entities.count == 1 ? relation.entities.first?.name : nil
    let told = planning.isMerge ? "merge_outcome(\(name), \(key))" : "\(MergeOutcome.new.rawValue)"
    try connection.forEachRow(
      """
      SELECT \(key), \(told), \(relation.entityCode() ?? "NULL") FROM \(root.table(.source))
      ORDER BY 1
      """
    ) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      guard let outcome = MergeOutcome(rawValue: row.integer(at: 1))?.preview else { return }
      if !planning.isMerge, try !map.included.contains(key) { return }
      let there = outcome == .added ? nil : try map.destination(of: key)
      let entity = only ?? entities[row.integer(at: 2)] ?? root.name
      var group =
        found[outcome]?[entity] ?? CopyReport.Preview(outcome: outcome, entity: entity)
      group.count += 1
      if group.objects.count < limit {
        let isThere = there != nil && outcome != .keptBoth
        let own = isThere ? (there ?? key, MatchSide.destination) : (key, .source)
        group.objects.append(
          CopyReport.Preview.Object(
            key: try values.key(own.0, root.name, own.1).text,
            title: try values.title(own.0, root.name, own.1)
          )
        )
      }
      found[outcome, default: [:]][entity] = group
    }
    for outcome in CopyReport.Preview.Outcome.allCases {
      groups += (found[outcome] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Lists the objects that the source has removed since the base.
  private func listRemoved(
    _ root: MatchRoot,
    _ values: ConflictValues,
    _ groups: inout [CopyReport.Preview]
  ) throws(SQLiteError) {
    guard let removed = planning.ids.baseChanges?.dropped[root.name], removed.count > 0 else {
      return
    }
    var found: [String: CopyReport.Preview] = [:]
    try removed.forEach { key throws(SQLiteError) in
      let entity = try values.entity(key, root.name, .destination)
      var group = found[entity] ?? CopyReport.Preview(outcome: .removed, entity: entity)
      group.count += 1
      if group.objects.count < limit {
        group.objects.append(
          CopyReport.Preview.Object(
            key: try values.key(key, root.name, .destination).text,
            title: try values.title(key, root.name, .destination)
          )
        )
      }
      found[entity] = group
    }
    groups += found.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension MergeOutcome {
  /// The outcome in a preview; `nil` for an object that is equal or not affected.
  fileprivate var preview: CopyReport.Preview.Outcome? {
    switch self {
    case .new: .added
    case .updated, .filled: .updated
    case .skipped: .kept
    case .keptBoth: .keptBoth
    case .leftOut, .same, .duplicate: nil
    }
  }
}
