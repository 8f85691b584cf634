package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The tables, indexes and pages of a new store.
extension CoreDataDestination {
  package func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    switch part {
    case .tables: try createTables(on: connection, source: source)
    case .uniqueIndexes: try createUniqueIndexes(on: connection, source: source)
    case .indexes: try createIndexes(on: connection, source: source)
    case .derivedValues(let written): try derive(on: connection, written: written)
    }
  }

  private func createTables(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot create the tables of “\(path)”") { () throws(SQLiteError) in
      if let pattern { return try createTables(after: pattern, on: connection, source: source) }
      for pragma in ["auto_vacuum", "user_version", "application_id"] {
        let value = try connection.integer("PRAGMA \(source.sqlName).\(pragma)") ?? 0
        try connection.run("PRAGMA main.\(pragma) = \(value)")
      }
      let template = try template(source, connection)
      try template.checkSearchTables(of: layout)
      try connection.transaction { () throws(SQLiteError) in
        for table in template.tables { try connection.run(table.sql) }
        try connection.run(
          "INSERT INTO main.Z_PRIMARYKEY SELECT * FROM \(source.sqlName).Z_PRIMARYKEY"
            + (keepsSyncMetadata ? "" : " WHERE NOT (\(SyncMetadata.counterCondition))")
        )
        try metadata.write(on: connection)
        try copyBooks(of: template, from: source, on: connection)
      }
    }
  }

  /// Copies the cached model, and the app's own key counters.
  private func copyBooks(
    of template: StoreTemplate,
    from source: String,
    on connection: Connection
  ) throws(SQLiteError) {
    if template.tables.contains(where: { $0.name == "Z_MODELCACHE" }) {
      try connection.run("INSERT INTO main.Z_MODELCACHE SELECT * FROM \(source.sqlName).Z_MODELCACHE")
    }
    try copySequences(from: source, on: connection)
  }

  /// Copies the AUTOINCREMENT counters of the app's tables.
  func copySequences(from source: String, on connection: Connection) throws(SQLiteError) {
    for schema in [source, "main"] {
      let sequence =
        "SELECT count(*) FROM \(schema.sqlName).sqlite_schema WHERE name = 'sqlite_sequence'"
      guard try connection.integer(sequence) == 1 else { return }
    }
    let names = layout.plainTables.map(\.name.sqlText).joined(separator: ", ")
    try connection.run("DELETE FROM main.sqlite_sequence")
    try connection.run(
      """
      INSERT INTO main.sqlite_sequence SELECT * FROM \(source.sqlName).sqlite_sequence
      WHERE name IN (\(names))
      """
    )
  }

  package func adoptPages(on connection: Connection) throws(DecantError) -> Bool {
    try explaining("cannot rewrite the metadata of “\(path)”") { () throws(SQLiteError) in
      var isDirty = metadata.isReduced
      try metadata.write(on: connection)
      guard !keepsSyncMetadata else { return isDirty }
      var tables: [String] = []
      try connection.forEachRow("SELECT name FROM main.sqlite_schema WHERE type = 'table'") { row in
        tables.append(row.text(at: 0) ?? "")
      }
      for table in tables where SyncMetadata.isTable(table) {
        try connection.run("DROP TABLE main.\(table.sqlName)")
        isDirty = true
      }
      try connection.run("DELETE FROM main.Z_PRIMARYKEY WHERE \(SyncMetadata.counterCondition)")
      return isDirty || connection.changeCount > 0
    }
  }

  /// Adds the new objects of an existing store to its R-trees, as triggers would.
  func fillSearchTables(from source: String, on connection: Connection) throws(SQLiteError) {
    let here = try template("main", connection).virtualTables.map(\.name)
    let there = try sourceTemplate(source, connection).virtualTables.map(\.name)
    for name in here where there.contains(name) || !isSourceCoreData {
      try SearchTable(name, in: layout)?.fill(from: source, on: connection)
    }
  }

  private func createUniqueIndexes(on connection: Connection, source: String) throws(DecantError) {
    // A store made from a pattern has them with its tables.
    guard pattern == nil else { return }
    try explaining("cannot create the indexes of “\(path)”") { () throws(SQLiteError) in
      for item in try sourceTemplate(source, connection).uniqueIndexes {
        try connection.run(item.sql)
      }
    }
  }

  private func createIndexes(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot build the indexes of “\(path)”") { () throws(SQLiteError) in
      let own = try sourceTemplate(source, connection)
      let template: StoreTemplate
      if let pattern {
        template = pattern.template(with: layout, from: own, hasUnique: true)
          .without(lost)
      } else {
        template = try own.withoutUniqueIndexes(of: connection)
      }
      for table in template.virtualTables {
        try connection.run(table.sql)
        try SearchTable(table.name, in: layout)?.fill(from: source, on: connection)
      }
      for item in template.afterRows { try connection.run(item.sql) }
    }
  }

  /// Returns the statements of the source that apply to a new store.
  func sourceTemplate(_ source: String, _ connection: Connection) throws(SQLiteError) -> StoreTemplate {
    guard isSourceCoreData else { return StoreTemplate([]) }
    return try template(source, connection)
  }

  private func template(_ schema: String, _ connection: Connection) throws(SQLiteError) -> StoreTemplate {
    try StoreTemplate(of: schema, on: connection, keepsSyncMetadata: keepsSyncMetadata)
  }
}
