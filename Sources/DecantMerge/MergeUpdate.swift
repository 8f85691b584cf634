package import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Updates the objects of a step that take values from the source, by ranges of the source's keys.
///
/// It runs after all new objects are written, since links may lead to them.
package struct MergeUpdate: BatchCopy {
  private let connection: Connection
  private let ids: IDTable
  private let step: CopyStep
  private let root: String
  private let terms: Terms
  private let matched: MatchedObjects
  private let updated: KeySet
  private let batchSize: Int64
  private let derived: Set<String>
  private let update: ExchangingUpdate
  private let statement: Statement
  /// Whether the objects of all remaining batches have been written.
  private let rest = Rest()

  private final class Rest { var isWritten = false }

  /// Prepares the update of the objects of `step`; `nil` if none takes a value.
  package init?(
    _ step: CopyStep,
    _ planning: Planning,
    from source: Layout,
    to destination: Layout,
    batchSize: Int64,
    on connection: Connection
  ) throws(DecantError) {
    guard case .objects(let root) = step.kind, let map = planning.ids.map(of: root),
      let matched = map.matchedObjects, let updated = matched.updated, updated.count > 0,
      let here = source.relation(of: root), let there = destination.relation(of: root)
    else { return nil }
    self.connection = connection
    self.step = step
    (self.root, terms) = (root, here.terms)
    (self.matched, self.updated) = (matched, updated)
    self.batchSize = batchSize
    ids = planning.ids
    derived = planning.derived
    update = MergeUpdate.update(
      step,
      here,
      there,
      derived,
      isMergedByProperty: ids.mergesByProperty(root),
      hasDecisions: ids.baseChanges?.decided != nil,
      leaving: try explaining("cannot find the rows to remove") { () throws(SQLiteError) in
        try LeavingRows(of: there, planning.ids, on: connection)
      }
    )
    do throws(SQLiteError) {
      statement = try connection.prepare(update.sql)
    } catch {
      throw DecantError("cannot update \(root)", place: error.sql, cause: error)
    }
  }

  package func nextBatch(after position: RowPosition?) throws(SQLiteError) -> RowBatch? {
    var key: Int64?
    if case .key(let last) = position { key = last }
    guard let batch = try updated.batchEnd(after: key, limit: batchSize) else { return nil }
    return RowBatch(after: position, last: .key(batch.last))
  }

  package func copy(_ batch: RowBatch) throws(DecantError) -> BatchOutcome {
    guard let range = batch.range else { return BatchOutcome() }
    do throws(SQLiteError) {
      _ = ids.takeLinkCounts()
      let (count, expected) = (try write(range), try matched.updatedCount(in: range))
      // Links that objects already have are not counted as copied.
      _ = ids.takeLinkCounts()
      guard count != expected else { return BatchOutcome(rows: count) }
      throw SQLiteError(code: SQLiteError.internalCode, message: "\(count) of \(expected) objects were written")
    } catch {
      guard error.isConstraint else {
        throw DecantError("cannot update \(root)", cause: error)
      }
      throw DecantError(
        .constraintViolated,
        "cannot update \(root): \(Refusal(error, step: step).reason)",
        place: "\(terms.objects) up to \(terms.key(range.upperBound)) of the source",
        remedy: "use another policy: \(say: .merge, "\(root): skip")",
        cause: error
      )
    }
  }

  /// Updates the objects of the range; returns their number.
  private func write(_ range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    guard !rest.isWritten else { return try matched.updatedCount(in: range) }
    do throws(SQLiteError) {
      try statement.run(.integer(range.lowerBound), .integer(range.upperBound))
      return connection.changeCount
    } catch {
      // If SQLite has rolled back the transaction, its temporary tables are gone as well.
      guard !connection.isAutocommit else { throw error }
      // An object may take a value that one of a later batch still has.
      let all = range.lowerBound...max(range.upperBound, try updated.bounds()?.upperBound ?? range.upperBound)
      let bindings: [Binding] = [.integer(all.lowerBound), .integer(all.upperBound)]
      let count = try update.run(after: error, bindings, on: connection)
      rest.isWritten = try count == matched.updatedCount(in: all)
      return rest.isWritten ? try matched.updatedCount(in: range) : count
    }
  }

  /// Returns the update of the objects whose keys in the source are from ?1 to ?2.
  private static func update(
    _ step: CopyStep,
    _ here: Relation,
    _ there: Relation,
    _ derived: Set<String>,
    isMergedByProperty: Bool,
    hasDecisions: Bool,
    leaving: LeavingRows?
  ) -> ExchangingUpdate {
    let relation = SourceRelation(relation: here, schema: CopySession.source)
    let root = here.root.sqlText
    var columns = [
      "id(\(root), r._id) AS k",
      "merge_outcome(\(root), r._id) = \(MergeOutcome.filled.rawValue) AS f",
    ]
    var sets: [Value] = []
    /// Returns the condition that `fill` leaves `column` unchanged: it has a value, or a joint property differs.
    func isSet(_ column: RelationColumn) -> String {
      let old = "o.\(column.name.sqlName)"
      let unit = there.jointProperties(with: column.columnRole)
      guard unit.count > 1 else { return "\(old) IS NOT NULL" }
      let others = there.columns.filter { unit.contains($0.columnRole) }.compactMap { other -> String? in
        guard let index = step.index(of: other), takes(other) else { return nil }
        let value = "o.\(other.name.sqlName)"
        let role = other.choice(in: "o").map { "CASE WHEN \($0) THEN \(value) END" } ?? value
        return "coalesce(\(role), x.v\(index)) IS NOT x.v\(index)"
      }
      return "(\((["\(old) IS NOT NULL"] + others).joined(separator: " OR ")))"
    }
    /// Returns the condition that the update leaves `column` unchanged, as it or a joint property is a dangling link.
    func dangles(_ column: RelationColumn) -> String {
      let unit = there.jointProperties(with: column.columnRole)
      let links = there.columns.filter { unit.contains($0.columnRole) && $0.targetRoot != nil && takes($0) }
      return links.compactMap { step.index(of: $0).map { "OR x.v\($0) IS NULL AND x.l\($0) IS NOT NULL " } }.joined()
    }
    /// Returns the condition that a merge by property leaves `column` unchanged, in each of its roles.
    func stays(_ column: RelationColumn) -> String {
      there.columns.filter { $0.name == column.name && takes($0) }
        .compactMap { step.index(of: $0).map { "x.u\($0)" } }.joined(separator: " AND ")
    }
    /// Returns the value of a link: a dangling link does not overwrite another.
    func link(_ column: RelationColumn, _ index: Int) -> String {
      let old = "o.\(column.name.sqlName)"
      return
        "CASE WHEN x.f AND \(isSet(column)) OR x.u\(index) \(dangles(column))THEN \(old) ELSE x.v\(index) END"
    }
    /// Returns whether the update writes `column`.
    func takes(_ column: RelationColumn) -> Bool {
      !isDerived(column, derived) && !column.columnRole.isKey && !step.keepsAlways(column.name, there)
    }
    for column in there.columns {
      let name = column.name.sqlName
      if column.columnRole == .revision {
        sets.append(Value(column: name, sql: "coalesce(o.\(name), 0) + 1", isMeant: "1"))
        continue
      }
      guard let index = step.index(of: column), takes(column) else { continue }
      let (old, new) = ("o.\(name)", "x.v\(index)")
      let expression = step.assignments[index].expression
      // The condition that the object keeps the destination's value.
      func kept(_ columnRole: ColumnRole) -> String {
        isMergedByProperty
          ? MergeUpdate.keeps(columnRole, root: root, key: "r._id") : "0"
      }
      switch column.columnRole {
      case .target, .owner:
        guard let from = here.column(column.columnRole) else { continue }
        columns += [
          "\(expression) AS v\(index)", "r.\(relation.name(of: from).sqlName) AS l\(index)",
          "\(kept(column.columnRole)) AS u\(index)",
        ]
        sets.append(
          Value(
            column: name,
            sql: column.choice(in: "o").map { choice in
              // A key of another type is unrelated to the source's link; it is kept only together with its type.
              "CASE WHEN \(choice) THEN \(link(column, index)) "
                + "WHEN x.f AND \(isSet(column)) OR \(stays(column)) \(dangles(column))THEN \(old) ELSE \(new) END"
            } ?? link(column, index),
            isMeant: "x.l\(index) IS NOT NULL"
          )
        )
      case .targetEntity(let property), .position(let property):
        companion(of: .target(property), column, index)
      case .ownerPosition(let property): companion(of: .owner(property), column, index)
      case .attribute, .unnamed, .key, .revision:
        let value =
          hasDecisions
          ? MergeUpdate.decided(column.columnRole, root: root, key: "r._id", else: expression.description)
          : "\(expression)"
        columns += ["\(value) AS v\(index)", "\(kept(column.columnRole)) AS u\(index)"]
        let isSame =
          column.isExternal && step.assignments[index].proof != nil
          ? "external('source', \(new)) IS external('destination', \(old))" : "0"
        sets.append(
          Value(
            column: name,
            sql:
              "CASE WHEN x.f AND \(isSet(column)) OR \(column.isConditional ? stays(column) : "x.u\(index)") OR \(isSame) "
              + "\(dangles(column))THEN \(old) ELSE \(new) END",
            isMeant: "\(new) IS NOT NULL"
          )
        )
      }
      /// Columns that go with a link change with it; a position in a list changes only if the list does.
      func companion(of owner: ColumnRole, _ column: RelationColumn, _ index: Int) {
        guard let to = there.column(owner),
          let other = step.index(of: to)
        else { return }
        columns.append("\(expression) AS v\(index)")
        let oldLink = "o.\(to.name.sqlName)"
        let isSame = "(\(link(to, other))) IS \(oldLink)"
        sets.append(
          Value(column: name, sql: "CASE WHEN \(isSame) THEN \(old) ELSE \(new) END", isMeant: "\(new) IS NOT NULL")
        )
      }
    }
    // If only some entities keep a column, this is decided for each row.
    let values = MergeUpdate.joined(sets).map { column, value -> (column: String, value: String) in
      guard let codes = step.kept.first(where: { $0.key.sqlName == column })?.value,
        let code = there.entityCode(in: "o")
      else { return (column, value) }
      return (column, "CASE WHEN \(code) IN (\(codes.list)) THEN o.\(column) ELSE (\(value)) END")
    }
    let rows = """
      SELECT \(columns.joined(separator: ", ")) FROM \(step.source) AS r
        WHERE r._id BETWEEN ?1 AND ?2 AND merge_outcome(\(root), r._id)
          IN (\(MergeOutcome.updated.rawValue), \(MergeOutcome.filled.rawValue))
      """
    return ExchangingUpdate(
      table: step.table,
      keys: [step.keyColumn],
      values: values.map { ($0.column, $0.value.replacing(CopyStep.written, with: "main")) },
      source: rows.replacing(CopyStep.written, with: "main"),
      condition: "o.\(step.keyColumn.sqlName) = x.k",
      leavesConflicts: step.leavesConflictsToTriggers,
      leaving: leaving
    )
  }

  /// The new value of a column.
  private struct Value {
    let column: String
    let sql: String
    /// The condition that the source object has a value for the column.
    let isMeant: String
  }

  /// Returns one value for each column: of several properties that share it, the one that the object has.
  private static func joined(_ values: [Value]) -> [(column: String, value: String)] {
    var joined: [(column: String, value: String)] = []
    for value in values.reversed() {
      if let place = joined.firstIndex(where: { $0.column == value.column }) {
        joined[place].value =
          "CASE WHEN \(value.isMeant) THEN \(value.sql) ELSE \(joined[place].value) END"
      } else {
        joined.append((value.column, value.sql))
      }
    }
    return joined.reversed()
  }

  /// Returns the SQL for whether an object keeps the destination's value of a property.
  static func keeps(_ columnRole: ColumnRole, root: String, key: String) -> String {
    "keeps(\(root), \(key), \(columnRole.label.sqlText))"
  }

  /// Returns the SQL for the decided value of a property, or otherwise `value`.
  static func decided(_ columnRole: ColumnRole, root: String, key: String, else value: String) -> String {
    "decided(\(root), \(key), \(columnRole.label.sqlText), \(value))"
  }

  private static func isDerived(_ column: RelationColumn, _ derived: Set<String>) -> Bool {
    guard case .attribute(let property) = column.columnRole else { return false }
    return derived.contains(property.description)
  }
}
