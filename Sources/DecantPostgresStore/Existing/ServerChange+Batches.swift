internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Adding rows in batches, each of which is committed by itself.
extension ServerChange {
  /// Changes and deletes the existing rows, and records the rows to be added in their order, with what `values` say
  /// about the run; all of this is one transaction, which is still open.
  ///
  /// Rows come after those that they refer to. Links to later rows are written after all rows: they are NULL in new rows
  /// until then, and existing rows keep theirs if they can. Foreign keys that are to be dropped are created and checked again
  /// at the end.
  ///
  /// - Parameters:
  ///   - verifies: Whether the changed and deleted rows are compared.
  ///   - identities: Returns whether columns of a table identify its rows: one that another program adds with the same
  ///     values is matched; `nil` if it is an error.
  ///   - links: The known links of the rows, whether or not the server checks them.
  ///   - values: The values of the record.
  /// - Returns: The record; `nil` if no rows are added, or if they must be written in one transaction. Then nothing is
  ///   written yet.
  /// - Throws: `DecantError` if the server refuses a change, or if the role has not the rights.
  func divide(
    verifies: Bool, identities: ((String, [String]) -> Bool)?, links: [ServerSchema.Reference],
    _ values: [String: String]
  ) throws(DecantError) -> BatchRun? {
    guard changes.contains(where: { $0.added > 0 }) else { return nil }
    let unchecked = try uncheckedLinks(among: links)
    guard unchecked.isEmpty else {
      notes.append(
        ReportNote(
          .inBatches,
          "all rows were written in one transaction: the server has no foreign key for links "
            + "(\(ServerNames.list(unchecked))), whose targets others could delete between batches"))
      return nil
    }
    let dropped = defersConstraints ? try ForeignKeyDefinition.read(of: self) : []
    let existing = changes.map(\.withoutAdded)
    let constraints = try HeldConstraints(tables, existing, rows)
    let (late, whole) = try laterLinks(besides: dropped, constraints.lateLinks)
    guard whole.isEmpty else {
      notes.append(
        ReportNote(
          .inBatches,
          "all rows were written in one transaction: they refer to one another by links that cannot be empty "
            + "(\(ServerNames.list(whole)))"))
      return nil
    }
    try checkKeys()
    lateLinks = late
    do throws(DecantError) {
      try constraints.release()
      guard try writeExisting(constraints, verifies: verifies) else {
        preconditionFailure("rows are left out in one transaction only")
      }
      let run = try BatchRun.create(values, server, connection)
      var pending: [(change: TableChanges, rows: String)] = []
      for change in changes where change.added > 0 { pending.append((change, try record(change, identities, in: run))) }
      for change in pending { try checkInheritedNumbers(change.change, of: change.rows, with: pending) }
      for change in changes { try recordLinks(change, in: run) }
      try constraints.restore()
      if !dropped.isEmpty { try BatchRun.checkIsAlone(server, connection, besides: run) }
      for key in dropped {
        try TableLock(server, connection, []).take(
          by: key.drop, "cannot drop the foreign keys of \(key.reference.table)")
        for sql in key.create {
          try run.add(.init(kind: .constraint, table: key.reference.table, statement: sql, count: 1))
        }
      }
      return run
    } catch {
      throw strictLinks(constraints.strict, error)
    }
  }

  /// Returns the names of those among `links` that this change writes and that no foreign key of the server checks.
  private func uncheckedLinks(among links: [ServerSchema.Reference]) throws(DecantError) -> [String] {
    var names: Set<String> = []
    for link in links {
      guard let change = changes.first(where: { $0.table.name == link.table }) else { continue }
      if change.added == 0, try !change.changes(link.columns, on: rows) { continue }
      func pairs(_ columns: [String], _ targetColumns: [String]) -> Set<[String]> {
        Set(zip(columns, targetColumns).map { [$0, $1] })
      }
      let isChecked = tables.catalog.references.contains {
        $0.table == link.table && $0.target == link.target
          && pairs($0.columns, $0.targetColumns) == pairs(link.columns, link.targetColumns)
      }
      if !isChecked { names.insert("\(link.table).\(link.columns.joined(separator: ", "))") }
    }
    return names.sorted()
  }

  /// Returns the links that are written after all rows, and the names of those that cannot be.
  private func laterLinks(besides dropped: [ForeignKeyDefinition], _ known: [String: LateLinks])
    throws(DecantError) -> (late: [String: LateLinks], whole: [String])
  {
    var (late, whole) = (known, known.values.flatMap { $0.kept.sorted() })
    for reference in tables.catalog.references {
      guard let own = changes.firstIndex(where: { $0.table.name == reference.table }),
        let other = changes.firstIndex(where: { $0.table.name == reference.target }), changes[other].added > 0
      else { continue }
      let change = changes[own]
      let leadsOn = !dropped.contains(reference) && own <= other && change.added > 0
      if !leadsOn, try !change.changes(reference.columns, on: rows) { continue }
      // Existing rows keep their links, unless the target is deleted or another row gets a value that must be unique.
      let isUnique = change.facts.uniqueIndexes.contains { !Set($0.columns).isDisjoint(with: reference.columns) }
      let keepsAll = changes[other].removed == 0 && !isUnique
      if late[reference.table, default: LateLinks()].add(
        reference, of: change, inNew: leadsOn, keepingAll: keepsAll)
      {
        continue
      }
      // A link of an existing row that cannot be empty keeps its value until the new target is there.
      guard leadsOn || changes[other].removed > 0 || change.key.isEmpty else { continue }
      whole.append("\(reference.table).\(reference.columns.joined(separator: ", "))")
    }
    return (late, whole)
  }

  /// Sends rows to a new table of the record, which numbers them; returns their number, the table in the form used in
  /// statements, and its column with the numbers.
  private func send(
    _ change: TableChanges,
    _ columns: [ServerSchema.Column],
    as kind: BatchRun.Step.Kind,
    in run: BatchRun,
    where condition: String
  ) throws(DecantError) -> (count: Int64, rows: String, position: String) {
    let name = BatchRun.recordTable(kind, run.steps.count)
    var names = PlainNames(Set(columns.map(\.name.foldedName)), limit: ServerNames.limit)
    let position = names.claim("decant_position")
    let count = try send(change, columns, to: name, in: run.place, numberedBy: position, where: condition)
    return (count, run.qualified(name), position)
  }

  /// Records the added rows of a table; returns the table of the record.
  private func record(_ change: TableChanges, _ identities: ((String, [String]) -> Bool)?, in run: BatchRun)
    throws(DecantError) -> String
  {
    let sent = try send(change, change.table.columns, as: .rows, in: run, where: change.isAdded)
    try check(sent.count, change.added, change, "received")
    let late = lateLinks[change.table.name]?.emptied ?? []
    let values = change.table.columns.map { late.contains($0.name) ? "NULL" : value($0, change) }
    let same = change.table.columns.map { column in
      let isSame = isAsSent(column, change)
      return late.contains(column.name)
        ? "(t.\(ServerNames.quoted(column.name)) IS NULL OR \(isSame))"
        : change.isFillable(column) ? "(u.\(ServerNames.quoted(column.name)) IS NULL OR \(isSame))" : isSame
    }
    var step = BatchRun.Step(
      kind: .rows,
      table: change.table.name,
      statement: """
        INSERT INTO \(statements.qualified(change.table.name)) (\(quoted(change.table.columns.map(\.name))))
        OVERRIDING SYSTEM VALUE SELECT \(values.joined(separator: ", ")) FROM \(sent.rows) AS u WHERE true
        """,
      position: sent.position,
      count: sent.count
    )
    if !change.key.isEmpty {
      step.pairs = "\(sent.rows) AS u JOIN \(target(change)) AS t ON \(isSame(change))"
      step.isSame = "(\((["true"] + same).joined(separator: " AND ")))"
    }
    step.key = change.key.map(\.name)
    if let identities { step.matches = matches(of: change, sent.rows, sent.position, by: identities) }
    try run.add(step)
    try advanceSequences(change)
    return sent.rows
  }

  /// Returns the queries for the numbers of rows `u` of a table of the record that have the values by which a row `t` on
  /// the server is identified, with the keys of both, and whether they differ in other such values; each ends with a
  /// condition.
  private func matches(
    of change: TableChanges, _ rows: String, _ position: String, by identities: (String, [String]) -> Bool
  ) -> [String] {
    let keys = change.key.enumerated().flatMap { place, column in
      ["\(value(column, change)) AS old_\(place)", "t.\(ServerNames.quoted(column.name)) AS new_\(place)"]
    }
    let same = change.facts.uniqueIndexes.compactMap { index -> (isKey: Bool, condition: String)? in
      let own = index.columns.compactMap { name in change.table.columns.first { $0.name == name } }
      // A number is another row's, if another program has given it.
      let isNumber = own.count == 1 && own == change.key && [.smallint, .integer, .bigint].contains(own[0].type)
      guard let operators = index.operators, own.count == operators.count, !isNumber,
        identities(change.table.own, own.map(\.own))
      else { return nil }
      let isSame = zip(own, operators).map { "t.\(ServerNames.quoted($0.name)) \($1) \(value($0, change))" }
      return (own == change.key, isSame.joined(separator: " AND "))
    }
    // Another program gives keys of its own.
    let others = same.filter { !$0.isKey }.map { "(\($0.condition)) IS FALSE" }
    let differs = "(\((["false"] + others).joined(separator: " OR "))) AS differs"
    let columns = (["u.\(ServerNames.quoted(position)) AS number"] + keys + [differs]).joined(separator: ", ")
    return same.map { "SELECT \(columns) FROM \(rows) AS u JOIN \(target(change)) AS t ON \($0.condition) WHERE true" }
  }

  /// Records the links of added and of changed rows of a table that are written after all rows.
  private func recordLinks(_ change: TableChanges, in run: BatchRun) throws(DecantError) {
    guard let late = lateLinks[change.table.name], !change.key.isEmpty else { return }
    for link in late.links {
      let own = change.table.columns.filter { link.columns.contains($0.name) }
      let (columns, emptied) = (
        own.filter { late.lateInExisting.contains($0.name) }, own.filter { late.emptied.contains($0.name) }
      )
      if change.changed > 0, !columns.isEmpty {
        // Those that keep nothing may have become empty, and are so already.
        let isWritten = columns.map { late.kept.contains($0.name) ? "true" : "r.\($0.own.sqlName) IS NOT NULL" }
        let condition = "(\(isWritten.joined(separator: " OR "))) AND \(change.isChanged(in: columns))"
        let former = columns.map { column in
          change.formerValue(of: column, unlessChanged: late.emptiedInExisting.contains(column.name))
        }
        try recordLink(link, columns, former, change, of: condition, in: run)
      }
      if change.added > 0, !emptied.isEmpty {
        let isLinked = emptied.map { "r.\($0.own.sqlName) IS NOT NULL" }.joined(separator: " OR ")
        try recordLink(link, emptied, nil, change, of: "(\(isLinked)) AND \(change.isAdded)", in: run)
      }
    }
  }

  /// Records the values of `columns` of a link of the rows `r` that meet a condition; until they are written, these have
  /// the values `former`, or NULL.
  private func recordLink(
    _ link: LateLinks.Link,
    _ columns: [ServerSchema.Column],
    _ former: [String]?,
    _ change: TableChanges,
    of condition: String,
    in run: BatchRun
  ) throws(DecantError) {
    var names = PlainNames(Set(change.table.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    let formerColumns = zip(columns, former ?? []).map { column, sending in
      var former = column
      (former.name, former.sending) = (names.claim("decant_former_link"), sending)
      return former
    }
    let sent = try send(change, change.key + columns + formerColumns, as: .links, in: run, where: condition)
    guard sent.count > 0 else {
      try self.run("DROP TABLE \(sent.rows)", "cannot drop a table of the record")
      return
    }
    // What others have written since stays, and a link to a row that they have deleted is not written.
    let isOpen = columns.enumerated().map { place, column in
      let last = formerColumns.isEmpty ? "NULL" : value(column, change, from: formerColumns[place])
      return "t.\(ServerNames.quoted(column.name)) IS NOT DISTINCT FROM \(last)"
    }
    let isThere = link.references.map { hasTarget($0, columns, change) }
    let values = columns.map { "\(ServerNames.quoted($0.name)) = \(value($0, change))" }
    var step = BatchRun.Step(
      kind: .links,
      table: change.table.name,
      statement: """
        UPDATE \(target(change)) AS t SET \(values.joined(separator: ", ")) FROM \(sent.rows) AS u
        WHERE \(([isSame(change)] + isOpen + isThere).joined(separator: " AND "))
        """,
      position: sent.position,
      count: sent.count
    )
    step.pairs = "\(sent.rows) AS u JOIN \(target(change)) AS t ON \(isSame(change))"
    let isWritten = columns.map { "t.\(ServerNames.quoted($0.name)) IS NOT DISTINCT FROM \(value($0, change))" }
    step.isSame = "(\(isWritten.joined(separator: " AND ")))"
    let others = change.table.columns.filter { column in !columns.contains { $0.name == column.name } }
    step.others = "ROW(\(quoted(others.map(\.name), "t.")))::text"
    step.former = zip(columns, formerColumns).map { [$0.name, value($0, change, from: $1)] }
    try run.add(step)
  }

  /// Returns the condition that the target of a link is there, of whose columns the row `u` has the new values of
  /// `columns`, and the row `t` the others.
  private func hasTarget(
    _ reference: ServerCatalog.Reference, _ columns: [ServerSchema.Column], _ change: TableChanges
  ) -> String {
    let values = reference.columns.map { name in
      columns.first { $0.name == name }.map { value($0, change) } ?? "t.\(ServerNames.quoted(name))"
    }
    let isEmpty = values.map { "\($0) IS NULL" }.joined(separator: " OR ")
    let leads = zip(zip(reference.targetColumns, reference.operators), values)
      .map { "x.\(ServerNames.quoted($0.0)) \($0.1) \($1)" }.joined(separator: " AND ")
    let target = statements.qualified(reference.target ?? "")
    return "(\(isEmpty) OR EXISTS (SELECT FROM \(target) AS x WHERE \(leads)))"
  }

  /// Throws if changed rows do not have the values that were sent, besides links that are written later.
  func checkChanged(_ change: TableChanges) throws(DecantError) {
    let late = lateLinks[change.table.name]?.lateInExisting ?? []
    let same = change.table.columns.enumerated().filter { !late.contains($0.element.name) }.map { position, column in
      let empty = change.isFillable(column) ? " OR u.\(ServerNames.quoted(column.name)) IS NULL" : ""
      return "(NOT \(isChanged(position, change)) OR \(isAsSent(column, change))\(empty))"
    }
    let join = "\(changedRows(of: change)) AS u JOIN \(target(change)) AS t ON \(isSame(change))"
    try check(
      countRows("\(join) WHERE \((["true"] + same).joined(separator: " AND "))", change), change.changed, change,
      "has changed")
  }

  /// Throws if deleted rows are still there.
  func checkRemoved(_ change: TableChanges) throws(DecantError) {
    let join = "\(removedRows(of: change)) AS u JOIN \(target(change)) AS t ON \(isSame(change))"
    let left = try countRows(join, change)
    try check(change.removed - left, change.removed, change, "deleted")
  }

  private func countRows(_ source: String, _ change: TableChanges) throws(DecantError) -> Int64 {
    let text = try server.explaining("cannot read rows of \(change.table.name) again") { () throws(PostgresError) in
      try connection.text("SELECT count(*) FROM \(source)")
    }
    return text.flatMap { Int64($0) } ?? 0
  }

  /// Returns the condition that the row `t` has the value of the row `u`, which was sent.
  func isAsSent(_ column: ServerSchema.Column, _ change: TableChanges) -> String {
    let name = ServerNames.quoted(column.name)
    guard change.isExact(column) else {
      // Some types have no operator for equality.
      return
        "t.\(name)::text IS NOT DISTINCT FROM (u.\(name)::\(change.facts.columns[column.name]?.type ?? "text"))::text"
    }
    let collation = column.type == .text ? " COLLATE \"C\"" : ""
    return "t.\(name)\(collation) IS NOT DISTINCT FROM u.\(name)\(collation)"
  }
}

extension [ForeignKeyDefinition] {
  /// Whether a foreign key is one of them.
  func contains(_ reference: ServerCatalog.Reference) -> Bool {
    contains { $0.reference.table == reference.table && $0.reference.name == reference.name }
  }
}

/// A foreign key that is dropped while rows are added, and how it is restored.
struct ForeignKeyDefinition {
  let reference: ServerCatalog.Reference
  let drop: String
  /// The statements that create it without checking rows, describe it, and check them.
  let create: [String]

  /// Reads the foreign keys of the tables that get rows by a change.
  static func read(of change: ServerChange) throws(DecantError) -> [ForeignKeyDefinition] {
    let (server, tables) = (change.server, change.tables)
    var found: [ForeignKeyDefinition] = []
    for reference in tables.catalog.references
    where change.changes.contains(where: { $0.table.name == reference.table && $0.added > 0 }) {
      let row = try server.explaining("cannot read the foreign key \(reference.name)") { () throws(PostgresError) in
        try change.connection.rows(
          """
          SELECT pg_catalog.pg_get_constraintdef(k.oid), k.convalidated, c.relkind = 'p',
            pg_catalog.obj_description(k.oid, 'pg_constraint'), k.confrelid::pg_catalog.regclass,
            pg_catalog.has_schema_privilege(t.relnamespace, 'USAGE') AND (
              pg_catalog.has_table_privilege(t.oid, 'REFERENCES') OR (
                SELECT pg_catalog.bool_and(pg_catalog.has_column_privilege(t.oid, a.number, 'REFERENCES'))
                FROM pg_catalog.unnest(k.confkey) AS a (number)))
          FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
          JOIN pg_catalog.pg_class AS t ON t.oid = k.confrelid
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND c.relname = $2 AND k.conname = $3 AND k.contype = 'f'
          """, [server.schema, reference.table, reference.name]
        ).first
      }
      // Those of a table with partitions are always checked when they are created.
      guard let row, let definition = row[0], row[2] != "t" else { continue }
      func check(_ isAllowed: Bool, _ right: DecantError.Text) throws(DecantError) {
        guard !isAllowed else { return }
        throw DecantError(
          .accessDenied,
          "\(option: .deferConstraints) drops foreign keys of \(reference.table) and creates them again, for which the role "
            + "has to \(right)",
          place: "\(server.place)",
          remedy: "use a role with this right, or remove it; nothing was changed",
          remedies: []
        )
      }
      try check(tables.catalog.tables[reference.table]?.isOwned == true, "own the table")
      try check(row[5] == "t", "have the right REFERENCES on \(row[4] ?? "its target")")
      let table = "\(ServerNames.quoted(server.schema)).\(ServerNames.quoted(reference.table))"
      let name = ServerNames.quoted(reference.name)
      var create = ["ALTER TABLE \(table) ADD CONSTRAINT \(name) \(definition)"]
      if let comment = row[3] {
        create.append("COMMENT ON CONSTRAINT \(name) ON \(table) IS \(ServerNames.quoted(literal: comment))")
      }
      if row[1] == "t" {
        create[0] += " NOT VALID"
        create.append("ALTER TABLE \(table) VALIDATE CONSTRAINT \(name)")
      }
      found.append(
        ForeignKeyDefinition(
          reference: reference, drop: "ALTER TABLE \(table) DROP CONSTRAINT \(name)", create: create))
    }
    return found
  }
}
