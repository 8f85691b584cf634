internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects that were written before the target of one of their links was rejected.
///
/// If their relationship has `missing: reject`, they are removed and rejected as well, and so are objects that link to
/// them. The same applies to objects whose link column is required, if objects that the destination refuses are left
/// out.
struct RejectedParents {
  let connection: Connection
  let planning: Planning
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

  /// Rejects objects until no link leads to a rejected object that must not.
  ///
  /// Each link is visited once, regardless of the length of the chains it belongs to.
  ///
  /// - Returns: The changes to the counts of links: those of the rejected objects, as negative numbers.
  /// - Throws: `DecantError` if a link has `missing: error`, or belongs to an object that existed before.
  func follow() throws(DecantError) -> [String: LinkCounts] {
    let links = planning.plan.linkColumns(of: layout)
    var followed: [LinkColumn] = []
    for link in links where try settling({ () throws(SQLiteError) in try isFollowed(link) }) {
      followed.append(link)
    }
    try settling { () throws(SQLiteError) in
      try rejects.begin(reach, planning.ids)
      for (number, link) in followed.enumerated() { try note(link, number) }
      try reach.spread()
      try list(followed)
    }
    try remove(followed)
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
    try checkValues()
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
    return lost
  }

  private func settling<Value>(_ body: () throws(SQLiteError) -> Value) throws(DecantError) -> Value {
    try explaining("cannot process the rejects", body)
  }

  /// Whether an object is rejected together with the target of its link.
  private func isFollowed(_ link: LinkColumn) throws(SQLiteError) -> Bool {
    switch rules.rule(of: link) {
    case .reject: return true
    case .error: return false
    case .null, .stub: break
    }
    guard onError == .reject, link.step.batching != .once else { return false }
    if rules.required.contains(link.property.description) { return true }
    return try connection.integer(
      "SELECT \"notnull\" FROM pragma_table_info(?1, 'main') WHERE name = ?2",
      .text(link.relation.table),
      .text(link.column.name)
    ) == 1
  }

  /// Records the target of `link` for each object that is not rejected yet.
  private func note(_ link: LinkColumn, _ number: Int) throws(SQLiteError) {
    let end = link.assignment.expression.uncounted.description
    let (root, key) = (link.root.sqlText, link.step.rejectKey)
    let own = link.step.hasNumbers ? "id(\(root), r._id)" : "NULL"
    let target = (link.column.targetRoot ?? link.root).sqlText
    let select = link.select(
      [target, end, root, own, "\(number)", key],
      where: [
        "\(end) IS NOT NULL",
        "\(key) NOT IN (SELECT key FROM \(rejects.schema).\(Rejects.table) WHERE root = \(root))",
      ]
    )
    try reach.add(select.sql.replacing(CopyStep.written, with: "main"))
  }

  /// Lists the newly rejected objects, each with its first link to a rejected object.
  private func list(_ links: [LinkColumn]) throws(SQLiteError) {
    let columns = "root TEXT, key, own INTEGER, reason TEXT, PRIMARY KEY (root, key)"
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
  private func remove(_ links: [LinkColumn]) throws(DecantError) {
    let roots = Dictionary(grouping: links, by: \.root).sorted { $0.key < $1.key }
    for (root, links) in roots {
      guard let link = links.first else { continue }
      let (rejected, removed) = try settling { () throws(SQLiteError) in
        let list = "FROM \(RejectedParents.late) WHERE root = \(root.sqlText)"
        let rejected = try connection.integer("SELECT count(*) \(list)") ?? 0
        guard link.step.hasNumbers else {
          var removed: Int64 = 0
          for link in links {
            try connection.run("DELETE \(held(link))")
            removed += connection.changeCount
          }
          return (rejected, removed)
        }
        try connection.run(
          "DELETE FROM main.\(link.relation.table.sqlName) WHERE \(link.relation.keyName) IN (SELECT own \(list))"
        )
        return (rejected, connection.changeCount)
      }
      guard rejected == removed else {
        throw error(link.property.description, removed - rejected, "these links existed before the copy")
      }
      for link in links {
        let count = try settling { () throws(SQLiteError) in try holders(of: link) }
        if count > 0 {
          throw error(link.property.description, count, "these links existed before the copy")
        }
      }
    }
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

  /// Throws if a row refers by a value to a rejected row, since the reference would dangle.
  private func checkValues() throws(DecantError) {
    for link in layout.nonIntegerKeys {
      guard let holder = layout.relation(of: link.root), let target = layout.relation(of: link.targetRoot) else {
        continue
      }
      let matches = link.conditions(holder: "h", target: "p").joined(separator: " AND ")
      func exists(in schema: String, _ condition: String = "1") -> String {
        "EXISTS (SELECT 1 FROM \(target.sqlTable(in: schema)) AS p WHERE \(matches) AND \(condition))"
      }
      let isSet = link.columns.map { "h.\($0.sqlName) IS NOT NULL" }.joined(separator: " AND ")
      let count = try settling { () throws(SQLiteError) -> Int64 in
        let isRejected = try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM \(rejects.schema).\(Rejects.table) WHERE root = ?1)", .text(link.targetRoot))
        guard isRejected == 1 else { return 0 }
        let key =
          switch target.key {
          case .integer: "p.\(target.keyName)"
          case .values(let names): RejectedObjects.keyText(names.map { "p.\($0.sqlName)" })
          case .none: "NULL"
          }
        let isReject =
          "\(key) IN (SELECT key FROM \(rejects.schema).\(Rejects.table) WHERE root = \(link.targetRoot.sqlText))"
        return try connection.integer(
          """
          SELECT count(*) FROM \(holder.sqlTable(in: "main")) AS h
          WHERE \(isSet) AND NOT \(exists(in: "main")) AND \(exists(in: CopySession.source, isReject))
          """
        ) ?? 0
      }
      if count > 0 {
        throw error(link.relationship.description, count, "they hold values, which cannot be cut")
      }
    }
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

extension CopyStep {
  /// Whether objects of the step have integer keys.
  fileprivate var hasNumbers: Bool { if case .objects = kind { true } else { false } }

  /// The expression over `r` that identifies an object of the step among the rejected ones.
  fileprivate var rejectKey: String {
    guard case .values(let count) = batching else { return "r._id" }
    return RejectedObjects.keyText((0..<count).map { "r._k\($0)" })
  }
}
