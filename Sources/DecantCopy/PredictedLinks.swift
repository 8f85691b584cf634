internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The links of a copy, counted without writing, for a dry run.
struct PredictedLinks {
  let connection: Connection
  let planning: Planning

  /// Returns the links by relationship, as the copy would count them; `progress` receives the progress.
  func count(_ progress: SearchProgress?) throws(SQLiteError) -> [String: LinkCounts] {
    _ = planning.ids.takeLinkCounts()
    var counts: [String: LinkCounts] = [:]
    progress?.beginSteps(of: planning.rowCounts.values.reduce(0, +))
    for var step in planning.plan.steps {
      progress?.begin(step.name, planning.rowCounts[step.name] ?? 0)
      // Objects that will be rejected have no links.
      if case .objects(let root) = step.kind, planning.ids.map(of: root)?.exceptions != nil {
        step.isSelective = true
      }
      switch step.kind {
      case .objects, .unkeyed:
        try countKeys(of: step)
        counts.merge(planning.ids.takeLinkCounts()) { $1 }
      case .links(let links) where step.isMerging:
        var count = try IncompleteLinks(links, of: step, on: connection).count("1", [])
        count.copied = try newLinks(step)
        counts[links.relationship.description] = count
      case .links(let links):
        counts[links.relationship.description] = try IncompleteLinks(links, of: step, on: connection)
          .count("1", [])
      case .rows: continue
      }
    }
    return counts
  }

  /// Counts the links that a merge adds.
  private func newLinks(_ step: CopyStep) throws(SQLiteError) -> Int64 {
    let images = step.assignments.prefix(2).map(\.expression.uncounted.description)
    let select = SelectStatement(
      columns: images,
      source: "\(step.source) AS r",
      conditions: step.endConditions + (step.presence.map { ["NOT (\($0))"] } ?? [])
    ).sql.replacing(CopyStep.written, with: CopySession.destination)
    let count = "SELECT count(*) FROM (SELECT DISTINCT * FROM (\(select)))"
    return try connection.integer(count) ?? 0
  }

  /// Counts the links of objects by the counting form of `id`.
  private func countKeys(of step: CopyStep) throws(SQLiteError) {
    let links = step.assignments.flatMap(\.expression.links)
    guard !links.isEmpty else { return }
    let select = SelectStatement(
      columns: links.map { "count(\($0))" },
      source: "\(step.source) AS r",
      conditions: step.choice
    )
    _ = try connection.integer(select.sql.replacing(CopyStep.written, with: CopySession.destination))
  }
}
