internal import DecantBase
internal import DecantPlain
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// The keys of some rows of a table on the server, as they are in the temporary database: in a database of their own,
/// which is attached to it.
struct ServerKeys {
  /// The name under which the database is attached.
  let name: String
  let tables: ExistingTables

  /// The column with the mark of a row.
  static let mark = "decant_mark"
  /// The table with the keys, in the form used in statements.
  var table: String { "\(name).decant_keys" }

  /// Reads the rows of a table that a query returns; what was read before under this name is removed.
  ///
  /// - Parameters:
  ///   - columns: The columns of the query: all those of the table, and then a condition, which is the mark.
  ///   - source: The query without these, from `FROM`.
  ///   - change: The table.
  ///   - rows: The connection with the temporary database.
  /// - Throws: `DecantError` if the rows cannot be read.
  func read(_ columns: String, _ source: String, of change: TableChanges, on rows: Connection) throws(DecantError) {
    let context = "cannot find the rows of \(change.table.own)"
    let path = "\(tables.folder.path)/\(name).sqlite"
    try explaining(context) { () throws(SQLiteError) in
      let there = try rows.integer("SELECT count(*) FROM pragma_database_list WHERE name = ?1", .text(name)) ?? 0
      if there > 0 { try rows.run("DETACH \(name)") }
    }
    try explaining { () throws(SystemError) in
      if FileStatus(path) != nil { try Files.remove(path) }
    }
    var read = change.table
    var names = PlainNames(Set(change.whole.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    let mark = names.claim(ServerKeys.mark)
    read.columns = change.key + [ServerSchema.Column(name: mark, type: .boolean)]
    for index in change.key.indices { read.columns[index].origin = "c\(index)" }
    read.columns[change.key.count].origin = ServerKeys.mark
    (read.origin, read.key, read.rowID) = ("decant_keys", [], nil)
    read.query = "SELECT \(columns) AS \(ServerNames.quoted(mark)) \(source)"
    let own = change.key.indices.map { "c\($0)" }.joined(separator: ", ")
    let encoding = try explaining(context) { () throws(SQLiteError) in
      try rows.text("PRAGMA main.encoding") ?? "UTF-8"
    }
    let scratch = try ScratchTables.make(at: path, encoding: encoding) { scratch throws(DecantError) in
      try explaining(context) { () throws(SQLiteError) in
        try scratch.run("CREATE TABLE decant_keys (\(own), \(ServerKeys.mark), PRIMARY KEY (\(own)))")
      }
    }
    var schema = ServerSchema()
    schema.tables = [read]
    try ServerTables(server: tables.server, schema: schema, statements: ServerStatements(place: tables.server.schema))
      .fetch(into: scratch, on: tables.connection)
    try explaining(context) { () throws(SQLiteError) in
      try rows.attach(DatabaseFile.uri(of: path, "mode=ro"), as: name)
    }
  }

  /// Returns the condition that the row `r` of a table has the key of the row `k`.
  func isSame(_ change: TableChanges) -> String {
    change.key.enumerated().map { "k.c\($0.offset) = +r.\($0.element.own.sqlName) COLLATE BINARY" }
      .joined(separator: " AND ")
  }
}
