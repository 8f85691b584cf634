internal import DecantSQLite

/// The system tables of a Core Data store, as they are on disk.
struct Bookkeeping {
  /// A row of `Z_PRIMARYKEY`.
  struct Entry {
    var number: Int64
    var name: String
    var parent: Int64
    var counter: Int64
  }

  /// The kind of a table according to SQLite.
  struct TableKind: Hashable {
    /// Whether it is neither a virtual table nor a shadow table.
    var isOrdinary: Bool
    var isVirtual: Bool
    var hasRowID: Bool
  }

  var entries: [Entry] = []
  var uuid = ""
  var metadata: [UInt8] = []
  var modelCache: [UInt8]?
  /// The columns of each table, in order.
  var columns: [String: [String]] = [:]
  /// The declared types of columns, by table and column.
  var declaredTypes: [String: [String: String]] = [:]
  /// The kind of each table.
  var tableKinds: [String: TableKind] = [:]
  var textEncoding = "UTF-8"

  /// Reads the system tables of the database that is open as `main` on `connection`.
  init(_ connection: Connection) throws(SQLiteError) {
    textEncoding = try connection.text("PRAGMA encoding") ?? "UTF-8"
    var columns: [String: [String]] = [:]
    var declaredTypes: [String: [String: String]] = [:]
    try connection.forEachRow(
      """
      SELECT m.name, c.name, c.type FROM main.sqlite_schema AS m JOIN pragma_table_info(m.name, 'main') AS c
      WHERE m.type = 'table' ORDER BY m.rowid, c.cid
      """
    ) { row in
      let (table, column) = (row.text(at: 0) ?? "", row.text(at: 1) ?? "")
      columns[table, default: []].append(column)
      declaredTypes[table, default: [:]][column] = row.text(at: 2)
    }
    self.columns = columns
    self.declaredTypes = declaredTypes
    var tableKinds: [String: TableKind] = [:]
    try connection.forEachRow("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'") { row in
      tableKinds[row.text(at: 0) ?? ""] = TableKind(
        isOrdinary: row.text(at: 1) == "table",
        isVirtual: row.text(at: 1) == "virtual",
        hasRowID: row.integer(at: 2) == 0
      )
    }
    self.tableKinds = tableKinds
    if columns["Z_PRIMARYKEY"] != nil {
      var entries: [Entry] = []
      try connection.forEachRow("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM main.Z_PRIMARYKEY ORDER BY Z_ENT") { row in
        entries.append(
          Entry(
            number: row.integer(at: 0),
            name: row.text(at: 1) ?? "",
            parent: row.integer(at: 2),
            counter: row.integer(at: 3)
          )
        )
      }
      self.entries = entries
    }
    if columns["Z_METADATA"] != nil {
      uuid = try connection.text("SELECT Z_UUID FROM main.Z_METADATA") ?? ""
      metadata = try connection.bytes("SELECT Z_PLIST FROM main.Z_METADATA") ?? []
    }
    if columns["Z_MODELCACHE"] != nil {
      modelCache = try connection.bytes("SELECT Z_CONTENT FROM main.Z_MODELCACHE")
    }
  }
}
