internal import SQLite

/// Objects that were written before it was known that what they lead to is rejected.
///
/// Where their relationship says `missing: reject` they are taken out again and rejected as well, and so are those
/// that lead to them.
struct RejectedParents {
  let connection: Connection
  let planning: Planning
  /// The destination's.
  let layout: Layout
  let rejects: Rejects

  private var rules: MissingRules { planning.plan.missing }

  /// The keys in the destination of all rejected objects of one root.
  private static let gone = "temp.decant_gone"
  /// The objects that are rejected now.
  private static let late = "temp.decant_late"

  /// Whether anything was rejected, and rules say more of it than that links become null.
  var matter: Bool {
    get throws(DecantError) {
      guard !rules.areDefault else { return false }
      return try explaining("cannot count the rejects") { () throws(SQLiteError) in
        try rejects.count() > 0
      }
    }
  }

  /// Rejects until nothing leads to a rejected object that must not.
  ///
  /// - Returns: What is to be added to the counts of links: those that the objects held, as negative numbers.
  /// - Throws: `DecantError` where a link says `missing: error`, or where an object that was there holds it.
  func follow() throws(DecantError) -> [String: LinkCounts] {
    let links = planning.plan.linkColumns(of: layout).filter {
      rules.rule(of: $0) != .null
    }
    try settling { () throws(SQLiteError) in
      for (table, columns) in [
        (RejectedParents.gone, "key INTEGER PRIMARY KEY"),
        (RejectedParents.late, "root TEXT, key, reason TEXT, PRIMARY KEY (root, key)"),
      ] {
        try connection.run("CREATE TABLE IF NOT EXISTS \(table) (\(columns))")
        try connection.run("DELETE FROM \(table)")
      }
    }
    var isNew = true
    while isNew {
      isNew = false
      for root in try roots() {
        guard let map = planning.ids.map(of: root) else { continue }
        try settling { () throws(SQLiteError) in try collect(root, map) }
        try checkTables(root)
        for link in links where (link.column.targetRoot ?? link.root) == root {
          if try reject(link) { isNew = true }
        }
      }
    }
    // Counted as they were when they were written: all targets are still there.
    var lost: [String: LinkCounts] = [:]
    try settling { () throws(SQLiteError) in
      for step in planning.plan.steps { try count(step, into: &lost) }
      try connection.run(
        "INSERT INTO \(rejects.schema).\(Rejects.table) (root, key, reason, code) "
          + "SELECT root, key, reason, ?1 FROM \(RejectedParents.late)",
        .text(RejectCode.link.rawValue)
      )
    }
    return lost
  }

  private func settling<Value>(_ body: () throws(SQLiteError) -> Value) throws(DecantError) -> Value
  {
    try explaining("cannot settle the rejects", body)
  }

  /// The roots that lost objects, until now.
  private func roots() throws(DecantError) -> [String] {
    try settling { () throws(SQLiteError) in
      var roots = Set(try rejects.roots())
      try connection.forEachRow("SELECT DISTINCT root FROM \(RejectedParents.late)") { row in
        roots.insert(row.text(at: 0) ?? "")
      }
      return roots.sorted()
    }
  }

  /// Collects the keys that rejected objects of `root` were to have.
  private func collect(_ root: String, _ map: IDMap) throws(SQLiteError) {
    try connection.run("DELETE FROM \(RejectedParents.gone)")
    let insertion = try connection.prepare(
      "INSERT OR IGNORE INTO \(RejectedParents.gone) VALUES (?1)"
    )
    for table in ["\(rejects.schema).\(Rejects.table)", RejectedParents.late] {
      try connection.forEachRow("SELECT key FROM \(table) WHERE root = ?1", .text(root)) {
        row throws(SQLiteError) in
        guard let gone = try map.destination(of: row.integer(at: 0)) else { return }
        try insertion.run(.integer(gone))
      }
    }
  }

  /// Rejects the objects that hold `link` to what is gone; returns whether there were any.
  private func reject(_ link: LinkColumn) throws(DecantError) -> Bool {
    let name = link.property.description
    let value = link.relation.value(of: link.column)
    let holders =
      "main.\(link.relation.table.sqlName) WHERE \(value) IN (SELECT key FROM \(RejectedParents.gone))"
    let key = link.step.rejectKey
    let holding = link.select(
      [
        "\(link.root.sqlText)", key,
        "\("its link \(name) leads to an object that was rejected".sqlText)",
      ],
      where: [
        "\(CopyStep.uncounted(link.assignment.expression)) IN (SELECT key FROM \(RejectedParents.gone))",
        "\(key) NOT IN (SELECT key FROM \(rejects.schema).\(Rejects.table) WHERE root = \(link.root.sqlText))",
      ]
    ).sql.replacing(CopyStep.written, with: "main")
    guard rules.rule(of: link) == .reject else {
      let count = try settling { () throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM \(holders)") ?? 0
      }
      if count > 0 { throw error(name, count, "missing: \(rules.rule(of: link).rawValue)") }
      return false
    }
    let (rejected, removed) = try settling { () throws(SQLiteError) in
      try connection.run("INSERT OR IGNORE INTO \(RejectedParents.late) \(holding)")
      let rejected = connection.changeCount
      try connection.run("DELETE FROM \(holders)")
      return (rejected, connection.changeCount)
    }
    // What the copy did not make cannot be taken out again.
    guard rejected == removed else {
      throw error(name, removed - rejected, "they were there before")
    }
    return rejected > 0
  }

  /// Throws where a table of links leads to what is gone, and must not.
  private func checkTables(_ root: String) throws(DecantError) {
    for links in layout.linkRelations {
      let ends = [
        (links.relationship, links.targetColumn, links.targetRoot),
        (
          links.isReflexive ? links.relationship : links.inverse, links.ownerColumn, links.ownerRoot
        ),
      ]
      for case (let relationship?, let column, let target) in ends
      where target == root && rules.rule(ofTable: relationship) == .error {
        let count = try settling { () throws(SQLiteError) in
          try connection.integer(
            "SELECT count(*) FROM main.\(links.table.sqlName) "
              + "WHERE \(column.sqlName) IN (SELECT key FROM \(RejectedParents.gone))"
          ) ?? 0
        }
        if count > 0 { throw error(relationship.description, count, "missing: error") }
      }
    }
  }

  /// Takes the links off the counts that objects of `step` held which are rejected now.
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
      .failed,
      "\(count.counted("link")) of \(name) \(count == 1 ? "leads" : "lead") to objects that the destination "
        + "refused; \(why)",
      remedy: "mend what was refused, or leave out with --where what leads to it"
    )
  }
}

extension CopyStep {
  /// What names an object of the step among the rejected ones, over `r`.
  fileprivate var rejectKey: String {
    guard case .values(let count) = batching else { return "r._id" }
    return Rejects.keyText((0..<count).map { "r._k\($0)" })
  }
}
