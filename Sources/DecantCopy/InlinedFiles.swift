internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The external files of the source whose content is stored in rows, because the destination has no external files.
struct InlinedFiles {
  let source: Layout
  let destination: Layout
  let connection: Connection

  /// Counts the files of copied objects that were found, and those that were missing.
  func counts() throws(DecantError) -> CopyReport.FileCounts {
    var counts = CopyReport.FileCounts()
    for relation in source.relations {
      let there = destination.relation(of: relation.root)
      for column in relation.columns where column.isExternal {
        guard let target = there?.column(column.columnRole), !target.isExternal else { continue }
        try explaining("cannot count the external files of \(relation.root)") {
          () throws(SQLiteError) in try count(column, of: relation, &counts)
        }
      }
    }
    return counts
  }

  private func count(
    _ column: RelationColumn,
    of relation: Relation,
    _ counts: inout CopyReport.FileCounts
  ) throws(SQLiteError) {
    let name = column.name.sqlName
    // A reference is short; length and type are known without reading the value.
    let conditions = [
      "typeof(\(name)) = 'blob'", "length(\(name)) < 128",
      "id(\(relation.root.sqlText), \(relation.keyName)) IS NOT NULL",
    ]
    let lengths = SelectStatement(
      columns: ["file_length('source', \(relation.value(of: column))) AS n"],
      source: relation.sqlTable(in: CopySession.source),
      conditions: conditions
    )
    try connection.forEachRow("SELECT coalesce(sum(n >= 0), 0), coalesce(sum(n < 0), 0) FROM (\(lengths.sql))") { row in
      counts.copied += row.integer(at: 0)
      counts.missing += row.integer(at: 1)
    }
  }
}
