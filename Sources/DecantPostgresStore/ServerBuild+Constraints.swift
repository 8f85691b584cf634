internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// Additions to filled tables.
extension ServerBuild {
  /// Makes the server add the keys and indexes of a filled table, set its sequence and analyze its values, in one
  /// transaction of `queue`.
  func addKeys(to table: ServerSchema.Table, _ required: [String], highest: Int64, _ queue: ServerQueue)
    throws(DecantError)
  {
    let indexes = schema.indexes.filter { $0.table == table.name }
    let keys =
      ["BEGIN", "SET LOCAL synchronous_commit = off"] + statements.finish(table, required: required)
      + [statements.setSequence(of: table, highest: highest)].compactMap(\.self)
    let analysis = "ANALYZE \(statements.qualified(table.name))"
    try queue.add("cannot add the keys and indexes of \(table.name)") { [self] connection in
      var leftOut: [ServerSchema.Index] = []
      do throws(PostgresError) {
        for sql in keys + indexes.map({ statements.create($0) }) { try connection.run(sql) }
      } catch {
        guard error.isTooLarge else { throw error }
        try connection.run("ROLLBACK")
        for sql in keys { try connection.run(sql) }
        for index in indexes where try !create(index, on: connection) { leftOut.append(index) }
      }
      try connection.run(analysis)
      try run.record([.keys(table: table.name)] + leftOut.map { .noIndex($0.name) }, on: connection)
      try connection.run("COMMIT")
      tooLarge += leftOut
    }
  }

  /// Creates an index; returns false if a value is too large for it.
  private func create(_ index: ServerSchema.Index, on connection: PostgresConnection) throws(PostgresError) -> Bool {
    try connection.run("SAVEPOINT decant_index")
    do throws(PostgresError) {
      try connection.run(statements.create(index))
      try connection.run("RELEASE SAVEPOINT decant_index")
      return true
    } catch {
      guard error.isTooLarge else { throw error }
      try connection.run("ROLLBACK TO SAVEPOINT decant_index")
      return false
    }
  }

  /// Adds a note about the indexes that the server could not create.
  func noteLargeIndexes() {
    guard !tooLarge.isEmpty else { return }
    let names = tooLarge.map { "\($0.table) (\($0.columns.joined(separator: ", ")))" }.joined(separator: "; ")
    note(
      .schemaNotCopied, "indexes not created, because values are larger than the server allows in an index: \(names)"
    )
  }

  /// Makes the server add the references of all tables, which have their keys by then, in one transaction of `queue`.
  func addReferences(_ queue: ServerQueue) throws(DecantError) {
    try queue.add("cannot add the foreign keys") { [self] connection in
      let references = schema.references.filter { reference in !tooLarge.contains { $0.isKey(of: reference) } }
      try connection.run("BEGIN")
      // This commit forces all earlier rows to the server's disk.
      try connection.run("SET LOCAL synchronous_commit = on")
      for reference in references { try connection.run(statements.create(reference)) }
      try run.record([.complete], on: connection)
      try connection.run("COMMIT")
    }
  }

  /// Throws if rows have references without a target, which SQLite permits; names the first of them.
  func check(_ reference: ServerSchema.Reference, in scratch: Connection) throws(DecantError) {
    guard let table = schema.tables.first(where: { $0.name == reference.table }), table.origin != nil,
      let target = schema.tables.first(where: { $0.name == reference.target })
    else { return }
    func own(_ name: String, of table: ServerSchema.Table) -> String {
      (table.columns.first { $0.name == name }?.own ?? name).sqlName
    }
    let columns = reference.columns.map { "r.\(own($0, of: table))" }
    let targets = reference.targetColumns.map { "t.\(own($0, of: target))" }
    let conditions =
      columns.map { "\($0) IS NOT NULL" } + [
        """
        NOT EXISTS (SELECT 1 FROM main.\(target.own.sqlName) AS t
        WHERE \(zip(columns, targets).map { "\($0) = \($1)" }.joined(separator: " AND ")))
        """
      ]
    let rows = "FROM main.\(table.own.sqlName) AS r WHERE \(conditions.joined(separator: " AND "))"
    let found = try explaining("cannot check the links of \(table.own)") { () throws(SQLiteError) in
      try scratch.integer("SELECT count(*) \(rows)") ?? 0
    }
    guard found > 0 else { return }
    throw DecantError(
      .linkBroken,
      "\(found.counted("row")) of \(table.own) lead nowhere: \(reference.columns.joined(separator: ", ")) has no row in "
        + "\(target.own), so the server would refuse the foreign key",
      place: server.place,
      remedy: "nothing was published: correct these rows in a copy of the database"
    )
  }
}

extension ServerSchema.Index {
  /// Whether this index is on the columns that `reference` refers to.
  fileprivate func isKey(of reference: ServerSchema.Reference) -> Bool {
    isUnique && table == reference.target && Set(columns) == Set(reference.targetColumns)
  }
}
