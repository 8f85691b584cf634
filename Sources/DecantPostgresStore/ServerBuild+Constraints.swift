internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// What is added to the filled tables.
extension ServerBuild {
  /// Adds keys, indexes and references to the filled tables, and sets their sequences.
  func complete(
    _ required: [String: [String]],
    _ highestKeys: [String: Int64],
    from scratch: Connection
  ) throws(DecantError) {
    for table in schema.tables {
      try perform(
        statements.finish(table, required: required[table.name] ?? []), "cannot add the keys of \(table.name)")
      if let sql = statements.setSequence(of: table, highest: highestKeys[table.name] ?? 0) {
        try perform([sql], "cannot set the sequence of \(table.name)")
      }
    }
    let tooLarge = try createIndexes()
    for reference in schema.references {
      try check(reference, in: scratch)
      guard !tooLarge.contains(where: { $0.isKey(of: reference) }) else { continue }
      try perform([statements.create(reference)], "cannot add the foreign key \(reference.name)")
    }
  }

  /// Makes the indexes; returns those that the server cannot make, because a value is too large for them.
  private func createIndexes() throws(DecantError) -> [ServerSchema.Index] {
    var tooLarge: [ServerSchema.Index] = []
    for index in schema.indexes {
      try server.explaining("cannot create the index \(index.name)") { () throws(PostgresError) in
        try connection.run("SAVEPOINT decant_index")
        do throws(PostgresError) {
          try connection.run(statements.create(index))
        } catch {
          guard error.isTooLarge else { throw error }
          try connection.run("ROLLBACK TO SAVEPOINT decant_index")
          tooLarge.append(index)
        }
        try connection.run("RELEASE SAVEPOINT decant_index")
      }
    }
    if !tooLarge.isEmpty {
      let names = tooLarge.map { "\($0.table) (\($0.columns.joined(separator: ", ")))" }.joined(separator: "; ")
      notes.append(
        ReportNote(
          .schemaNotCopied,
          "not made, because values are larger than an index of the server takes: the indexes on \(names)"))
    }
    return tooLarge
  }

  /// Throws if rows lead nowhere, which SQLite does not refuse; names the first of them.
  private func check(_ reference: ServerSchema.Reference, in scratch: Connection) throws(DecantError) {
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
  /// Whether `reference` leads to the columns of this index.
  fileprivate func isKey(of reference: ServerSchema.Reference) -> Bool {
    isUnique && table == reference.target && Set(columns) == Set(reference.targetColumns)
  }
}
