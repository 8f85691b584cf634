internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Schema objects that are kept but refer to removed tables.
///
/// Without these tables they fail, and with them every change of the tables they belong to.
struct Dependents {
  /// The removed tables.
  let dropped: [String]

  /// Returns the beginning of a sentence for each: its type, its name, and a table it refers to.
  ///
  /// SQLite reports such names only when a statement uses them. The text is therefore searched: every name and every
  /// string in it counts, whatever its meaning there.
  func found(on connection: Connection) throws(SQLiteError) -> [String] {
    guard !dropped.isEmpty else { return [] }
    let gone = dropped.map(\.sqlText).joined(separator: ", ")
    let known = Dictionary(dropped.map { ($0.lowercased(), $0) }) { first, _ in first }
    var found: [String] = []
    try connection.forEachRow(
      """
      SELECT type, name, sql FROM main.sqlite_schema
      WHERE (type IN ('trigger', 'view') OR (type = 'table' AND rootpage = 0))
        AND tbl_name COLLATE NOCASE NOT IN (\(gone)) ORDER BY name
      """
    ) { row in
      let tokens = SQLTokens(row.text(at: 2) ?? "").tokens
      let names = tokens.compactMap { token in
        token.name ?? (token.kind == .text ? String(token.text.dropFirst().dropLast()) : nil)
      }
      guard let table = names.lazy.compactMap({ known[$0.lowercased()] }).first else { return }
      found.append("\(row.text(at: 0) ?? "") \(row.text(at: 1) ?? "") names \(table)")
    }
    try connection.forEachRow(
      """
      SELECT m.name, f."table" FROM main.sqlite_schema AS m JOIN pragma_foreign_key_list(m.name, 'main') AS f
      WHERE m.type = 'table' AND m.name COLLATE NOCASE NOT IN (\(gone))
        AND f."table" COLLATE NOCASE IN (\(gone)) ORDER BY m.name
      """
    ) { row in
      found.append("table \(row.text(at: 0) ?? "") refers to \(row.text(at: 1) ?? "")")
    }
    return found
  }

  /// Throws if the store at `place` has any.
  func check(on connection: Connection, place: String) throws(DecantError) {
    let found = try explaining("cannot read the schema of “\(place)”") { () throws(SQLiteError) in
      try self.found(on: connection)
    }
    guard let first = found.first else { return }
    throw DecantError(
      .unsupportedContent,
      "the schema of “\(place)” still uses the data to remove: \(first)",
      place: found.count > 1 ? "also: \(found.dropFirst().joined(separator: "; "))" : nil,
      remedy: "drop it with the sqlite3 shell first, if nothing else needs it"
    )
  }
}
