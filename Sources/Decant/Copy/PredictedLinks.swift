internal import SQLite

/// The links that a copy will meet, counted without writing: for a dry run.
struct PredictedLinks {
  let connection: Connection
  let planning: Planning

  /// Returns the links by relationship, as the copy itself would count them.
  func count() throws(SQLiteError) -> [String: LinkCounts] {
    _ = planning.ids.takeLinkCounts()
    var counts: [String: LinkCounts] = [:]
    for step in planning.plan.steps {
      switch step.kind {
      case .objects:
        try countKeys(of: step)
        counts.merge(planning.ids.takeLinkCounts()) { $1 }
      case .links(let links):
        counts[links.relationship.description] = try countRows(of: links, step)
      case .rows: continue
      }
    }
    return counts
  }

  /// Reads the links of objects through the counting form of `id`.
  private func countKeys(of step: CopyStep) throws(SQLiteError) {
    let links = step.assignments.map(\.expression).filter { $0.hasPrefix("id(") }
    let select = SelectStatement(
      columns: links.map { "count(\($0))" },
      source: "\(step.source) AS r",
      conditions: step.selection.map { [$0] } ?? []
    )
    _ = try connection.integer(select.sql)
  }

  private func countRows(of links: LinkRelation, _ step: CopyStep) throws(SQLiteError) -> LinkCounts
  {
    let ends = [("_owner", links.ownerRoot), ("_target", links.targetRoot)]
    let goes = ends.map { "id(\($1.sqlText), r.\($0)) IS NOT NULL" }.joined(separator: " AND ")
    let isThere = ends.map { "known(\($1.sqlText), r.\($0))" }.joined(separator: " AND ")
    var counts = LinkCounts()
    try connection.forEachRow(
      """
      SELECT ifnull(sum(\(goes)), 0), ifnull(sum(\(isThere) AND NOT (\(goes))), 0),
        ifnull(sum(NOT (\(isThere))), 0)
      FROM \(step.source) AS r
      """
    ) { row in
      counts = LinkCounts(
        copied: row.integer(at: 0),
        cut: row.integer(at: 1),
        dangling: row.integer(at: 2)
      )
    }
    return counts
  }
}
