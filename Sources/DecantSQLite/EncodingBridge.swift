internal import CDecantSQLite

/// A bridge to the tables of a database that is open on another connection, with texts converted to this one's
/// encoding.
///
/// SQLite cannot attach a database whose text encoding differs from that of `main`. With a bridge the same statements
/// can read it: conditions on keys are passed on, so that its indexes are used, and every text is converted exactly or
/// refused.
final class EncodingBridge: TableModule {
  let reader: Connection
  /// The name of the schema, on both connections.
  let schema: String
  /// The encodings of the connection that is read, and of the one that reads.
  let from: TextEncoding
  let to: TextEncoding
  /// The collations that the reader knows, in lower case.
  private let collations: Set<String>

  private init(
    _ schema: String,
    _ reader: Connection,
    _ from: TextEncoding,
    _ to: TextEncoding,
    _ collations: Set<String>
  ) {
    self.schema = schema
    self.reader = reader
    (self.from, self.to) = (from, to)
    self.collations = collations
    super.init()
  }

  /// Returns a bridge from the schema `schema` of `reader` to the encoding of `connection`.
  static func of(_ schema: String, on reader: Connection, into connection: Connection)
    throws(SQLiteError) -> EncodingBridge
  {
    var collations: Set<String> = []
    try reader.forEachRow("SELECT lower(name) FROM pragma_collation_list") { row in
      collations.insert(row.text(at: 0) ?? "")
    }
    let (from, to) = (try reader.textEncoding(), try connection.textEncoding())
    return EncodingBridge(schema, reader, from, to, collations)
  }

  override func table(_ name: String, arguments: [String]) throws(SQLiteError) -> ModuleTable {
    BridgedTable(try TableDescription(of: name, in: self), from: self)
  }

  /// Returns the names of the tables, without shadow tables of virtual tables.
  func tableNames() throws(SQLiteError) -> [String] {
    var names: [String] = []
    try reader.forEachRow(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = ?1 AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
      """,
      .text(schema)
    ) { row in
      names.append(row.text(at: 0) ?? "")
    }
    return names
  }

  /// Returns a collation that compares texts on both connections as the column does.
  ///
  /// Texts in a column with an unknown collation cannot be compared on their own connection.
  func collation(of column: String, in table: String) -> String {
    guard let name = reader.collation(of: column, in: table, schema) else { return "BINARY" }
    return collations.contains(name.lowercased()) ? name : "BINARY"
  }
}

extension Connection {
  /// Returns the collation of a column of `table` in `schema`; `nil` for a column that the table does not have.
  package func collation(of column: String, in table: String, _ schema: String = "main") -> String? {
    var name: UnsafePointer<CChar>?
    sqlite3_table_column_metadata(handle, schema, table, column, nil, &name, nil, nil, nil)
    return name.map { String(cString: $0) }
  }

  /// Makes the tables that `reader` has under `schema` readable here, under the same name.
  ///
  /// Call it once per schema, before any transaction. `reader` then belongs to this connection; while a transaction is
  /// open on it, reads see one state, whatever is committed here.
  ///
  /// A text that the encoding of `main` cannot store exactly ends its statement with an error. A virtual table that
  /// SQLite cannot open is omitted.
  package func attach(_ schema: String, of reader: Connection) throws(SQLiteError) {
    try run("ATTACH ':memory:' AS \(schema.sqlName)")
    let bridge = try EncodingBridge.of(schema, on: reader, into: self)
    let module = "bridge_\(schema)"
    try register(bridge, as: module)
    // Without it a name may be taken for that of a shadow table in `main`.
    try configure(SQLITE_DBCONFIG_DEFENSIVE, false)
    for name in try bridge.tableNames() {
      do throws(SQLiteError) {
        try run("CREATE VIRTUAL TABLE \(schema.sqlName).\(name.sqlName) USING \(module.sqlName)")
      } catch {
        // The module is unknown, or refuses to open its tables.
        guard error.isGeneral, try reader.isVirtual(name, in: schema) else { throw error }
      }
    }
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    setReader(reader, of: schema)
  }

  private func isVirtual(_ table: String, in schema: String) throws(SQLiteError) -> Bool {
    try integer(
      "SELECT count(*) FROM pragma_table_list WHERE schema = ?1 AND name = ?2 AND type = 'virtual'",
      .text(schema),
      .text(table)
    ) == 1
  }
}
