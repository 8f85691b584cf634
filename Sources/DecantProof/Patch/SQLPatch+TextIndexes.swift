internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Full-text indexes that a patch rebuilds.
extension SQLPatch {
  /// Finds the full-text indexes whose texts may have other numbers in each database.
  ///
  /// Their numbers are those of a view, or row numbers of a table whose key is something else.
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

  /// Returns whether the index finds different words in the two databases, in rows that both have.
  func findsOthers(_ index: TextIndex, _ content: PatchedTable) throws(SQLiteError) -> Bool {
    // The other modules do not say which texts contain a word.
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
