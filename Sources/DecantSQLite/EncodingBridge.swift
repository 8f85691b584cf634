internal import CDecantSQLite

/// The tables of a database that is open on another connection: as they are, but for the encoding of
/// their texts.
///
/// SQLite attaches no database whose texts are encoded otherwise than those of `main`. Through a bridge the
/// same statements read it all the same: conditions on keys are handed on, so that its own indexes are
/// used, and every text is turned into the other encoding exactly or refused.
final class EncodingBridge: TableModule {
  let reader: Connection
  /// The name of the schema, on both connections.
  let schema: String
  /// The encodings of the connection that is read, and of the one that is bridged.
  let from: TextEncoding
  let to: TextEncoding
  /// The collations that the reader knows, in small letters.
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

  /// Returns a bridge of what `reader` has as `schema`, for the encoding of `connection`.
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

  /// The names of the tables, without those that a virtual table keeps its content in.
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

  /// Returns a collation under which texts can be compared on both sides, as the column compares them.
  ///
  /// Texts in a column whose collation nobody knows cannot be compared at all where they are.
  func collation(of column: String, in table: String) -> String {
    var name: UnsafePointer<CChar>?
    sqlite3_table_column_metadata(reader.handle, schema, table, column, nil, &name, nil, nil, nil)
    guard let name else { return "BINARY" }
    let collation = String(cString: name)
    return collations.contains(collation.lowercased()) ? collation : "BINARY"
  }
}

extension Connection {
  /// Makes the tables that `reader` has under `schema` readable here, under the same name.
  ///
  /// Called once for a schema, before any transaction. `reader` is this connection's from then on; what is
  /// read is in one state as long as a transaction is open there, whatever is committed here.
  ///
  /// A text that the encoding of `main` cannot hold exactly ends the statement that asks for it with an
  /// error. A virtual table that SQLite cannot open is left out.
  public func attach(_ schema: String, of reader: Connection) throws(SQLiteError) {
    try run("ATTACH ':memory:' AS \(schema.sqlName)")
    let bridge = try EncodingBridge.of(schema, on: reader, into: self)
    let module = "bridge_\(schema)"
    try register(bridge, as: module)
    // Without it a name may be taken for that of a virtual table's content in `main`.
    try configure(SQLITE_DBCONFIG_DEFENSIVE, false)
    for name in try bridge.tableNames() {
      do throws(SQLiteError) {
        try run("CREATE VIRTUAL TABLE \(schema.sqlName).\(name.sqlName) USING \(module.sqlName)")
      } catch {
        // Of a module that is not there, or that refuses to open what it finds.
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
