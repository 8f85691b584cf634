internal import DecantBase
internal import DecantPlain
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
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
  ///   - columns: The columns of the query: at least those of the key and `values`, and then a condition, which is the
  ///     mark.
  ///   - source: The query without these, from `FROM`.
  ///   - change: The table.
  ///   - values: The columns that are read besides the key, as `v0` and so on.
  ///   - rows: The connection with the temporary database.
  /// - Throws: `DecantError` if the rows cannot be read.
  func read(
    _ columns: String, _ source: String, of change: TableChanges, values: [ServerSchema.Column] = [],
    on rows: Connection
  ) throws(DecantError) {
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
    var taken = PlainNames(Set(change.whole.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    let mark = taken.claim(ServerKeys.mark)
    read.columns = change.key + values + [ServerSchema.Column(name: mark, type: .boolean)]
    let names = change.key.indices.map { "c\($0)" } + values.indices.map { "v\($0)" } + [ServerKeys.mark]
    for (index, name) in names.enumerated() { read.columns[index].origin = name }
    (read.origin, read.key, read.rowID) = ("decant_keys", [], nil)
    // The expressions of some columns name the table.
    let own = "\(ServerStatements(place: tables.server.schema).qualified(read.name))."
    for index in read.columns.indices {
      read.columns[index].expression = read.columns[index].expression?
        .replacing(own, with: "\(ServerNames.quoted(read.name)).")
    }
    read.query = "SELECT \(columns) AS \(ServerNames.quoted(mark)) \(source)"
    let ends = change.key.indices.map { "c\($0)" }.joined(separator: ", ")
    let encoding = try explaining(context) { () throws(SQLiteError) in
      try rows.text("PRAGMA main.encoding") ?? "UTF-8"
    }
    let scratch = try ScratchTables.make(at: path, encoding: encoding) { scratch throws(DecantError) in
      try explaining(context) { () throws(SQLiteError) in
        try scratch.run("CREATE TABLE decant_keys (\(names.joined(separator: ", ")), PRIMARY KEY (\(ends)))")
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
