internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// The rows that a run added to tables on a server, and that are deleted again.
struct AddedRows: ReversibleStore {
  private let tables: ExistingTables
  let identity: StoreIdentity

  init(_ tables: ExistingTables) {
    self.tables = tables
    identity = StoreIdentity(kind: PostgresKind.name, place: tables.server.place, uuid: tables.record?.uuid)
  }

  /// The temporary table of the deleted keys.
  private static let deleted = "temp.decant_deleted"

  func delete(isDryRun: Bool, _ stop: ProgressCheck, keysOf load: (Connection) throws(DecantError) -> String)
    throws(DecantError) -> [String: Int64]
  {
    tables.connection.isStopped = { stop.isStopped() }
    var change: ServerChange?
    do throws(DecantError) {
      let rows = try explaining("cannot open the temporary database") { () throws(SQLiteError) in
        let rows = try Connection(DatabaseFile.uri(of: tables.database.filePath, "mode=rw"), mode: .readWrite)
        try rows.setTriggersEnabled(false)
        rows.setProgressCheck(stop)
        return rows
      }
      let counts = try deleteObjects(runs: load(rows), rows)
      try deleteLinks(rows)
      for reference in references { try check(reference, rows) }
      if isDryRun || counts.values.allSatisfy({ $0 == 0 }) {
        try end()
      } else {
        let made = try ServerChange(tables, rows, given: [:], stop) { _, _ throws(DecantError) in nil }
        change = made
        try made.perform(verifies: true)
      }
      return counts
    } catch {
      tables.connection.allowLastStatements()
      // The server has already rolled back a lost connection.
      if change?.mayBeDone != true { _ = try? tables.connection.run("ROLLBACK") }
      throw error
    }
  }

  private func end() throws(DecantError) {
    try tables.server.explaining("cannot end the transaction") { () throws(PostgresError) in
      _ = try tables.connection.run("ROLLBACK")
    }
  }

  /// Deletes the objects from the temporary database; returns their numbers by root entity.
  private func deleteObjects(runs: String, _ rows: Connection) throws(DecantError) -> [String: Int64] {
    let roots = try explaining("cannot read the ID table") { () throws(SQLiteError) in
      try rows.run("CREATE TEMP TABLE decant_deleted (place TEXT, key, PRIMARY KEY (place, key)) WITHOUT ROWID")
      var roots: [String] = []
      try rows.forEachRow("SELECT DISTINCT root FROM \(runs)") { roots.append($0.text(at: 0) ?? "") }
      return roots
    }
    var counts: [String: Int64] = [:]
    for root in roots {
      let own = tables.record.flatMap { $0.tables == nil ? $0.objects.layout.relation(of: root)?.table : nil } ?? root
      guard let table = tables.schema.table(of: own), let key = key(of: table) else {
        throw DecantError(
          .wrongFile,
          "the schema \(tables.server.schema) has no table with keys for \(root)",
          place: "\(option: .ids)",
          remedy: "pass the file that the run to be undone wrote"
        )
      }
      counts[root] = try explaining("cannot delete rows of \(table.own)") { () throws(SQLiteError) in
        try rows.run(
          """
          INSERT OR IGNORE INTO \(AddedRows.deleted)
          SELECT ?1, r.\(key) FROM \(runs) AS i CROSS JOIN main.\(table.own.sqlName) AS r
            ON r.\(key) BETWEEN i.destination AND CASE i.count WHEN 1 THEN i.destination ELSE i.destination + i.count - 1 END
          WHERE i.root = ?2
          """,
          .text(table.name), .text(root)
        )
        try rows.run(
          """
          DELETE FROM main.\(table.own.sqlName)
          WHERE \(key) IN (SELECT key FROM \(AddedRows.deleted) WHERE place = ?1)
          """,
          .text(table.name)
        )
        return rows.changeCount
      }
    }
    return counts
  }

  /// Returns the name in the temporary database of the column that is a table's key.
  private func key(of table: ServerSchema.Table) -> String? {
    let names = table.key.isEmpty ? tables.catalog.tables[table.name]?.key ?? [] : table.key
    return names.count == 1 ? own(names[0], of: table) : nil
  }

  private func own(_ column: String, of table: ServerSchema.Table) -> String {
    (table.columns.first { $0.name == column }?.own ?? column).sqlName
  }

  /// A foreign key with one column.
  private struct Link {
    var table: ServerSchema.Table
    var column: String
    var target: String
    /// Whether its rows are links, which are deleted with either end.
    var isOfLinks: Bool
  }

  /// The foreign keys of the tables, with or without those that the server checks.
  private var references: [Link] {
    let known = tables.record.map { record in
      record.schema.references.map { (table: $0.table, columns: $0.columns, target: $0.target) }
    }
    let others = tables.catalog.references.compactMap { reference in
      reference.target.map { (table: reference.table, columns: reference.columns, target: $0) }
    }
    var links: [Link] = []
    for reference in (known ?? []) + others where reference.columns.count == 1 {
      guard let table = tables.schema.tables.first(where: { $0.name == reference.table }),
        !links.contains(where: { $0.table.name == table.name && $0.column == reference.columns[0] })
      else { continue }
      links.append(Link(table: table, column: reference.columns[0], target: reference.target, isOfLinks: false))
    }
    for index in links.indices {
      let table = links[index].table
      let key = table.key.isEmpty ? tables.catalog.tables[table.name]?.key ?? [] : table.key
      links[index].isOfLinks =
        key.count > 1 && key.allSatisfy { name in links.contains { $0.table.name == table.name && $0.column == name } }
    }
    return links
  }

  /// Deletes the links of deleted objects.
  private func deleteLinks(_ rows: Connection) throws(DecantError) {
    for link in references where link.isOfLinks {
      try explaining("cannot delete rows of \(link.table.own)") { () throws(SQLiteError) in
        try rows.run("DELETE FROM main.\(link.table.own.sqlName) AS r WHERE \(leads(link))", .text(link.target))
      }
    }
  }

  /// Returns the condition that the row `r` refers to a deleted object of the table ?1.
  private func leads(_ link: Link) -> String {
    "r.\(own(link.column, of: link.table)) IN (SELECT key FROM \(AddedRows.deleted) WHERE place = ?1)"
  }

  /// Throws if objects that stay refer to deleted ones.
  private func check(_ link: Link, _ rows: Connection) throws(DecantError) {
    let count = try explaining("cannot read the rows of \(link.table.own)") { () throws(SQLiteError) in
      try rows.integer(
        "SELECT count(*) FROM main.\(link.table.own.sqlName) AS r WHERE \(leads(link))", .text(link.target)) ?? 0
    }
    guard count > 0 else { return }
    throw DecantError(
      .unsupportedContent,
      "\(count.counted("row")) of \(link.table.name) that the run did not add \(count == 1 ? "refers" : "refer") by "
        + "\(link.column) to rows of \(link.target) that it added",
      place: "\(tables.server.place)",
      remedy: "delete them or change their links first; nothing was changed"
    )
  }
}
