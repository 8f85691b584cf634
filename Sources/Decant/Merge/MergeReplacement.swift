internal import SQLite

/// Takes away the links from many to many and the parts that only the destination has of an object that is replaced.
///
/// Only links to objects that the source has as well: of the others it knows nothing.
struct MergeReplacement {
  let connection: Connection
  let planning: Planning
  let source: Layout
  let destination: Layout
  let model: Model
  /// Where the destination is found.
  var schema = "main"

  /// What is taken away.
  struct Removed {
    var links: Int64 = 0
    var parts: Int64 = 0
  }

  /// Removes them all, unless it is a dry run.
  ///
  /// - Parameter isDryRun: Whether they are only counted.
  /// - Returns: How many there were.
  /// - Throws: `DecantError` where the destination cannot be written.
  func run(isDryRun: Bool = false) throws(DecantError) -> Removed {
    var removed = Removed()
    guard let rules = planning.plan.mergeRules,
      ([rules.rule] + rules.rules.values).contains(where: { $0.policy == .replace })
    else { return removed }
    removed.links = try removeLinks(rules, isDryRun)
    removed.parts = try ReplacedParts(
      connection: connection,
      planning: planning,
      layouts: Sided(source, destination),
      model: model,
      schemas: Sided(Workbench.source, schema),
      replaced: { replaced($0, rules) }
    ).run(isDryRun: isDryRun)
    return removed
  }

  private func removeLinks(_ rules: MergeRules, _ isDryRun: Bool) throws(DecantError) -> Int64 {
    var count: Int64 = 0
    for step in planning.plan.steps {
      guard let ends = ends(of: step) else { continue }
      try explaining("cannot replace the links \(step.name)") { () throws(SQLiteError) in
        for place in ends.indices {
          let other = ends[1 - place]
          guard let objects = replaced(ends[place].root, rules), let others = survivors(other.root)
          else { continue }
          count += try remove(step, ends.map(\.assignment), objects, others, at: place, isDryRun)
        }
      }
    }
    return count
  }

  /// Both ends of the links that a step writes; `nil` for one that writes something else.
  ///
  /// A table whose rows hold nothing but two links, beside a key of their own to which nothing leads, is one of links.
  private func ends(of step: CopyStep) -> [(root: String, assignment: CopyStep.Assignment)]? {
    switch step.kind {
    case .links(let links):
      guard step.assignments.count >= 2 else { return nil }
      return [(links.ownerRoot, step.assignments[0]), (links.targetRoot, step.assignments[1])]
    case .objects(let root):
      guard model.isFromTables, let relation = source.relation(of: root),
        !source.links.contains(where: { $0.target == root || $0.isKey && $0.holder == root }),
        !source.valueLinks.contains(where: { $0.targetRoot == root || $0.root == root })
      else { return nil }
      let columns = relation.columns.filter { !$0.meaning.isKey }
      let ends = columns.compactMap { column -> (root: String, assignment: CopyStep.Assignment)? in
        guard case .target = column.meaning, let target = column.targetRoot,
          let assignment = step.assignments.first(where: { $0.column == column.name })
        else { return nil }
        return (target, assignment)
      }
      return ends.count == 2 && columns.count == 2 ? ends : nil
    case .unkeyed, .rows: return nil
    }
  }

  /// The select of the keys, in the destination, of the objects that are replaced; `nil` where there are none.
  private func replaced(_ root: String, _ rules: MergeRules) -> String? {
    guard let relation = source.relation(of: root) else { return nil }
    let entities = relation.entities.filter {
      rules.rule(of: $0.name, in: model).policy == .replace
    }
    guard !entities.isEmpty else { return nil }
    var conditions = ["is_there(\(root.sqlText), \(relation.keyName))"]
    if entities.count < relation.entities.count, let code = relation.entityCode() {
      conditions.append("\(code) IN (\(entities.map(\.code).list))")
    }
    return SelectStatement(
      columns: ["id(\(root.sqlText), \(relation.keyName))"],
      source: relation.sqlTable(in: Workbench.source),
      conditions: conditions
    ).sql
  }

  /// The select of the keys, in the destination, of all objects that both stores have.
  private func survivors(_ root: String) -> String? {
    guard let relation = source.relation(of: root) else { return nil }
    return SelectStatement(
      columns: ["id(\(root.sqlText), \(relation.keyName))"],
      source: relation.sqlTable(in: Workbench.source),
      conditions: ["is_there(\(root.sqlText), \(relation.keyName))"]
    ).sql
  }

  private func remove(
    _ step: CopyStep,
    _ ends: [CopyStep.Assignment],
    _ objects: String,
    _ others: String,
    at end: Int,
    _ isDryRun: Bool
  ) throws(SQLiteError) -> Int64 {
    guard let owner = ends[0].proof?.expected, let target = ends[1].proof?.expected else {
      return 0
    }
    let kept = "temp.decant_kept_links"
    try connection.run(
      "CREATE TABLE IF NOT EXISTS \(kept) (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID"
    )
    try connection.run("DELETE FROM \(kept)")
    try connection.run(
      """
      INSERT OR IGNORE INTO \(kept) SELECT \(owner), \(target) FROM \(step.sourceTable)
      WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL
      """
    )
    let (a, b) = (ends[0].column.sqlName, ends[1].column.sqlName)
    let rows =
      """
      FROM \(schema.sqlName).\(step.table.sqlName) AS d WHERE d.\(end == 0 ? a : b) IN (\(objects))
      AND d.\(end == 0 ? b : a) IN (\(others))
      AND NOT EXISTS (SELECT 1 FROM \(kept) AS k WHERE k.a = d.\(a) AND k.b = d.\(b))
      """
    guard !isDryRun else { return try connection.integer("SELECT count(*) \(rows)") ?? 0 }
    try connection.run("DELETE \(rows)")
    return connection.changeCount
  }
}
