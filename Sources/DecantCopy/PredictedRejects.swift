internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The objects rejected because of a dangling link, and the objects with links to those, found without writing for a
/// dry run.
///
/// The reason is `missing: reject`, or a required column that would be empty. Other reasons of the destination to
/// refuse an object are known only when it is written.
struct PredictedRejects {
  let connection: Connection
  let planning: Planning
  /// The source's layout.
  let source: Layout
  /// The destination's layout.
  let layout: Layout
  let onError: CopyOptions.OnError

  private var rejects: Rejects { Rejects(connection: connection, schema: "temp") }
  /// The target of links whose target is already missing: no object has such a root.
  private static let nowhere = (root: "", key: Int64(0))
  private var rules: MissingRules { planning.plan.missing }

  /// Finds the rejects, and makes links to them dangle from now on.
  ///
  /// - Returns: The rejects; `nil` if no rule rejects objects.
  /// - Throws: `DecantError` if the source cannot be read.
  func settle() throws(DecantError) -> PredictedOutcome? {
    let links = planning.plan.linkColumns(of: layout).filter { $0.relation.keyColumn != nil }
    let leading = links.filter { link in
      rules.rule(of: link) == .reject || onError == .reject && link.isRefusedEmpty(rules)
    }
    guard !leading.isEmpty else { return nil }
    // An object whose required link leads to a rejected object is rejected as well, as is one whose key is that link.
    let required = links.filter { link in
      onError == .reject && !link.isKey && rules.required.contains(link.property.description)
    }
    let following = required.map(RejectingLink.init) + planning.plan.keyLinks(from: source, to: layout)
    var outcome = PredictedOutcome(rejects: rejects)
    try explaining("cannot predict the rejects") { () throws(SQLiteError) in
      try rejects.create()
      let reach = try Reach("predicted", on: connection)
      for link in leading {
        outcome.missing[link.property.description, default: 0] +=
          try note(link, in: reach)
      }
      for (number, link) in following.enumerated()
      where link.step.hasNumbers && !leading.contains(where: { $0.property == link.property }) {
        try reach.add(link.select(number).sql.replacing(CopyStep.written, with: CopySession.destination))
      }
      try reach.start.run(.text(Self.nowhere.root), .integer(Self.nowhere.key))
      try reach.spread()
      try connection.run(
        """
        INSERT INTO temp.\(Rejects.table) (root, key, reason, code)
        SELECT DISTINCT l.root, l.note, 'its link points to an object that is not copied', '\(RejectCode.link.rawValue)'
        \(reach.followed)
        """
      )
      for root in try rejects.roots() {
        guard let keys = try rejects.keys(of: root) else { continue }
        planning.ids.map(of: root)?.except(keys)
      }
    }
    return outcome
  }

  /// Records the target of `link` for each created object; returns the number of dangling links.
  private func note(_ link: LinkColumn, in reach: Reach) throws(SQLiteError) -> Int64 {
    var missing: Int64 = 0
    let name = link.property.description
    let isRefusedEmpty = rules.rule(of: link) != .reject
    let (end, root) = (link.column.targetRoot ?? link.root, link.root)
    let select = link.select([
      "\(link.assignment.expression)", "r._id", "id(\(root.sqlText), r._id)",
    ])
    let rows = try connection.prepare(select.sql.replacing(CopyStep.written, with: CopySession.destination))
    _ = planning.ids.takeLinkCounts()
    while try rows.step() {
      let counts = planning.ids.takeLinkCounts()[name]
      // A value that can be no row's key is kept in a required column.
      let isMissing =
        (counts?.cut ?? 0) + (counts?.dangling ?? 0) > 0
        && !(isRefusedEmpty && rows.type(at: 0) != .null)
      if isMissing { missing += 1 }
      guard isMissing || rows.integerOrNil(at: 0) != nil else { continue }
      try reach.link.run(
        .text(isMissing ? Self.nowhere.root : end),
        isMissing ? .integer(Self.nowhere.key) : rows.value(at: 0),
        .text(root),
        rows.value(at: 2),
        .null,
        rows.value(at: 1)
      )
    }
    return missing
  }
}
