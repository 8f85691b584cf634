internal import DecantBase
package import DecantSQLite

/// What a table's rules read while its rows are written.
package struct TableRules {
  /// The names, folded, in its indexes and in the conditions (CHECK) that are checked; also texts, because SQLite reads
  /// some texts as names.
  package fileprivate(set) var names: Set<String> = []
  /// Whether it has triggers that run.
  package fileprivate(set) var hasTriggers = false
}

extension Connection {
  /// Returns the rules of a table of `main`.
  package func rules(of table: String) throws(SQLiteError) -> TableRules {
    var rules = TableRules()
    try forEachRow(
      """
      SELECT x.name FROM pragma_index_list(?1, 'main') AS l, pragma_index_xinfo(l.name, 'main') AS x
      WHERE x.name IS NOT NULL
      """, .text(table)
    ) { row in rules.names.insert((row.text(at: 0) ?? "").foldedName) }
    let ignoresChecks = try integer("PRAGMA ignore_check_constraints") == 1
    try forEachRow(
      "SELECT type, sql FROM main.sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND sql IS NOT NULL", .text(table)
    ) { row in
      let sql = row.text(at: 1) ?? ""
      switch row.text(at: 0) {
      case "index": rules.names.formUnion(SQLTokens(sql).foldedNames)
      case "table" where !ignoresChecks:
        for check in SQLTokens(sql).checks { rules.names.formUnion(SQLTokens(check).foldedNames) }
      case "trigger" where hasTriggersEnabled: rules.hasTriggers = true
      default: break
      }
    }
    return rules
  }
}

extension SQLTokens {
  /// All names and texts in the statement, folded.
  fileprivate var foldedNames: [String] {
    tokens.compactMap { token in
      (token.kind == .text ? String(token.text.dropFirst().dropLast()) : token.name)?.foldedName
    }
  }
}
