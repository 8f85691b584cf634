internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The check of a search's result, link by link: every object must be reached by a followed link.
///
/// The search records the link by which it reached each object. Each of these links is looked up again, and must lead
/// from an object at a smaller distance along a followed path. A chain of such links therefore leads from each object
/// back to a root.
struct ClosureCheck {
  let plan: ClosurePlan
  let tables: ClosureTables
  let links: ClosureLinks
  let connection: Connection

  /// Throws for the first object that does not belong in the closure.
  func run() throws(SQLiteError) {
    for rows in tables.objects {
      let isOdd = "(distance = 0) <> (via IS NULL) OR (via IS NULL) <> (parent IS NULL)"
      try expectNone("SELECT key FROM \(rows.members) WHERE \(isOdd) LIMIT 1", rows)
      for (bound, name) in plan.bounded.enumerated() {
        let depth = ClosureTables.depth(bound)
        let most = plan.paths.filter { $0.name == name }.compactMap(\.depth).max() ?? 0
        try expectNone(
          """
          SELECT key FROM \(rows.members)
          WHERE \(depth) NOT BETWEEN 0 AND \(most) OR (distance = 0 AND \(depth) > 0) LIMIT 1
          """,
          rows
        )
      }
      if tables.marksOwners {
        let isOwner = ClosureTables.isOwner
        try expectNone("SELECT key FROM \(rows.members) WHERE distance = 0 AND \(isOwner) <> 0 LIMIT 1", rows)
      }
      var paths: [Int64] = []
      try connection.forEachRow("SELECT DISTINCT via FROM \(rows.members) WHERE via IS NOT NULL") {
        paths.append($0.integer(at: 0))
      }
      for path in paths { try check(Int(path), rows) }
    }
  }

  private func check(_ number: Int, _ rows: ObjectRows) throws(SQLiteError) {
    guard plan.paths.indices.contains(number), plan.paths[number].rule == .follow,
      plan.paths[number].to == rows.relation.root,
      let start = tables.rows(of: plan.paths[number].from)
    else { throw intruder(nil, rows) }
    let path = plan.paths[number]
    var isNearer = ["m.key = w.parent", "m.distance < w.distance"]
    if let most = path.depth, let bound = plan.bounded.firstIndex(of: path.name) {
      isNearer.append("m.\(ClosureTables.depth(bound)) < \(most)")
    }
    if tables.marksOwners, path.isToParts { isNearer.append("m.\(ClosureTables.isOwner) = 0") }
    let isLinked = try links.rows(of: number).map { links in
      let same = ["\(links.from) = w.parent", "\(links.to) = w.key"] + links.conditions
      return exists(links.tables, same)
    }
    var isLed = [
      exists("\(start.members) AS m", isNearer),
      isLinked.isEmpty ? "0" : "(\(isLinked.joined(separator: " OR ")))",
    ]
    if path.condition != nil {
      isLed.append("w.key IN (SELECT key FROM \(ClosureTables.met(number)))")
    }
    try expectNone(
      """
      SELECT w.key FROM \(rows.members) AS w
      WHERE w.via = \(number) AND NOT (\(isLed.joined(separator: " AND "))) LIMIT 1
      """,
      rows
    )
  }

  private func exists(_ source: String, _ conditions: [String]) -> String {
    let select = SelectStatement(columns: ["1"], source: source, conditions: conditions)
    return "EXISTS (\(select.sql))"
  }

  private func expectNone(_ sql: String, _ rows: ObjectRows) throws(SQLiteError) {
    if let key = try connection.integer(sql) { throw intruder(key, rows) }
  }

  private func intruder(_ key: Int64?, _ rows: ObjectRows) -> SQLiteError {
    SQLiteError(
      code: SQLiteError.internalCode,
      message:
        "\(rows.relation.root) \(key.map { "p\($0)" } ?? "") was copied although no rule leads "
        + "to it; this is a bug in decant: please report it"
    )
  }
}
