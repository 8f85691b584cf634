internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// External files of values, which are removed when no value refers to them any more.
extension ObjectEdits {
  /// Records the files that values of these objects refer to.
  func noteFiles(of column: RelationColumn, in table: EditedTable, _ keys: String) throws(DecantError) {
    guard column.isExternal, let storage = store.externalStorage else { return }
    let name = column.name.sqlName
    try editing { () throws(SQLiteError) in
      try statements.forEachRow(
        "SELECT \(name) FROM \(table.sql) WHERE \(table.key) IN (\(keys)) AND typeof(\(name)) = 'blob' "
          + "AND length(\(name)) < 1024"
      ) { row throws(SQLiteError) in
        guard let file = row.withBytes(at: 0, { storage.fileName(in: $0) }) else { return }
        try statements.run("INSERT OR IGNORE INTO temp.decant_files VALUES (?1)", [.text(file)])
      }
    }
  }

  /// Finds the files without any reference, before the commit.
  func findDroppedFiles() throws(DecantError) {
    guard let storage = store.externalStorage else { return }
    try editing { () throws(SQLiteError) in
      var names: [String] = []
      try statements.forEachRow("SELECT name FROM temp.decant_files") { row in names.append(row.text(at: 0) ?? "") }
      guard !names.isEmpty else { return }
      var left = Set(names)
      for relation in store.layout.relations {
        for column in relation.columns where column.isExternal {
          let name = column.name.sqlName
          try statements.forEachRow(
            "SELECT \(name) FROM \(relation.sqlTable(in: "main")) WHERE typeof(\(name)) = 'blob' "
              + "AND length(\(name)) < 1024"
          ) { row in
            if let file = row.withBytes(at: 0, { storage.fileName(in: $0) }) { left.remove(file) }
          }
        }
      }
      droppedFiles = left.sorted()
    }
  }

  /// Removes the files without any reference, after the commit.
  func removeDroppedFiles() {
    guard let storage = store.externalStorage, !storage.leadsElsewhere else { return }
    // If a file cannot be removed, it stays behind unused and does no harm.
    for name in droppedFiles { try? Files.remove("\(storage.folder)/\(name)") }
  }
}
