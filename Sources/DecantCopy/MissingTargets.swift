internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The search for links with a missing target, before anything is written.
///
/// The ID table is complete by then; only objects that the destination will refuse are not known yet.
struct MissingTargets {
  let connection: Connection
  let planning: Planning

  private var rules: MissingRules { planning.plan.missing }

  /// Throws if a link must not dangle but does, with the relationship, the number of links and the first object.
  ///
  /// - Parameters:
  ///   - layout: The destination's layout.
  ///   - schema: The schema name of an existing destination.
  ///   - source: The source's layout.
  /// - Throws: `DecantError` of the family `.failed`.
  func check(_ layout: Layout, in schema: String, from source: Layout) throws(DecantError) {
    guard !rules.areDefault else { return }
    try checkNonIntegerKeys(source)
    for link in planning.plan.linkColumns(of: layout) where rules.rule(of: link) == .error {
      for select in selects(link) { try check(link, select, schema) }
    }
    for step in planning.plan.steps {
      guard case .links(let links) = step.kind else { continue }
      let ends = [
        (links.relationship, from: (links.ownerRoot, "_owner"), to: (links.targetRoot, "_target")),
        (
          links.isReflexive ? links.relationship : links.inverse,
          from: (links.targetRoot, "_target"), to: (links.ownerRoot, "_owner")
        ),
      ]
      for case (let relationship?, let from, let to) in ends
      where rules.rule(ofTable: relationship) == .error {
        try check(relationship, step, from, to)
      }
    }
  }

  /// Checks links by values, to which only the general rule applies.
  private func checkNonIntegerKeys(_ source: Layout) throws(DecantError) {
    guard rules.general == .error, !planning.isMerge else { return }
    let counts = try NonIntegerKeyTargets.counts(of: source, filters: planning.plan.filters, on: connection)
    for (name, count) in counts.sorted(by: { $0.key < $1.key })
    where count.cut + count.dangling > 0 {
      throw error(name, count.cut + count.dangling, nil)
    }
  }

  /// Returns the notes of a dry run on objects that would be rejected.
  func notes(_ links: [String: LinkCounts], _ layout: Layout) -> [ReportNote] {
    let foretold = planning.predictedRejects?.missing ?? [:]
    let names = planning.plan.linkColumns(of: layout)
      .filter { rules.rule(of: $0) == .reject || foretold[$0.property.description] != nil }
      .map(\.property.description)
    return Set(names).sorted().compactMap { name in
      let count =
        foretold[name]
        ?? (links[name]?.cut ?? 0) + (links[name]?.dangling ?? 0)
      guard count > 0 else { return nil }
      return ReportNote(
        .targetsMissing,
        "\(count.counted("link")) of \(name) \(count == 1 ? "has" : "have") no target: "
          + "the objects that hold \(count == 1 ? "it" : "them") will be rejected"
      )
    }
  }

  /// Returns the SELECTs of the objects that the copy creates, and of those that it changes.
  private func selects(_ link: LinkColumn) -> [(String) -> SelectStatement] {
    let made = { (column: String) in link.select([column]) }
    guard link.step.isMerging, case .objects(let root) = link.step.kind else { return [made] }
    let changed =
      "merge_outcome(\(root.sqlText), r._id) IN "
      + "(\(MergeOutcome.updated.rawValue), \(MergeOutcome.filled.rawValue))"
    return [
      made,
      {
        SelectStatement(columns: [$0], source: "\(link.step.source) AS r", conditions: [changed])
      },
    ]
  }

  private func check(_ link: LinkColumn, _ select: (String) -> SelectStatement, _ schema: String) throws(DecantError) {
    let name = link.property.description
    let (missing, first) = try explaining("cannot count the links \(name)") {
      () throws(SQLiteError) -> (Int64, String?) in
      func sql(_ column: String) -> String {
        select(column).sql.replacing(CopyStep.written, with: schema.sqlName)
      }
      let value = link.assignment.expression.description
      _ = planning.ids.takeLinkCounts()
      _ = try connection.integer(sql("count(\(value))"))
      let missing = self.missing(name)
      guard missing > 0, link.relation.keyColumn != nil else { return (missing, nil) }
      let rows = try connection.prepare(sql("r._id, \(value)"))
      while try rows.step() {
        if self.missing(name) > 0 { return (missing, "\(link.root) p\(rows.integer(at: 0))") }
      }
      return (missing, nil)
    }
    if missing > 0 { throw error(name, missing, first) }
  }

  /// Returns the number of dangling links found since the last call.
  private func missing(_ name: String) -> Int64 {
    let counts = planning.ids.takeLinkCounts()[name]
    return (counts?.cut ?? 0) + (counts?.dangling ?? 0)
  }

  private func check(
    _ relationship: Property,
    _ step: CopyStep,
    _ from: (root: String, column: String),
    _ to: (root: String, column: String)
  ) throws(DecantError) {
    let holder = "id(\(from.root.sqlText), r.\(from.column))"
    var (isHeld, isMissing) = ("\(holder) IS NOT NULL", "id(\(to.root.sqlText), r.\(to.column)) IS NULL")
    if rules.makeStubs {
      isHeld += " AND NOT is_stub(\(from.root.sqlText), r.\(from.column))"
      isMissing += " OR is_stub(\(to.root.sqlText), r.\(to.column))"
    }
    let rows = "FROM \(step.source) AS r WHERE \(isHeld) AND (\(isMissing))"
    let (missing, first) = try explaining("cannot count the links \(relationship)") {
      () throws(SQLiteError) in
      let count = try connection.integer("SELECT count(*) \(rows)") ?? 0
      return (count, count == 0 ? nil : try connection.integer("SELECT min(r.\(from.column)) \(rows)"))
    }
    guard missing > 0 else { return }
    throw error(relationship.description, missing, first.map { "\(from.root) p\($0)" })
  }

  private func error(_ name: String, _ count: Int64, _ first: String?) -> DecantError {
    DecantError(
      .linkBroken,
      "\(count.counted("link")) of \(name) \(count == 1 ? "points" : "point") to objects that are not copied "
        + "(missing: error)",
      place: first.map { "\($0)\(count == 1 ? "" : " is the first")" },
      remedy:
        "copy their targets as well, exclude the objects that hold them with \(say: .where), or use null or reject"
    )
  }
}
