package import DecantBase
package import DecantStore
package import DecantSQLite

/// The target rows of links by values, as SQL conditions.
package struct NonIntegerKeyTargets {
  let link: NonIntegerKey
  /// The relation of the target rows.
  package let target: Relation
  /// The schema of the attached source.
  let schema: String
  /// The conditions under which such rows are copied; empty if all are.
  var filters: [CopyPlan.EntityFilter] = []
  /// Another condition for such rows without integer keys, which are `p`: they were not rejected.
  package var accepted: String?

  /// Finds the target of `link` in `layout`.
  package init?(_ link: NonIntegerKey, in layout: Layout, schema: String, filters: [CopyPlan.EntityFilter] = []) {
    guard let target = layout.relation(of: link.targetRoot) else { return nil }
    self.link = link
    self.target = target
    self.schema = schema
    self.filters = filters.filter { $0.root == target.root }
  }

  /// Returns the condition that a row of `outer`, an SQL name, has a link.
  func isSet(in outer: String) -> String {
    link.columns.map { "\(outer).\($0.sqlName) IS NOT NULL" }.joined(separator: " AND ")
  }

  /// Returns the condition that the target of a row of `outer` exists.
  func exists(for outer: String) -> String { exists(for: outer, []) }

  /// Returns the condition that this target is copied, too.
  package func isCopied(for outer: String) -> String {
    if target.keyColumn != nil {
      return exists(for: outer, ["id(\(target.root.sqlText), p.\(target.keyName)) IS NOT NULL"])
    }
    return exists(for: outer, filters.map { "(\($0.expression)\n)" } + [accepted].compactMap(\.self))
  }

  /// Returns the condition that a row of `outer` keeps its values: its target is copied, or does not exist.
  package func stays(for outer: String) -> String { "\(isCopied(for: outer)) OR NOT \(exists(for: outer))" }

  /// Returns a value of the target of a row of `outer`: NULL without target.
  ///
  /// - Parameters:
  ///   - value: An expression on the target `p`.
  ///   - outer: An SQL name.
  /// - Returns: SQL in parentheses.
  package func value(_ value: String, for outer: String) -> String {
    let matches = link.conditions(holder: outer, target: "p").joined(separator: " AND ")
    return "(SELECT \(value) FROM \(target.sqlTable(in: schema)) AS p WHERE \(matches))"
  }

  /// Returns the condition that the target of a row of `outer` exists and satisfies `conditions`, which are on `p`.
  package func exists(for outer: String, _ conditions: [String]) -> String {
    let table = target.sqlTable(in: schema)
    let matches = link.conditions(holder: outer, target: "p")
    // The user's conditions may refer to the entity's name.
    let rows =
      conditions.isEmpty || target.keyColumn != nil
      ? table : "(SELECT *, \(target.root.sqlText) AS _entity FROM \(table))"
    let all = (matches + conditions).joined(separator: " AND ")
    let isThere = "EXISTS (SELECT 1 FROM \(rows) AS p WHERE \(all))"
    guard let values = link.compared(holder: outer, target: "p") else { return isThere }
    // The list of all targets is made once, and only if a row has no target of the same text.
    let list = SelectStatement(
      columns: values.target, source: "\(rows) AS p",
      conditions: link.targetColumns.map { "p.\($0.sqlName) IS NOT NULL" } + conditions)
    return "(\(isThere) OR coalesce((\(values.holder.joined(separator: ", "))) IN (\(list.sql)), 0))"
  }

  /// Counts the links by values in copied rows, by relationship.
  ///
  /// - Parameters:
  ///   - layout: The layout of the source.
  ///   - filters: The conditions of the copied rows.
  ///   - isRejected: Returns the condition that a row of a relation was rejected; `nil` if none was.
  ///   - isNew: Returns the condition that a merge adds a row of a relation's table; `nil` if this is not
  ///     a merge.
  ///   - connection: The connection with the source.
  /// - Returns: The counts.
  /// - Throws: `DecantError` if the source cannot be read.
  package static func counts(
    of layout: Layout,
    filters: [CopyPlan.EntityFilter] = [],
    isRejected: ((_ relation: Relation, _ row: String) -> String)? = nil,
    isNew: ((_ relation: Relation) -> String)? = nil,
    on connection: Connection
  ) throws(DecantError) -> [String: LinkCounts] {
    var counts: [String: LinkCounts] = [:]
    for link in layout.nonIntegerKeys {
      guard
        var targets = NonIntegerKeyTargets(link, in: layout, schema: CopySession.source, filters: filters),
        let relation = layout.relation(of: link.root)
      else { continue }
      targets.accepted = isRejected.map { "NOT \($0(targets.target, "p"))" }
      let isWhole = filters.isEmpty && isRejected == nil && isNew == nil
      // Of columns with the same name, the first counts.
      var rows = SelectStatement(columns: ["*"], source: relation.sqlTable(in: CopySession.source))
      var conditions = [targets.isSet(in: "o")]
      if !isWhole, relation.keyColumn != nil {
        // Outside, the rowid would have no name.
        rows.columns.insert("\(relation.keyName) AS _decant_key", at: 0)
        conditions.append("id(\(relation.root.sqlText), o._decant_key) IS NOT NULL")
      } else {
        rows.columns.append("\(relation.root.sqlText) AS _entity")
        conditions += filters.filter { $0.root == relation.root }.map { "(\($0.expression)\n)" }
        if let isRejected { conditions.append("NOT \(isRejected(relation, "o"))") }
      }
      if let isNew {
        rows.columns.insert("\(isNew(relation)) AS _decant_new", at: 0)
        conditions.append("o._decant_new")
      }
      let copied = isWhole ? targets.exists(for: "o") : targets.isCopied(for: "o")
      counts[link.relationship.description] = try explaining("cannot count links") {
        () throws(SQLiteError) in
        try targets.count("(\(rows.sql)) AS o", conditions, copied, on: connection)
      }
    }
    return counts
  }

  private func count(
    _ rows: String,
    _ conditions: [String],
    _ isCopied: String,
    on connection: Connection
  ) throws(SQLiteError) -> LinkCounts {
    let row = try connection.prepare(
      """
      SELECT count(*), coalesce(sum(\(exists(for: "o"))), 0), coalesce(sum(\(isCopied)), 0)
      FROM \(rows) WHERE \(conditions.joined(separator: " AND "))
      """
    )
    guard try row.step() else { return LinkCounts() }
    let (all, there, copied) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
    return LinkCounts(copied: copied, cut: there - copied, dangling: all - there)
  }
}
