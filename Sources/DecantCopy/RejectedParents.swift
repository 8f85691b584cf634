internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects that were written before the target of one of their links was rejected.
///
/// If their relationship has `missing: reject`, or the link is part of their key, they are removed and rejected as
/// well, and so are objects that link to them. The same applies to objects whose link column is required, if objects
/// that the destination refuses are left out, and in a merge to new objects that are recognized by the link, which would
/// be added again each time. All other links become null.
struct RejectedParents {
  let connection: Connection
  let planning: Planning
  /// The source's layout.
  let source: Layout
  /// The destination's layout.
  let layout: Layout
  let rejects: Rejects
  let onError: CopyOptions.OnError
  /// The destination keys of all rejected objects, and the links that reject their holders.
  let reach: Reach

  private var rules: MissingRules { planning.plan.missing }

  /// The newly rejected objects, with their keys in source and destination.
  private static let late = "temp.decant_late"

  /// Whether there are rejects that may affect more than the links to them.
  var matter: Bool {
    get throws(DecantError) {
      guard !rules.areDefault || onError == .reject else { return false }
      return try settling { () throws(SQLiteError) in try rejects.count() > 0 }
    }
  }

  /// Rejects objects until no link leads to a rejected object that must not, and empties links by values to rejected
  /// objects.
  ///
  /// Each link is visited once, regardless of the length of the chains it belongs to.
  ///
  /// - Returns: The changes to the counts of links: those of the rejected objects, as negative numbers.
  /// - Throws: `DecantError` if a link has `missing: error`, or belongs to an object that existed before.
  func follow() throws(DecantError) -> [String: LinkCounts] {
    let links = planning.plan.linkColumns(of: layout)
    var followed: [LinkColumn] = []
    /// The links that are followed from new objects only.
    var identifying: Set<Property> = []
    for link in links {
      if try settling({ () throws(SQLiteError) in try isFollowed(link) }) {
        followed.append(link)
      } else if rules.rule(of: link) == .null, identifies(link.property) {
        followed.append(link)
        identifying.insert(link.property)
      }
    }
    let values = planning.plan.valueLinks(from: source, to: layout)
    identifying.formUnion(
      values.filter { !isFollowed($0) && rules.general == .null && identifies($0.written.relationship) }
        .map(\.written.relationship))
    let keys = planning.plan.keyLinks(from: source, to: layout).filter { key in
      !links.contains { $0.property == key.property } && !values.contains { $0.written.relationship == key.property }
    }
    let all =
      followed.map(RejectingLink.init) + keys
      + values.filter { isFollowed($0) || identifying.contains($0.written.relationship) }.map(RejectingLink.init)
    try settling { () throws(SQLiteError) in
      try rejects.begin(reach, planning.ids)
      for (number, link) in all.enumerated() {
        let isIdentifying = identifying.contains(link.property)
        try note(link, number, values, onlyNew: isIdentifying)
      }
      try reach.spread()
      try list(all)
    }
    // Existing objects lose these links, as they are recognized without them.
    try remove(all, followed.filter { !identifying.contains($0.property) })
    for link in links where rules.rule(of: link) == .error {
      let count = try settling { () throws(SQLiteError) in try holders(of: link) }
      if count > 0 { throw error(link.property.description, count, "missing: error") }
    }
    for link in links where !followed.contains(where: { $0.property == link.property }) {
      guard rules.required.contains(link.property.description) else { continue }
      let count = try settling { () throws(SQLiteError) in try holders(of: link) }
      if count > 0 { throw error(link.property.description, count, "the link is required") }
    }
    try checkTables()
    // Counted as when they were written: all targets still exist.
    var lost: [String: LinkCounts] = [:]
    try settling { () throws(SQLiteError) in
      guard try connection.integer("SELECT 1 FROM \(RejectedParents.late) LIMIT 1") != nil else {
        return
      }
      for step in planning.plan.steps { try count(step, into: &lost) }
      try connection.run(
        "INSERT INTO \(rejects.schema).\(Rejects.table) (root, key, reason, code) "
          + "SELECT root, key, reason, ?1 FROM \(RejectedParents.late)",
        .text(RejectCode.link.rawValue)
      )
    }
    for link in values { try empty(link) }
    return lost
  }

  private func settling<Value>(_ body: () throws(SQLiteError) -> Value) throws(DecantError) -> Value {
    try explaining("cannot process the rejects", body)
  }

  /// Returns whether an object is rejected together with the target of its link.
  private func isFollowed(_ link: LinkColumn) throws(SQLiteError) -> Bool {
    switch rules.rule(of: link) {
    case .reject: return true
    case .error: return false
    case .null, .stub: break
    }
    if link.isKey { return true }
    guard onError == .reject, link.step.batching != .once else { return false }
    if rules.required.contains(link.property.description) { return true }
    return try connection.integer(
      "SELECT \"notnull\" FROM pragma_table_info(?1, 'main') WHERE name = ?2",
      .text(link.relation.table),
      .text(link.column.name)
    ) == 1
  }

  /// Returns whether a row without its link by values is rejected; otherwise the link is emptied.
  private func isFollowed(_ link: ValueLink) -> Bool {
    guard rules.general != .error, link.step.batching != .once else { return false }
    return link.isKey || link.emptied.isEmpty && onError == .reject
  }

  /// Returns whether a merge recognizes objects by a link, so that one without it would be added again.
  private func identifies(_ link: Property) -> Bool { onError == .reject && planning.identifyingLinks.contains(link) }

  /// Records the target of `link` for each object, or each new one, that is not rejected yet.
  private func note(_ link: RejectingLink, _ number: Int, _ values: [ValueLink], onlyNew: Bool) throws(SQLiteError) {
    var conditions = [isAccepted(link.step, link.root)]
    if onlyNew, link.step.hasNumbers { conditions.append("is_new(\(link.root.sqlText), r._id)") }
    if let value = values.first(where: { $0.written.relationship == link.property }) {
      let isRejected = value.targets.exists(for: "r", [rejects.include(value.targets.target, as: "p")])
      conditions.append("NOT (\(isRejected) AND \(value.leads))")
    }
    try reach.add(link.select(number, where: conditions).sql.replacing(CopyStep.written, with: "main"))
  }

  /// Returns the condition that the row `r` of a step is not rejected yet.
  private func isAccepted(_ step: CopyStep, _ root: String) -> String {
    "\(step.rejectKey) NOT IN (SELECT key FROM \(rejects.schema).\(Rejects.table) WHERE root = \(root.sqlText))"
  }

  /// Lists the newly rejected objects, each with its first link to a rejected object.
  private func list(_ links: [RejectingLink]) throws(SQLiteError) {
    let columns = "root TEXT, key, own, reason TEXT, PRIMARY KEY (root, key)"
    try connection.run("CREATE TABLE IF NOT EXISTS \(RejectedParents.late) (\(columns))")
    try connection.run("DELETE FROM \(RejectedParents.late)")
    guard !links.isEmpty else { return }
    let reasons = links.enumerated().map { number, link in
      "WHEN \(number) THEN \("its link \(link.property) leads to an object that was rejected".sqlText)"
    }
    try connection.run(
      """
      INSERT OR IGNORE INTO \(RejectedParents.late)
      SELECT l.root, l.note, l.key, CASE l.link \(reasons.joined(separator: " ")) END
      \(reach.followed) ORDER BY l.link
      """
    )
  }

  /// Removes the newly rejected objects.
  ///
  /// - Throws: `DecantError` if existing objects have such links, since only objects made by the copy can be removed.
  private func remove(_ links: [RejectingLink], _ columns: [LinkColumn]) throws(DecantError) {
    let roots = Dictionary(grouping: links, by: \.root).sorted { $0.key < $1.key }
    for (root, links) in roots {
      guard let link = links.first, let relation = layout.relation(of: root) else { continue }
      let (rejected, removed) = try settling { () throws(SQLiteError) -> (Int64, Int64) in
        let list = "FROM \(RejectedParents.late) WHERE root = \(root.sqlText)"
        let rejected = try connection.integer("SELECT count(*) \(list)") ?? 0
        guard rejected > 0 else { return (0, 0) }
        let rows =
          link.step.hasNumbers
          ? "SELECT own \(list)"
          : images(of: link.step, relation, where: ["\(link.step.rejectKey) IN (SELECT key \(list))"])
        try connection.run("DELETE FROM \(relation.sqlTable(in: "main")) WHERE \(key(of: relation)) IN (\(rows))")
        return (rejected, connection.changeCount)
      }
      guard rejected == removed else {
        throw error(link.property.description, rejected - removed, "these links existed before the copy")
      }
    }
    for link in columns {
      let count = try settling { () throws(SQLiteError) in try holders(of: link) }
      if count > 0 {
        throw error(link.property.description, count, "these links existed before the copy")
      }
    }
  }

  /// Returns the key of the rows of `relation` in the destination, as one SQL value.
  private func key(of relation: Relation) -> String {
    guard case .values(let names) = relation.key else { return relation.keyName }
    return "(\(names.map(\.sqlName).joined(separator: ", ")))"
  }

  /// Returns a SELECT of the keys in the destination of the rows `r` of a step.
  private func images(of step: CopyStep, _ relation: Relation, where conditions: [String]) -> String {
    var values = ["id(\(relation.root.sqlText), r._id)"]
    if case .values(let names) = relation.key {
      values = names.map { name in
        step.assignments.first { $0.column == name }?.expression.uncounted.description ?? "NULL"
      }
    }
    return SelectStatement(columns: values, source: "\(step.source) AS r", conditions: conditions + step.choice).sql
      .replacing(CopyStep.written, with: "main")
  }

  /// Returns the rows of the destination whose `link` leads to a removed object, as the end of a DELETE or SELECT.
  private func held(_ link: LinkColumn) -> String {
    "FROM main.\(link.relation.table.sqlName) WHERE \(link.relation.value(of: link.column)) "
      + "IN \(reach.keys(of: link.column.targetRoot ?? link.root))"
  }

  private func holders(of link: LinkColumn) throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) \(held(link))") ?? 0
  }

  /// Throws if a link table has links to removed objects, and must not.
  private func checkTables() throws(DecantError) {
    for link in layout.links where link.isTable {
      let back = link.isReflexive ? link.relationship : link.inverse
      let directions = [link] + (back.map { [link.reversed(as: $0)] } ?? [])
      for link in directions where rules.rule(ofTable: link.relationship) == .error {
        let count = try settling { () throws(SQLiteError) in
          try connection.integer(
            "SELECT count(*) FROM \(link.sqlTable(in: "main")) WHERE \(link.targetKey) "
              + "IN \(reach.keys(of: link.target))"
          ) ?? 0
        }
        if count > 0 { throw error(link.relationship.description, count, "missing: error") }
      }
    }
  }

  /// Empties a link by values in the rows that it leads from to a rejected row.
  ///
  /// - Throws: `DecantError` if a row needs the link, or existed before.
  private func empty(_ link: ValueLink) throws(DecantError) {
    let (name, table) = (link.written.relationship.description, link.holder.sqlTable(in: "main"))
    let lost = images(
      of: link.step, link.holder, where: [isAccepted(link.step, link.written.root), link.isLost(rejects)])
    let isNeeded = link.emptied.isEmpty || link.step.batching == .once
    let count = try settling { () throws(SQLiteError) -> Int64 in
      guard try rejects.roots().contains(link.targets.target.root) else { return 0 }
      guard isNeeded || rules.general == .error else {
        let columns = link.emptied.map { "\($0.sqlName) = NULL" }.joined(separator: ", ")
        try connection.run("UPDATE \(table) SET \(columns) WHERE \(key(of: link.holder)) IN (\(lost))")
        return 0
      }
      return try connection.integer("SELECT count(*) FROM (\(lost))") ?? 0
    }
    if count > 0 { throw error(name, count, isNeeded ? "the link is required" : "missing: error") }
    guard planning.isMerge else { return }
    // An existing object keeps its link.
    let values = link.written.columns.map { "h.\($0.sqlName)" }
    var kept = link.link
    kept.columns = link.written.columns
    let conditions = [
      "NOT \(link.written.leads(values, to: link.target.sqlTable(in: "main")))",
      rejects.include(link.targets.target, as: "p"),
    ]
    let rows = """
      FROM \(table) AS h JOIN \(link.targets.target.sqlTable(in: CopySession.source)) AS p
      ON \((kept.conditions(holder: "h", target: "p") + conditions).joined(separator: " AND "))
      """
    let keptCount = try settling { () throws(SQLiteError) in try connection.integer("SELECT count(*) \(rows)") ?? 0 }
    if keptCount > 0 { throw error(name, keptCount, "these links existed before the copy") }
  }

  /// Subtracts the links of newly rejected objects of `step` from the counts.
  private func count(_ step: CopyStep, into lost: inout [String: LinkCounts]) throws(SQLiteError) {
    let links = planning.plan.linkColumns(of: layout).filter { $0.step == step }
    guard let root = step.objectRoot, let first = links.first else { return }
    _ = planning.ids.takeLinkCounts()
    let chosen =
      "\(step.rejectKey) IN (SELECT key FROM \(RejectedParents.late) WHERE root = \(root.sqlText))"
    _ = try connection.integer(
      first.select(links.map { "count(\($0.assignment.expression))" }, where: [chosen]).sql
        .replacing(CopyStep.written, with: "main")
    )
    for (name, counts) in planning.ids.takeLinkCounts() {
      lost[name, default: LinkCounts()] += LinkCounts(
        copied: -counts.copied,
        cut: -counts.cut,
        dangling: -counts.dangling
      )
    }
  }

  private func error(_ name: String, _ count: Int64, _ why: String) -> DecantError {
    DecantError(
      .linkBroken,
      "\(count.counted("link")) of \(name) \(count == 1 ? "points" : "point") to objects that the destination "
        + "rejected; \(why)",
      remedy: "fix the rejected objects, or exclude the objects that point to them with \(say: .where)"
    )
  }
}
