package import DecantBase
internal import DecantMatch
internal import DecantPlan
package import DecantProof
package import DecantStore
package import DecantSQLite

/// Proves what a merge did besides adding objects: updated objects have the right values, and every link exists.
package struct MergeProof {
  package let connection: Connection
  package let planning: Planning
  package let proof: CopyProof
  package let source: Layout

  package init(connection: Connection, planning: Planning, proof: CopyProof, source: Layout) {
    (self.connection, self.planning, self.proof) = (connection, planning, proof)
    self.source = source
  }

  /// Throws if anything is wrong.
  package func check() throws(DecantError) {
    for step in planning.plan.steps where step.isMerging {
      let what = "cannot read \(step.name) again"
      switch step.kind {
      case .objects(let root):
        let key = try explaining(what) { () throws(SQLiteError) in try wrongUpdate(step, root) }
        guard let key else { continue }
        throw failure("\(root) p\(key) was updated but does not have the source's values")
      case .links:
        let count = try explaining(what) { () throws(SQLiteError) in try missingLinks(step) }
        guard count > 0 else { continue }
        throw failure("\(count.counted("link")) \(step.name) \(count == 1 ? "is" : "are") missing")
      case .unkeyed(let root, _):
        let count = try explaining(what) { () throws(SQLiteError) in try missingRows(step, root) }
        guard count > 0 else { continue }
        throw failure("\(count.counted("row")) of \(root) \(count == 1 ? "is" : "are") missing or different")
      case .rows: continue
      }
    }
  }

  private func failure(_ what: String) -> DecantError {
    DecantError(
      .proofFailed,
      "the merge result is wrong: \(what)",
      remedy:
        "nothing was written; if a trigger of the destination changed it, use \(say: .noTriggers); otherwise this is a bug in decant "
        + "or a disk failure: please report it"
    )
  }

  /// Returns the key in the source of an object that was updated incorrectly.
  ///
  /// A dangling link is ignored, since it does not overwrite anything.
  private func wrongUpdate(_ step: CopyStep, _ root: String) throws(SQLiteError) -> Int64? {
    guard let matchedObjects = planning.ids.map(of: root)?.matchedObjects, let updated = matchedObjects.updated,
      updated.count > (matchedObjects.filled?.count ?? 0), let here = source.relation(of: root),
      let there = proof.layout.relation(of: root)
    else { return nil }
    var compared = step
    compared.isMerging = false
    let conditions = [
      "merge_outcome(\(root.sqlText), l.k) = \(MergeOutcome.updated.rawValue)"
    ]
    var unresolved: [Int: String] = [:]
    compared.assignments.removeAll { assignment in
      guard step.kept[assignment.column] == nil else { return true }
      let column = there.column(of: assignment)
      return switch column?.columnRole {
      case .position, .ownerPosition, .targetEntity, .revision: true
      case .attribute(let property):
        planning.derived.contains(property.description)
      default: false
      }
    }
    let name = root.sqlText
    if planning.ids.mergesByProperty(root), planning.ids.baseChanges?.decided != nil {
      for index in compared.assignments.indices {
        guard let columnRole = there.column(of: compared.assignments[index])?.columnRole, !columnRole.isKey,
          let expected = compared.assignments[index].proof?.expected
        else { continue }
        compared.assignments[index].proof?.expected =
          MergeUpdate.decided(columnRole, root: name, key: here.keyName, else: expected)
      }
    }
    let roles = Dictionary(grouping: compared.assignments.compactMap { there.column(of: $0) }, by: \.name)
    compared.proveWholeColumns(there)
    if planning.ids.mergesByProperty(root) {
      // Values that an object keeps are not compared, except keys; of a column with several roles only if it keeps all.
      for index in compared.assignments.indices {
        guard let proof = compared.assignments[index].proof, let column = there.column(of: compared.assignments[index]),
          !column.columnRole.isKey
        else { continue }
        let labels = (roles[column.name] ?? [column]).map(\.columnRole.label.sqlText)
        func kept(_ function: String, _ key: String) -> String {
          labels.map { "\(function)(\(name), \(key), \($0))" }.joined(separator: " AND ")
        }
        compared.assignments[index].proof?.expected =
          "CASE WHEN NOT (\(kept("keeps", here.keyName))) THEN \(proof.expected) END"
        compared.assignments[index].proof?.actual =
          "CASE WHEN NOT (\(kept("keeps_there", there.keyName))) THEN \(proof.actual) END"
      }
    }
    for (index, assignment) in compared.assignments.enumerated() {
      guard let column = there.column(of: assignment),
        let from = here.column(column.columnRole), let target = from.targetRoot, !column.columnRole.isKey
      else { continue }
      let link = here.value(of: from)
      unresolved[index] =
        "\(link) IS NOT NULL AND id(\(target.sqlText), \(link)) IS NULL"
    }
    let finder = DifferenceFinder(proof: proof, connection: connection, schema: "main", scope: .above([:]))
    try proof.prepare(connection)
    let whole = SingleRowHash()
    try connection.register(whole, as: "row_hash", .directOnly)
    // If a link dangles, the row is compared value by value, except for that link.
    let isOpen = unresolved.values.map { "(\($0))" }.joined(separator: " OR ")
    var (left, right) = try finder.hashedRows(of: compared, whole)
    left.conditions = []
    left.columns.append("\(isOpen.isEmpty ? "0" : isOpen) AS o")
    right.conditions = []
    return try connection.integer(
      """
      SELECT l.k FROM (\(left.sql)) AS l CROSS JOIN (\(right.sql)) AS d ON d.n = l.n
      WHERE \(conditions.joined(separator: " AND ")) AND NOT l.o AND d.h IS NOT l.h LIMIT 1
      """
    )
  }

  private func missingRows(_ step: CopyStep, _ root: String) throws(SQLiteError) -> Int64 {
    if let number = planning.ids.numberedRows?.sourceNumbers(of: root)?.proven {
      return try missingNumberedRows(step, root, number)
    }
    planning.ids.add(try MergeRows(step, in: "main", on: connection), of: root)
    var unmerged = step
    unmerged.isMerging = false
    var select = proof.expectedRows(of: unmerged)
    // A row with a dangling link kept its former link.
    let isResolved = step.assignments.compactMap { assignment -> String? in
      guard let value = assignment.proof?.expected, let key = linkKey(assignment, step, root) else { return nil }
      return " AND (\(value) IS NOT NULL OR \(key) IS NULL)"
    }.joined()
    select.columns = ["\(CopyStep.rowOutcome(root, step)) AS n", "1\(isResolved) AS r"]
    return try connection.integer(
      """
      SELECT count(*) FROM (\(select.sql)) WHERE n = \(MergeOutcome.new.rawValue)
        OR n = \(MergeOutcome.updated.rawValue) AND r
      """
    ) ?? 0
  }

  private func missingLinks(_ step: CopyStep) throws(SQLiteError) -> Int64 {
    let ends = step.assignments.prefix(2).compactMap(\.proof)
    guard ends.count == 2, case .links(let links) = step.kind else { return 0 }
    let removed =
      planning.ids.baseChanges == nil
      ? []
      : ["NOT \(links.isRemoved(links.ownerColumn.sqlName, links.targetColumn.sqlName))"]
    // The source's columns are used without a qualifier: the other table may have columns of the same names.
    let images = SelectStatement(
      columns: ["\(ends[0].expected) AS a", "\(ends[1].expected) AS b"],
      source: step.sourceTable,
      conditions: step.proofConditions.map { "(\($0))" } + removed
        + step.closedConditions(step.assignments.map { ($0.column, $0.proof?.expected) })
        .map { "NOT \($0)" }
    )
    return try connection.integer(
      """
      SELECT count(*) FROM (\(images.sql)) AS x WHERE NOT EXISTS
        (SELECT 1 FROM main.\(step.table.sqlName) AS d
        WHERE d.\(step.assignments[0].column.sqlName) = x.a AND d.\(step.assignments[1].column.sqlName) = x.b)
      """
    ) ?? 0
  }
}

extension MergeProof {
  /// Counts rows merged value by value that are wrong: new ones must equal the source's, others must have the values
  /// that they took.
  fileprivate func missingNumberedRows(_ step: CopyStep, _ root: String, _ number: String)
    throws(SQLiteError) -> Int64
  {
    var unmerged = step
    unmerged.isMerging = false
    var select = proof.expectedRows(of: unmerged)
    select.columns = ["\(number) AS n"]
    var links: [Int] = []
    for (place, assignment) in step.assignments.enumerated() where assignment.proof != nil {
      guard let key = linkKey(assignment, step, root) else { continue }
      select.columns.append("\(key) AS l\(place)")
      links.append(place)
    }
    var isSame: [String] = []
    for (place, assignment) in step.assignments.enumerated() {
      guard let own = assignment.proof else { continue }
      select.columns.append("\(own.expected) AS v\(place)")
      let (new, actual) = ("s.v\(place)", own.actual)
      guard let columnRole = assignment.columnRole else {
        isSame.append("\(actual) IS \(new)")
        continue
      }
      let name = root.sqlText
      if step.identityColumns.contains(assignment.column) {
        // Compared by the key's collation, so that its index can be used.
        isSame.append("\(actual) = \(new)")
      }
      let decided = MergeUpdate.decided(columnRole, root: name, key: "s.n", else: new)
      var isRight =
        "\(MergeUpdate.keeps(columnRole, root: name, key: "s.n")) OR \(actual) IS \(decided)"
      // A dangling link overwrites neither another link nor a property that is joint with it.
      let unit = step.joint(assignment.column)
      for other in links where unit.contains(step.assignments[other].column) {
        isRight += " OR s.v\(other) IS NULL AND s.l\(other) IS NOT NULL AND s.o = \(MergeOutcome.updated.rawValue)"
      }
      isSame.append("(\(isRight))")
    }
    let outcomes = [MergeOutcome.new, .keptBoth, .updated].map(\.rawValue)
    return try connection.integer(
      """
      SELECT count(*) FROM (SELECT *, merge_outcome(\(root.sqlText), n) AS o FROM (\(select.sql))) AS s
      WHERE o IN (\(outcomes.list)) AND NOT EXISTS (SELECT 1 FROM main.\(step.table.sqlName)
        WHERE \(isSame.joined(separator: " AND ")))
      """
    ) ?? 0
  }

  /// Returns the key that a link of a row without integer key has in the source; `nil` if `assignment` is no link.
  fileprivate func linkKey(_ assignment: CopyStep.Assignment, _ step: CopyStep, _ root: String) -> String? {
    guard !assignment.expression.links.isEmpty, let here = step.relation, let there = proof.layout.relation(of: root)
    else { return nil }
    let keys = there.columns.filter { $0.name == assignment.column && $0.targetRoot != nil }
      .compactMap { here.column($0.columnRole) }.map { here.value(of: $0) }
    return "coalesce(\((keys + ["NULL", "NULL"]).joined(separator: ", ")))"
  }
}
