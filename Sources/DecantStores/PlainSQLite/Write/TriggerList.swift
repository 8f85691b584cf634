internal import Decant
internal import SQLite

/// The triggers of a plain database.
struct TriggerList {
  /// The statements that made them, in small letters, with the tables they wait at.
  let all: [(table: String, sql: String)]

  /// Reads the triggers of `file`.
  init(_ file: PlainFile) throws(DecantError) {
    all = try explaining("cannot read the triggers of “\(file.database.path)”") {
      () throws(SQLiteError) in
      let connection = try Connection(file.database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      var all: [(table: String, sql: String)] = []
      try connection.forEachRow(
        "SELECT tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND sql IS NOT NULL"
      ) { row in
        all.append((row.text(at: 0) ?? "", (row.text(at: 1) ?? "").foldedName))
      }
      return all
    }
  }

  /// The tables that some trigger of another table speaks of, as far as its text tells.
  func tables(among tables: [TableSchema]) -> Set<String> {
    let names = tables.map(\.name)
    return Set(
      names.filter { name in
        all.contains { $0.sql.contains(name.foldedName) && !$0.table.isSameName(as: name) }
      }
    )
  }
}
