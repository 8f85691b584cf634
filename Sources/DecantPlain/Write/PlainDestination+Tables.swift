package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

extension PlainDestination {
  package func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    switch part {
    case .tables: try createTables(on: connection, source: source)
    case .uniqueIndexes: try createUniqueIndexes(on: connection, source: source)
    case .indexes: try createIndexes(on: connection, source: source)
    case .derivedValues: break
    }
  }

  private func createTables(on connection: Connection, source: String) throws(DecantError) {
    try checkVirtualTables()
    try explaining("cannot create the tables of “\(path)”") { () throws(SQLiteError) in
      for pragma in ["auto_vacuum", "user_version", "application_id"] {
        let value = try connection.integer("PRAGMA \(source.sqlName).\(pragma)") ?? 0
        try connection.run("PRAGMA main.\(pragma) = \(value)")
      }
      let template = try StoreTemplate(of: source, on: connection)
      try connection.transaction { () throws(SQLiteError) in
        for table in template.tables where !isLeftOut(table.name) {
          let last = lastColumns[table.name.foldedName] ?? []
          try connection.run(last.isEmpty ? table.sql : SQLTokens.moving(last, toEndOf: table.sql))
        }
        if carriesVirtualTables {
          let names = Set(layout.plainTables.map(\.name))
          for table in template.items where names.contains(table.name) && table.type == "table" {
            try connection.run(table.sql)
          }
        } else {
          for table in virtualTables(of: template, { $0 == .own }) { try connection.run(table.sql) }
        }
      }
    }
  }

  /// Continues the AUTOINCREMENT counters where those of the source are.
  private func copySequences(from source: String, on connection: Connection) throws(SQLiteError) {
    guard try hasSequences(source, connection), try hasSequences("main", connection) else { return }
    try connection.run("DELETE FROM main.sqlite_sequence")
    try connection.run(
      """
      INSERT INTO main.sqlite_sequence SELECT * FROM \(source.sqlName).sqlite_sequence
      WHERE name IN (SELECT name FROM main.sqlite_schema WHERE type = 'table')
      """
    )
  }

  private func createUniqueIndexes(on connection: Connection, source: String) throws(DecantError) {
    let template = try explaining("cannot create the indexes of “\(path)”") {
      () throws(SQLiteError) in try StoreTemplate(of: source, on: connection)
    }
    try make(template.uniqueIndexes.filter { !isLeftOut($0.table) }, on: connection)
  }

  private func createIndexes(on connection: Connection, source: String) throws(DecantError) {
    let template = try explaining("cannot build the indexes of “\(path)”") {
      () throws(SQLiteError) in
      try StoreTemplate(of: source, on: connection).withoutUniqueIndexes(of: connection)
    }
    let rest = template.afterRows.filter { !isLeftOut($0.table) }
    // The content of a virtual table may be a view; triggers are made last.
    try make(rest.filter { $0.type == "view" }, on: connection)
    if !carriesVirtualTables {
      let rebuilt = virtualTables(of: template) { if case .table = $0 { true } else { false } }
      for table in rebuilt {
        try make([table], on: connection)
        try rebuild(table.name, on: connection)
      }
    }
    try make(rest.filter { $0.type != "view" }, on: connection)
    try explaining("cannot finish “\(path)”") { () throws(SQLiteError) in
      try copyStatistics(from: source, on: connection)
      guard carriesVirtualTables else { return }
      for table in virtualTables(of: template, { _ in true }) {
        try connection.enterVirtualTable(table.name, sql: table.sql)
      }
    }
  }

  /// Copies the statistics that SQLite's query planner uses to choose among indexes.
  private func copyStatistics(from source: String, on connection: Connection) throws(SQLiteError) {
    for table in ["sqlite_stat1", "sqlite_stat4"] {
      let isThere = "SELECT count(*) FROM \(source.sqlName).sqlite_schema WHERE name = ?1"
      guard try connection.integer(isThere, .text(table)) == 1 else { continue }
      // Only this statement creates such tables; it reads nothing but the schema.
      try connection.run("ANALYZE main.sqlite_schema")
      let isMade = "SELECT count(*) FROM main.sqlite_schema WHERE name = ?1"
      guard try connection.integer(isMade, .text(table)) == 1 else { continue }
      try connection.run("DELETE FROM main.\(table)")
      try connection.run("INSERT INTO main.\(table) SELECT * FROM \(source.sqlName).\(table)")
    }
  }

  private func make(_ items: [StoreTemplate.Item], on connection: Connection) throws(DecantError) {
    for item in items {
      try explaining("cannot create the \(item.type) \(item.name) of “\(path)”") {
        () throws(SQLiteError) in try connection.run(item.sql)
      }
    }
  }

  package func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError) {
    guard !isNew else {
      // Writing rows one by one has increased them.
      return try explaining("cannot write the counters of “\(path)”") { () throws(SQLiteError) in
        try copySequences(from: source, on: connection)
      }
    }
    for table in schema.tables where !triggered.contains(table.name) {
      guard case .table = table.virtual?.content else { continue }
      try rebuild(table.name, on: connection)
    }
  }

  /// Rebuilds a full-text index from its texts.
  private func rebuild(_ table: String, on connection: Connection) throws(DecantError) {
    do throws(SQLiteError) {
      try connection.run("INSERT INTO main.\(table.sqlName) (\(table.sqlName)) VALUES ('rebuild')")
    } catch {
      // SQLite does not report which content could not be read; a view may need a function of the program that made it.
      guard error.isGeneral else {
        throw DecantError("cannot build the index \(table) of “\(path)”", cause: error)
      }
      throw DecantError(
        .unsupportedContent,
        "cannot build the virtual table \(table): SQLite cannot read its content",
        remedy: isNew
          ? "copy everything into a new store, without \(option: .where) and \(option: .onError), or use "
            + "\(say: .leaveOut, table)"
          : "use \(say: .leaveOut, table), and let the program that created it rebuild it",
        cause: error
      )
    }
  }

  private func virtualTables(
    of template: StoreTemplate,
    _ isWanted: (VirtualTable.Content) -> Bool
  ) -> [StoreTemplate.Item] {
    template.virtualTables.filter { item in
      guard let content = schema.table(item.name)?.virtual?.content else { return false }
      return !isLeftOut(item.name) && isWanted(content)
    }
  }

  private func isLeftOut(_ table: String) -> Bool {
    leftOutTables.contains { $0.isSameName(as: table) }
  }

  /// Throws for virtual tables whose content cannot be copied as rows, unless they are excluded.
  private func checkVirtualTables() throws(DecantError) {
    guard !carriesVirtualTables else { return }
    for table in schema.tables {
      guard case .unreadable(let reason) = table.virtual?.content else { continue }
      throw DecantError(
        .unsupportedContent,
        "cannot copy the virtual table \(table.name) row by row: \(reason)",
        remedy:
          "copy everything into a new store, without \(option: .where) and \(option: .onError), or use "
          + "\(say: .leaveOut, table.name)"
      )
    }
  }
}
