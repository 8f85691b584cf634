internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The new rows of a plain database that violate a unique constraint of the destination, for a dry run.
///
/// A row with another key is not matched with the existing row of the same unique values. Rows that are updated or
/// removed may release such values, and do not count.
struct UniqueCollisions {
  let connection: Connection
  let planning: Planning
  /// What happens to refused rows.
  let onError: CopyOptions.OnError

  /// Returns notes on them; `model` and `layout` are the destination's.
  func notes(_ model: Model, _ layout: Layout) throws(DecantError) -> [ReportNote] {
    guard model.isFromTables else { return [] }
    var notes: [ReportNote] = []
    for step in planning.plan.steps {
      guard let root = step.objectRoot, let entity = model[root] else { continue }
      let relation = layout.relation(of: root)
      let losing = try explaining("cannot look for equal values of \(root)") { () throws(SQLiteError) in
        try self.losing(root)
      }
      // It is dropped when it is released.
      defer { withExtendedLifetime(losing) {} }
      let isThere =
        losing.flatMap { table in
          relation?.keyColumn.map { "d.\($0.sqlName) NOT IN (SELECT key FROM \(table))" }
        } ?? "1"
      let constraints =
        entity.uniquenessConstraints.map { Relation.PartialKey($0, where: "1") } + (relation?.partialKeys ?? [])
      for key in constraints {
        let words = SQLTokens(key.condition).tokens.compactMap(\.name)
        let used = (relation?.columns.map(\.name) ?? []).filter { name in words.contains { $0.isSameName(as: name) } }
        let values = Dictionary(
          grouping: step.assignments.filter { key.columns.contains($0.column) || used.contains($0.column) }
        ) {
          $0.column
        }
        // Keys are newly assigned or match the rows, and link targets are known only later, as are the values of
        // computed columns and of columns that the source lacks.
        guard !key.columns.isEmpty, (key.columns + used).allSatisfy({ values[$0] != nil }),
          !key.columns.contains(step.keyColumn),
          key.columns.allSatisfy({ values[$0]?.allSatisfy { $0.expression.links.isEmpty } == true })
        else { continue }
        let count = try explaining("cannot look for equal values of \(root)") { () throws(SQLiteError) in
          try self.count(step, key, values, isThere)
        }
        guard count > 0 else { continue }
        let isNumbered = if case .objects = step.kind { true } else { false }
        let identity = isNumbered ? planning.plan.mergeRules?.identities[root] : nil
        notes.append(note(root, key.columns, count, by: identity))
      }
    }
    return notes
  }

  /// Returns the keys of the destination's rows that are updated or removed; `nil` if there are none.
  private func losing(_ root: String) throws(SQLiteError) -> TemporaryTable? {
    guard let matched = planning.ids.map(of: root)?.matchedObjects else { return nil }
    let table = try TemporaryTable("(key INTEGER PRIMARY KEY)", on: connection)
    let insertion = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1)")
    try matched.updated?.forEach { key throws(SQLiteError) in
      guard let image = try matched.destination(of: key) else { return }
      try insertion.run(.integer(image))
    }
    try planning.ids.baseChanges?.dropped[root]?.forEach { key throws(SQLiteError) in try insertion.run(.integer(key)) }
    return try connection.integer("SELECT 1 FROM \(table) LIMIT 1") == nil ? nil : table
  }

  private func note(_ root: String, _ names: [String], _ count: Int64, by identity: [String]?) -> ReportNote {
    let columns = names.joined(separator: ", ")
    var remedies: [DecantError.Text] = []
    if let identity, !identity.isEmpty, identity != names {
      remedies.append(
        "without \(option: .identity, "\(root): \(identity.joined(separator: ", "))") such rows are matched")
    }
    if onError != .reject { remedies.append("\(say: .onError, "reject") leaves them out") }
    return ReportNote(
      .valuesTaken,
      """
      \(count.counted("new row")) of \(root) will be \(onError == .reject ? "rejected" : "refused"): the destination has \
      other rows with the same \(columns)
      """,
      remedy: remedies.isEmpty ? nil : remedies.joined(separator: "; ")
    )
  }

  /// Returns how many rows that `step` would add have the values of a row of the destination by `key`.
  ///
  /// A column with several roles has the value of the role that the row has.
  private func count(
    _ step: CopyStep,
    _ key: Relation.PartialKey,
    _ values: [String: [CopyStep.Assignment]],
    _ isThere: String
  ) throws(SQLiteError) -> Int64 {
    let columns = values.map { column, assignments in
      let roles = assignments.map { "\($0.expression.uncounted)" } + ["NULL"]
      return "coalesce(\(roles.joined(separator: ", "))) AS \(column.sqlName)"
    }
    let isAdded = (step.choice + ["1"]).joined(separator: " AND ")
    let isSame = key.columns.map { "d.\($0.sqlName) = x.\($0.sqlName)" }
    return try connection.integer(
      """
      SELECT count(*) FROM (SELECT * FROM
        (SELECT \(columns.joined(separator: ", ")) FROM \(step.source) AS r WHERE \(isAdded)) WHERE \(key.condition)) AS x
      WHERE EXISTS (SELECT 1 FROM \(CopyStep.written).\(step.table.sqlName) AS d
        WHERE (\(key.condition)) AND \(isSame.joined(separator: " AND ")) AND \(isThere))
      """.replacing(CopyStep.written, with: CopySession.destination.sqlName)
    ) ?? 0
  }
}
