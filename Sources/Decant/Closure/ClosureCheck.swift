internal import SQLite

/// Reads once more what a search has found, link by link: nothing may be in it that no followed link leads to.
///
/// The search notes for every object by which link it came. Each of these links is looked up again, and must lead
/// from an object that lies nearer, along a path that is followed; so from each object a chain of such links leads
/// back to one that was asked for.
struct ClosureCheck {
  private let plan: ClosurePlan
  private let tables: ClosureTables
  private let links: ClosureLinks
  private let connection: Connection

  init(
    _ plan: ClosurePlan,
    _ tables: ClosureTables,
    _ links: ClosureLinks,
    on connection: Connection
  ) {
    self.plan = plan
    self.tables = tables
    self.links = links
    self.connection = connection
  }

  /// Throws for the first object that has no business in the closure.
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
      var paths: [Int64] = []
      try connection.forEachRow("SELECT DISTINCT via FROM \(rows.members) WHERE via IS NOT NULL") {
        paths.append($0.integer(at: 0))
      }
      for path in paths { try check(Int(path), rows) }
    }
  }

  private func check(_ path: Int, _ rows: ObjectRows) throws(SQLiteError) {
    guard plan.paths.indices.contains(path), plan.paths[path].rule == .follow,
      plan.paths[path].to == rows.relation.root, let start = tables.rows(of: plan.paths[path].from)
    else { throw intruder(nil, rows) }
    var nearer =
      "SELECT 1 FROM \(start.members) AS m "
      + "WHERE m.key = w.parent AND m.distance < w.distance"
    if let most = plan.paths[path].depth,
      let bound = plan.bounded.firstIndex(of: plan.paths[path].name)
    {
      nearer += " AND m.\(ClosureTables.depth(bound)) < \(most)"
    }
    if plan.paths[path].condition != nil {
      try expectNone(
        """
        SELECT key FROM \(rows.members) WHERE via = \(path)
        AND key NOT IN (SELECT key FROM \(ClosureTables.met(path))) LIMIT 1
        """,
        rows
      )
    }
    let leads = try links.rows(of: path).map { links in
      let same = ["\(links.from) = w.parent", "\(links.to) = w.key"] + links.conditions
      let select = SelectStatement(columns: ["1"], source: links.tables, conditions: same).sql
      return "NOT EXISTS (\(select))"
    }
    try expectNone(
      """
      SELECT w.key FROM \(rows.members) AS w WHERE w.via = \(path)
      AND (NOT EXISTS (\(nearer)) OR (\(leads.isEmpty ? "1" : leads.joined(separator: " AND "))))
      LIMIT 1
      """,
      rows
    )
  }

  private func expectNone(_ sql: String, _ rows: ObjectRows) throws(SQLiteError) {
    if let key = try connection.integer(sql) { throw intruder(key, rows) }
  }

  private func intruder(_ key: Int64?, _ rows: ObjectRows) -> SQLiteError {
    SQLiteError(
      code: SQLiteError.internalCode,
      message:
        "\(rows.relation.root) \(key.map { "p\($0)" } ?? "") was taken although no rule leads "
        + "to it; this is a fault of decant: please report it"
    )
  }
}
