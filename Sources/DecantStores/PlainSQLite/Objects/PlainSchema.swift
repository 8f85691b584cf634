internal import Decant
internal import SQLite

/// The tables of a plain database as they are: what an `ObjectsLayout` is looked up in.
struct PlainSchema {
  /// A table and its columns, but for generated ones, which compute themselves.
  struct Table {
    let name: String
    var columns: [String] = []
    /// The column that is another name for the rowid, where there is one.
    var rowIDColumn: String?
    let hasRowID: Bool
  }

  /// The ordinary tables by their names in small letters.
  private(set) var tables: [String: Table] = [:]
  /// The virtual tables and views.
  private(set) var otherNames: [String] = []
  private(set) var textEncoding = "UTF-8"

  /// Reads the schema of what `connection` has open as `main`.
  init(_ connection: Connection) throws(SQLiteError) {
    textEncoding = try connection.text("PRAGMA encoding") ?? "UTF-8"
    var tables: [String: Table] = [:]
    var others: [String] = []
    try connection.forEachRow(
      """
      SELECT name, type, wr FROM pragma_table_list
      WHERE schema = 'main' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name
      """
    ) { row in
      let name = row.text(at: 0) ?? ""
      switch row.text(at: 1) {
      case "table": tables[name.lowercased()] = Table(name: name, hasRowID: row.integer(at: 2) == 0)
      case "virtual", "view": others.append(name)
      default: break
      }
    }
    otherNames = others
    for (key, table) in tables {
      var table = table
      var primary: [(name: String, type: String)] = []
      try connection.forEachRow(
        "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?1, 'main') ORDER BY cid",
        .text(table.name)
      ) { row in
        let name = row.text(at: 0) ?? ""
        if row.integer(at: 3) == 0 { table.columns.append(name) }
        if row.integer(at: 2) > 0 { primary.append((name, row.text(at: 1) ?? "")) }
      }
      // Only this one word, in any case, makes the key the rowid.
      if table.hasRowID, primary.count == 1, primary[0].type.uppercased() == "INTEGER" {
        table.rowIDColumn = primary[0].name
      }
      tables[key] = table
    }
    self.tables = tables
  }

  /// Reads the schema of the database behind `file`.
  init(_ file: DatabaseFile) throws(DecantError) {
    do throws(SQLiteError) {
      let connection = try Connection(file.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      try self.init(connection)
    } catch {
      throw DecantError(opening: file.path, error)
    }
  }
}
