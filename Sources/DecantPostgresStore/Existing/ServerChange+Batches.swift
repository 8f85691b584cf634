internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// Adding rows in batches, each of which is committed by itself.
extension ServerChange {
  /// Changes and deletes the existing rows, and records the rows to be added in their order, with what `values` say
  /// about the run; all of this is one transaction, which is still open.
  ///
  /// Rows come after those that they refer to. Links to later rows are NULL at first and written after all rows. With
  /// `defersConstraints`, the foreign keys of the tables that get rows are dropped, and created and checked at the end.
  ///
  /// - Returns: The record; `nil` if no rows are added, or if they must be written in one transaction. Then nothing is
  ///   written yet.
  func divide(defersConstraints: Bool, verifies: Bool, _ values: [String: String]) throws(DecantError) -> BatchRun? {
    guard changes.contains(where: { $0.added > 0 }) else { return nil }
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
      guard try writeExisting(constraints, verifies: verifies) else { return nil }
      let run = try BatchRun.create(values, server, connection)
      for change in changes where change.added > 0 { try record(change, in: run) }
      for change in changes { try recordLinks(change, in: run) }
      try constraints.restore()
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

  /// Returns the links that are written after all rows, and the names of those that cannot be.
  private func laterLinks(besides dropped: [ForeignKeyDefinition], _ known: [String: LateLinks])
    throws(DecantError) -> (late: [String: LateLinks], whole: [String])
  {
    var (late, whole) = (known, known.values.flatMap { $0.kept.sorted() })
    for reference in tables.catalog.references {
      guard let own = changes.firstIndex(where: { $0.table.name == reference.table }),
        let other = changes.firstIndex(where: { $0.table.name == reference.target }), changes[other].added > 0
      else { continue }
      let isDropped = dropped.contains { $0.reference.table == reference.table && $0.reference.name == reference.name }
      let leadsOn = !isDropped && own <= other && changes[own].added > 0
      if !leadsOn, try !changes[own].changes(reference.columns, on: rows) { continue }
      guard !late[reference.table, default: LateLinks()].add(reference, of: changes[own]) else { continue }
      // A link of an existing row that cannot be empty keeps its value until the new target is there.
      guard leadsOn || changes[other].removed > 0 || changes[own].key.isEmpty else { continue }
      whole.append("\(reference.table).\(reference.columns.joined(separator: ", "))")
    }
    return (late, whole)
  }

  /// Records the added rows of a table.
  private func record(_ change: TableChanges, in run: BatchRun) throws(DecantError) {
    let name = "added_\(run.steps.count)"
    let count = try send(change, change.table.columns, to: name, in: run.place, where: change.isAdded)
    try check(count, change.added, change, "received")
    let late = lateLinks[change.table.name]?.emptied ?? []
    let values = change.table.columns.map { late.contains($0.name) ? "NULL" : value($0, change) }
    let place = try number(name, change, in: run)
    let join = "FROM \(run.qualified(name)) AS u JOIN \(target(change)) AS t ON \(isSame(change)) WHERE \(place)"
    let same = change.table.columns.map { column in
      let isSame = isAsSent(column, change)
      return late.contains(column.name)
        ? "(t.\(ServerNames.quoted(column.name)) IS NULL OR \(isSame))"
        : change.isFillable(column) ? "(u.\(ServerNames.quoted(column.name)) IS NULL OR \(isSame))" : isSame
    }
    let proven = ([join] + same).joined(separator: " AND ")
    let keys = change.key.map { "t.\(ServerNames.quoted($0.name))::text" }.joined(separator: ", ")
    try run.add(
      .init(
        kind: .rows,
        table: change.table.name,
        statement: """
          INSERT INTO \(statements.qualified(change.table.name)) (\(quoted(change.table.columns.map(\.name))))
          OVERRIDING SYSTEM VALUE SELECT \(values.joined(separator: ", ")) FROM \(run.qualified(name)) AS u WHERE \(place)
          """,
        proof: change.key.isEmpty ? nil : "SELECT count(*) \(proven)",
        keys: change.key.isEmpty ? nil : "SELECT \(keys) \(proven)",
        count: count
      ))
    try advanceSequences(change)
  }

  /// Records the links of added and of changed rows of a table that are written after all rows.
  private func recordLinks(_ change: TableChanges, in run: BatchRun) throws(DecantError) {
    guard let late = lateLinks[change.table.name], !change.key.isEmpty else { return }
    let emptied = change.table.columns.filter { late.emptied.contains($0.name) }
    if change.added > 0, !emptied.isEmpty {
      try recordLinks(emptied, change, of: change.isAdded, in: run)
    }
    guard change.changed > 0 else { return }
    let changed = change.table.columns.filter { late.all.contains($0.name) }.map { column in
      var changed = column
      changed.sending = change.changedValue(of: column)
      return changed
    }
    try recordLinks(changed, change, of: change.isChanged, keeping: late.kept, in: run)
  }

  /// Records links of the rows `r` that meet a condition; until they are written, those called `kept` have their former
  /// values, and the others are NULL.
  private func recordLinks(
    _ columns: [ServerSchema.Column],
    _ change: TableChanges,
    of condition: String,
    keeping kept: Set<String> = [],
    in run: BatchRun
  ) throws(DecantError) {
    var names = PlainNames(Set(change.table.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    let former = columns.filter { kept.contains($0.name) }.map { column in
      var former = column
      former.name = names.claim("decant_former_link")
      former.sending = change.formerValue(of: column)
      return (column: column, former: former)
    }
    let isLinked = columns.map { "\($0.sending ?? "r." + $0.own.sqlName) IS NOT NULL" }.joined(separator: " OR ")
    let name = "links_\(run.steps.count)"
    let count = try send(
      change, change.key + columns + former.map(\.former), to: name, in: run.place,
      where: "(\(isLinked)) AND \(condition)")
    guard count > 0 else { return }
    let place = try number(name, change, in: run, besides: former.map(\.former.name))
    // What others have written since stays.
    let links = columns.map { column in
      let quoted = ServerNames.quoted(column.name)
      let last = former.first { $0.column.name == column.name }.map { value(column, change, from: $0.former) } ?? "NULL"
      let isOpen = "u.\(quoted) IS NOT NULL AND t.\(quoted) IS NOT DISTINCT FROM \(last)"
      return (
        isOpen: isOpen,
        value: "\(quoted) = CASE WHEN \(isOpen) THEN \(value(column, change)) ELSE t.\(quoted) END"
      )
    }
    try run.add(
      .init(
        kind: .links,
        table: change.table.name,
        statement: """
          UPDATE \(target(change)) AS t SET \(links.map(\.value).joined(separator: ", "))
          FROM \(run.qualified(name)) AS u
          WHERE \(isSame(change)) AND \(place) AND (\(links.map(\.isOpen).joined(separator: " OR ")))
          """,
        count: count
      ))
  }

  /// Numbers the rows of a table of the record in the order in which they were sent; returns the condition that the row
  /// `u` belongs to a batch.
  private func number(_ name: String, _ change: TableChanges, in run: BatchRun, besides others: [String] = [])
    throws(DecantError) -> String
  {
    let taken = change.table.columns.map(\.name.foldedName) + others.map(\.foldedName)
    var names = PlainNames(Set(taken), limit: ServerNames.limit)
    let position = ServerNames.quoted(names.claim("decant_position"))
    let table = run.qualified(name)
    try self.run(
      "ALTER TABLE \(table) ADD COLUMN \(position) bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
      "cannot number the rows of \(change.table.name)")
    try self.run("ANALYZE \(table)", "cannot analyze the rows of \(change.table.name)")
    return "u.\(position) BETWEEN $1::bigint AND $2::bigint"
  }

  /// Throws if changed rows do not have the values that were sent, besides links that are written later.
  func checkChanged(_ change: TableChanges) throws(DecantError) {
    let late = lateLinks[change.table.name]?.all ?? []
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
            pg_catalog.obj_description(k.oid, 'pg_constraint')
          FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND c.relname = $2 AND k.conname = $3 AND k.contype = 'f'
          """, [server.schema, reference.table, reference.name]
        ).first
      }
      // Those of a table with partitions are always checked when they are created.
      guard let row, let definition = row[0], row[2] != "t" else { continue }
      guard tables.catalog.tables[reference.table]?.isOwned == true else {
        throw DecantError(
          .accessDenied,
          "\(option: .deferConstraints) drops foreign keys of \(reference.table), for which the role has to own the table",
          place: "\(server.place)",
          remedy: "use the role of the owner, or remove it; nothing was changed",
          remedies: []
        )
      }
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
