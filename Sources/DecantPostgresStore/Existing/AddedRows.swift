internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The rows that a run added to tables on a server, and that are deleted again.
struct AddedRows: ReversibleStore {
  private let tables: ExistingTables
  /// The ID table of the run; `nil` for an interrupted one.
  private let file: String?
  /// The interrupted run, or one that is not complete yet.
  private let run: BatchRun?
  private let written: [AddedRowsRecord.Table]
  /// The links without foreign keys that the run knew, by the names in its source.
  private let links: [CopyOptions.Link]
  /// The links that its source declared, of tables that are still there.
  private let declared: [ServerSchema.Reference]
  let identity: StoreIdentity

  /// Opens the tables at `location` for deleting the rows that the interrupted run into them has added.
  static func ofInterruptedRun(_ location: StoreLocation, isDryRun: Bool) throws(DecantError) -> AddedRows {
    let (server, connection) = try Server.open(location)
    guard let run = try BatchRun.find(server, connection), !run.isComplete else {
      let text: DecantError.Text =
        "no interrupted run can be undone, and decant makes no backups of a database on a server: delete the rows that a "
        + "complete run added with \(option: .ids), or restore a backup of pg_dump with pg_restore"
      throw DecantError(.unsupportedKind, text)
    }
    return try AddedRows(location, of: run, isDryRun: isDryRun)
  }

  /// Opens the tables at `location` for deleting the rows that the run which wrote the ID table at `file` added.
  init(_ location: StoreLocation, _ file: String, isDryRun: Bool) throws(DecantError) {
    let written = try AddedRowsRecord.tables(in: file)
    guard !written.isEmpty else {
      throw DecantError(
        .wrongFile,
        "“\(file)” has no record of added rows: the run wrote to no existing table, or was not verified",
        place: "\(option: .ids)",
        remedy: "pass the file of an addition or a merge; new tables are removed by dropping them"
      )
    }
    let links = IDTableFile(file).links()
    (self.file, run, self.written, self.links) = (file, nil, written, links)
    let declared = try AddedRowsRecord.links(in: file)
    tables = try AddedRows.open(location, written, links, declared, nil, isDryRun: isDryRun)
    self.declared = AddedRows.links(declared, in: tables.schema)
    identity = StoreIdentity(kind: PostgresKind.name, place: tables.server.place, uuid: tables.record?.uuid)
  }

  /// Returns those of `links` whose tables and columns are there.
  private static func links(_ links: [ServerSchema.Reference], in schema: ServerSchema) -> [ServerSchema.Reference] {
    func isThere(_ table: String, _ columns: [String]) -> Bool {
      let names = schema.tables.first { $0.name == table }?.columns.map(\.name) ?? []
      return columns.allSatisfy(names.contains)
    }
    return links.filter { isThere($0.table, $0.columns) && isThere($0.target, $0.targetColumns) }
  }

  /// Opens the tables at `location` for the rows that an interrupted run has added so far.
  init(_ location: StoreLocation, of run: BatchRun, isDryRun: Bool) throws(DecantError) {
    let declared = try run.knownLinks()
    tables = try AddedRows.open(location, try run.writtenTables(), [], declared, run, isDryRun: isDryRun)
    (links, self.declared) = ([], AddedRows.links(declared, in: tables.schema))
    // Before the tables were locked, the run may have continued.
    guard let locked = try BatchRun.find(tables.server, tables.connection), locked.isComplete == run.isComplete else {
      throw DecantError(
        .storeChanged, "the run was completed meanwhile", place: "\(tables.server.place)", remedy: .again)
    }
    try locked.prepareToContinue()
    (file, self.run, written) = (nil, locked, try locked.writtenTables())
    identity = StoreIdentity(kind: PostgresKind.name, place: tables.server.place, uuid: tables.record?.uuid)
  }

  private static func open(
    _ location: StoreLocation,
    _ written: [AddedRowsRecord.Table],
    _ links: [CopyOptions.Link],
    _ declared: [ServerSchema.Reference],
    _ run: BatchRun?,
    isDryRun: Bool
  ) throws(DecantError) -> ExistingTables {
    var options = CopyOptions()
    options.isDryRun = isDryRun
    let keys = Dictionary(written.map { ($0.name, $0.key) }) { first, _ in first }
    let subject = ExistingTables.Subject.tables(
      keys: keys, others: links.map(\.property.entity) + declared.filter { keys[$0.target] != nil }.map(\.table))
    guard let tables = try ExistingTables.open(location, for: subject, options, besides: run) else {
      throw DecantError(.storeNotFound, "the schema has no tables", remedy: "name another one, as in ?schema=NAME")
    }
    return tables
  }

  /// Records the added rows in the ID table at `path`.
  func record(in path: String) throws(DecantError) {
    let rows = try openRows(nil)
    try AddedRowsRecord.write(written, declared, to: path) { position throws(DecantError) in
      let record = written[position]
      guard let run, record.added > 0, !record.key.isEmpty else { return nil }
      return try run.addedRows(of: table(of: record).changes, tables, on: rows).map { (rows, $0) }
    }
    try end()
  }

  private func openRows(_ stop: ProgressCheck?) throws(DecantError) -> Connection {
    try explaining("cannot open the temporary database") { () throws(SQLiteError) in
      let rows = try Connection(DatabaseFile.uri(of: tables.database.filePath, "mode=rw"), mode: .readWrite)
      try rows.setTriggersEnabled(false)
      rows.setProgressCheck(stop)
      return rows
    }
  }

  /// The temporary table of the recorded rows, and that of the deleted ones.
  private static let (recorded, deleted) = ("decant_recorded", "decant_deleted")

  func deleteAddedRows(isDryRun: Bool, _ stop: ProgressCheck) throws(DecantError) -> UndoneRows {
    tables.connection.isStopped = { stop.isStopped() }
    var change: ServerChange?
    do throws(DecantError) {
      let rows = try openRows(stop)
      let undone = try delete(rows)
      for reference in references { try check(reference, rows) }
      let made = try ServerChange(tables, rows, given: hasTriggers ? ends : [:], isMade: hasTriggers, stop) {
        _, _ throws(DecantError) in
        nil
      }
      try made.compare()
      if isDryRun || run == nil && made.changes.allSatisfy(\.isEmpty) {
        try end()
      } else {
        change = made
        try made.write()
        try made.finish(verifies: true) { () throws(DecantError) in
          try MergedSources.forgetAll(in: tables)
          try (run ?? tables.completed)?.discard()
        }
      }
      return undone
    } catch {
      tables.connection.allowLastStatements()
      // The server has already rolled back a lost connection.
      if change?.mayBeDone != true { _ = try? tables.connection.run("ROLLBACK") }
      throw error
    }
  }

  /// Whether triggers may change other rows when rows are deleted, such as counts: only keys and links stay as they are.
  private var hasTriggers: Bool { tables.catalog.tables.values.contains { !$0.triggers.isEmpty } }

  /// The columns of keys and links, by table.
  private var ends: [String: Set<String>] {
    let pairs = tables.schema.tables.map { table in
      // Foreign keys may have been dropped by the run.
      let links = references.filter { $0.table == table.name }.flatMap(\.columns)
      let names = (tables.catalog.tables[table.name]?.key ?? []) + links
      return (table.own.foldedName, Set(names.map { table.own($0).foldedName }))
    }
    return Dictionary(pairs) { $0.union($1) }
  }

  private func end() throws(DecantError) {
    try tables.server.explaining("cannot end the transaction") { () throws(PostgresError) in
      _ = try tables.connection.run("ROLLBACK")
    }
  }

  /// Deletes the rows from the temporary database.
  private func delete(_ rows: Connection) throws(DecantError) -> UndoneRows {
    var undone = UndoneRows()
    if let file { try AddedRowsRecord.load(file, as: AddedRows.recorded, on: rows) } else { try load(on: rows) }
    for record in written where record.changed > 0 && !record.key.isEmpty {
      try run?.restoreLinks(of: table(of: record).changes, references, tables, on: rows)
    }
    for record in written {
      if record.changed + record.removed > 0 { undone.notRestored[record.name] = record.changed + record.removed }
      guard record.added > 0 else { continue }
      guard !record.key.isEmpty else {
        undone.unkeyed[record.name] = record.added
        continue
      }
      let table = try table(of: record)
      let unedited = try unedited(record, table.changes, table.made, rows)
      let (name, place) = (table.changes.table.own.sqlName, Binding.text(record.name))
      let (found, same) = try explaining("cannot find the rows of \(name)") { () throws(SQLiteError) in
        let hash = try AddedRowsRecord.registerHash(of: table.changes, on: rows)
        try rows.run("DROP TABLE IF EXISTS temp.decant_found")
        try rows.run(
          """
          CREATE TEMP TABLE decant_found AS SELECT i.key AS key, \(hash) IS i.hash AND \(table.unrecorded) AND \(unedited) AS same
          \(table.changes.rows(of: "main")) CROSS JOIN temp.\(AddedRows.recorded) AS i
            ON i.place = ?1 AND i.key = \(table.changes.keyText)
          """,
          place
        )
        try rows.run("CREATE INDEX temp.decant_found_by_key ON decant_found (key) WHERE same")
        let isFound = "\(table.changes.keyText) IN (SELECT key FROM temp.decant_found WHERE same)"
        try rows.run("DROP TABLE IF EXISTS temp.\(AddedRows.deleted(record.name))")
        try rows.run(
          """
          CREATE TEMP TABLE \(AddedRows.deleted(record.name)) AS
          SELECT \(targets(record.name)) \(table.changes.rows(of: "main")) WHERE \(isFound)
          """
        )
        try rows.run("DELETE FROM main.\(name) AS r WHERE \(isFound)")
        let deleted = rows.changeCount
        return (try rows.integer("SELECT count(*) FROM temp.decant_found") ?? 0, deleted)
      }
      undone.deleted[record.name] = same
      if found > same { undone.changedSince[record.name] = found - same }
      if record.added > found { undone.missing[record.name] = record.added - found }
    }
    return undone
  }

  /// Enters the rows that the interrupted run added, and that are there, in the temporary table of recorded rows.
  private func load(on rows: Connection) throws(DecantError) {
    let context = "cannot find the added rows"
    try explaining(context) { () throws(SQLiteError) in
      try rows.run("CREATE TEMP TABLE \(AddedRows.recorded) (place TEXT, key TEXT, hash)")
    }
    for record in written where record.added > 0 && !record.key.isEmpty {
      guard let query = try run?.addedRows(of: table(of: record).changes, tables, on: rows) else { continue }
      try explaining(context) { () throws(SQLiteError) in
        try rows.run(
          "INSERT INTO temp.\(AddedRows.recorded) SELECT ?1, key, hash FROM (\(query))", .text(record.name))
      }
    }
    try explaining(context) { () throws(SQLiteError) in
      try rows.run("CREATE INDEX temp.\(AddedRows.recorded)_by_key ON \(AddedRows.recorded) (place, key)")
    }
  }

  private static func deleted(_ table: String) -> String { "\(deleted) \(table)".sqlName }

  /// Returns the columns of deleted rows to which others may refer.
  private func targets(_ table: String) -> String {
    let names = references.filter { $0.target == table }.flatMap(\.targetColumns)
    guard let made = tables.schema.tables.first(where: { $0.name == table }), !names.isEmpty else { return "1" }
    return Set(names).sorted().map { "r.\(made.own($0).sqlName) AS \($0.sqlName)" }.joined(separator: ", ")
  }

  /// Returns the table of a record, with the recorded columns, and the condition that a row has no values in others;
  /// throws if it lacks some by now.
  private func table(of record: AddedRowsRecord.Table) throws(DecantError) -> (
    changes: TableChanges, unrecorded: String, made: [String]
  ) {
    guard var table = tables.schema.tables.first(where: { $0.name == record.name }),
      let facts = tables.catalog.tables[record.name], facts.key == record.key
    else { throw differs(record) }
    // Of links only the ends are recorded: what the server made besides is no change unless it was edited.
    let ends = tables.catalog.references.filter { $0.table == record.name }.flatMap(\.columns)
    let isLink = record.columns.allSatisfy(ends.contains)
    let others = table.columns.filter { !record.columns.contains($0.name) }
    let made = others.filter { isLink && facts.columns[$0.name]?.hasDefault == true }.map(\.name)
    let later = others.filter { !made.contains($0.name) }
    let known = table.columns.map(\.name)
    // Columns that the store's record does not know are not read.
    guard facts.columns.keys.allSatisfy(known.contains) else { throw differs(record) }
    table.columns = try record.columns.map { name throws(DecantError) in
      guard let column = table.columns.first(where: { $0.name == name }) else { throw differs(record) }
      return column
    }
    let changes = TableChanges(table, facts, given: Set(table.columns.map(\.own.foldedName)))
    return (changes, (["1"] + later.map { "r.\($0.own.sqlName) IS NULL" }).joined(separator: " AND "), made)
  }

  /// Returns the condition that the columns `made` of a row `r` have their defaults on the server; those that are
  /// computed, such as `now()`, are not compared.
  private func unedited(
    _ record: AddedRowsRecord.Table,
    _ changes: TableChanges,
    _ made: [String],
    _ rows: Connection
  ) throws(DecantError) -> String {
    guard !made.isEmpty else { return "1" }
    let name = ServerStatements(place: tables.server.schema).qualified(record.name)
    let defaults = try tables.server.explaining("cannot read the defaults of \(record.name)") {
      () throws(PostgresError) in
      try tables.connection.rows(
        """
        SELECT a.attname, '(' || pg_catalog.pg_get_expr(d.adbin, d.adrelid) || ')::'
          || pg_catalog.format_type(a.atttypid, a.atttypmod)
        FROM pg_catalog.pg_attrdef AS d JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
        WHERE d.adrelid = $1::pg_catalog.regclass AND a.attgenerated = '' AND pg_catalog.pg_get_expr(d.adbin, d.adrelid)
          ~ '^(''([^'']|'''')*''|[(]?-?[0-9.]+[)]?|true|false|NULL)(::[^()'']+([(][0-9, ]+[)])?[^()'']*)?$'
        """, [name]
      ).compactMap { row in row[0].flatMap { made.contains($0) ? (name: $0, value: row[1] ?? "NULL") : nil } }
    }
    guard !defaults.isEmpty else { return "1" }
    let differ = defaults.map { "t.\(ServerNames.quoted($0.name))::text IS DISTINCT FROM (\($0.value))::text" }
    let edited = ServerKeys(name: "edited", tables: tables)
    try edited.read("t.*, true", "FROM \(name) AS t WHERE \(differ.joined(separator: " OR "))", of: changes, on: rows)
    return "NOT EXISTS (SELECT 1 FROM \(edited.table) AS k WHERE \(edited.isSame(changes)))"
  }

  private func differs(_ record: AddedRowsRecord.Table) -> DecantError {
    DecantError(
      .modelsDiffer,
      "the table \(record.name) is missing, or has another key or other columns than when the run added rows",
      place: "\(tables.server.place)",
      remedy: run.map { run in
        "restore the table as it was; or delete the rows by hand, and then the record with DROP SCHEMA \(run.place) CASCADE"
      } ?? "restore the table as it was, or delete the rows by hand"
    )
  }

  /// The links to rows that were added, with or without foreign keys that the server checks; a conditional one counts in
  /// every row.
  private var references: [ServerSchema.Reference] {
    (tables.record?.schema.references ?? []) + tables.references + tables.references(of: links) + declared
  }

  /// Throws if rows that stay refer to deleted ones.
  private func check(_ reference: ServerSchema.Reference, _ rows: Connection) throws(DecantError) {
    guard written.contains(where: { $0.name == reference.target && $0.added > 0 && !$0.key.isEmpty }),
      let table = tables.schema.tables.first(where: { $0.name == reference.table })
    else { return }
    let leads = zip(reference.columns, reference.targetColumns).map { "r.\(table.own($0).sqlName) = d.\($1.sqlName)" }
    let count = try explaining("cannot read the rows of \(table.own)") { () throws(SQLiteError) in
      try rows.integer(
        """
        SELECT count(*) FROM main.\(table.own.sqlName) AS r WHERE EXISTS (
          SELECT 1 FROM temp.\(AddedRows.deleted(reference.target)) AS d WHERE \(leads.joined(separator: " AND ")))
        """) ?? 0
    }
    guard count > 0 else { return }
    let (refers, columns) = (count == 1 ? "refers" : "refer", reference.columns.joined(separator: ", "))
    if let unkeyed = written.first(where: { $0.name == reference.table && $0.key.isEmpty && $0.added > 0 }) {
      throw DecantError(
        .unsupportedContent,
        "\(count.counted("row")) of \(reference.table) \(refers) by \(columns) to added rows of \(reference.target); the run "
          + "added \(unkeyed.added.counted("row")) there, which cannot be distinguished from others, as the table has no key",
        place: "\(tables.server.place)",
        remedy: "delete those rows of \(reference.table), or change their links, first; nothing was changed"
      )
    }
    throw DecantError(
      .unsupportedContent,
      "\(count.counted("row")) of \(reference.table) that the run did not add, or that \(count == 1 ? "was" : "were") changed since, "
        + "\(refers) by \(columns) to added rows of \(reference.target)",
      place: "\(tables.server.place)",
      remedy: "delete them or change their links first; nothing was changed"
    )
  }
}
