internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Full-text indexes that a patch has built anew.
extension SQLPatch {
  /// The full-text indexes whose texts may have other numbers in each database: they are numbered as rows that have a key of another kind
  /// are, or by a view.
  func findRebuilt() throws(DecantError) -> [TextIndex] {
    var found: [TextIndex] = []
    for index in textIndexes {
      guard let content = index.content else { continue }
      let table = try explaining("cannot read \(content)") { () throws(SQLiteError) in
        try connection.integer(
          "SELECT 1 FROM \(MatchSide.source.schema.sqlName).sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
          .text(content)
        ) == nil ? nil : PatchedTable(content, on: connection)
      }
      if table.map({ $0.hasHiddenRowID && !$0.key.isEmpty }) ?? true { found.append(index) }
    }
    return found
  }

  /// Whether an index finds other words in each database, in rows that both have.
  func findsOthers(_ index: TextIndex, _ content: PatchedTable) throws(SQLiteError) -> Bool {
    // The others do not say in which texts they find a word.
    guard index.module == "fts5", let number = content.rowID else { return false }
    let words = Sided(try index.words(in: .source, on: connection), try index.words(in: .destination, on: connection))
    defer { withExtendedLifetime(words) {} }
    let key = content.key.map { "r.\($0.sqlName)" }.joined(separator: ", ")
    let selects = Sided { side in
      "SELECT w.term, w.col, w.\"offset\", \(key) FROM \(words[side]) AS w "
        + "JOIN \(content.table(side)) AS r ON r.\(number.sqlName) = w.doc"
    }
    return try connection.integer(
      """
      SELECT EXISTS (SELECT * FROM (\(selects.source)) EXCEPT SELECT * FROM (\(selects.destination)))
        OR EXISTS (SELECT * FROM (\(selects.destination)) EXCEPT SELECT * FROM (\(selects.source)))
      """
    ) == 1
  }
}
