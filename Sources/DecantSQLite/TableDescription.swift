/// The schema of a table according to SQLite.
struct TableDescription {
  let name: String
  /// Its columns without the hidden ones of a virtual table, under collations that SQLite knows.
  private(set) var columns: [ModuleTable.Column] = []
  /// The affinities of the columns.
  private(set) var affinities: [Affinity] = []
  /// The columns of its primary key, in the key's order.
  private(set) var primaryKey: [Int] = []
  private(set) var hasRowID = true
  /// The columns by which rows are found without a full scan: the first of an index.
  private(set) var indexed: Set<Int> = []
  /// The columns whose values identify at most one row.
  private(set) var unique: Set<Int> = []

  /// A name of the rowid; `nil` if rows have none.
  var rowID: String? {
    guard hasRowID else { return nil }
    return ["rowid", "_rowid_", "oid"].first { rowID in
      !columns.contains { $0.name.lowercased() == rowID }
    }
  }

  /// Reads the description of `table` on the connection that has it.
  init(of table: String, in bridge: EncodingBridge) throws(SQLiteError) {
    name = table
    let (schema, connection) = (bridge.schema, bridge.reader)
    var isStrict = false
    try connection.forEachRow(
      "SELECT wr, strict FROM pragma_table_list WHERE schema = ?1 AND name = ?2",
      .text(schema),
      .text(table)
    ) { row in
      (hasRowID, isStrict) = (row.integer(at: 0) == 0, row.integer(at: 1) == 1)
    }
    var key: [(place: Int64, column: Int)] = []
    // Hidden columns of a virtual table are not content.
    try connection.forEachRow(
      "SELECT name, type, pk FROM pragma_table_xinfo(?1, ?2) WHERE hidden <> 1 ORDER BY cid",
      .text(table),
      .text(schema)
    ) { row in
      if row.integer(at: 2) > 0 { key.append((row.integer(at: 2), columns.count)) }
      let name = row.text(at: 0) ?? ""
      let affinity = Affinity(row.text(at: 1) ?? "", isStrict: isStrict)
      affinities.append(affinity)
      columns.append(
        ModuleTable.Column(name, type: affinity.comparedType, collation: bridge.collation(of: name, in: table))
      )
    }
    primaryKey = key.sorted { $0.place < $1.place }.map(\.column)
    try readIndexes(of: table, in: schema, on: connection)
  }

  private mutating func readIndexes(
    of table: String,
    in schema: String,
    on connection: Connection
  ) throws(SQLiteError) {
    var indexes: [(name: String, isUnique: Bool)] = []
    var hasKeyIndex = false
    try connection.forEachRow(
      "SELECT name, \"unique\", origin = 'pk' FROM pragma_index_list(?1, ?2) WHERE NOT partial",
      .text(table),
      .text(schema)
    ) { row in
      indexes.append((row.text(at: 0) ?? "", row.integer(at: 1) == 1))
      hasKeyIndex = hasKeyIndex || row.integer(at: 2) == 1
    }
    // A primary key without an index of its own is the rowid.
    if primaryKey.count == 1, !hasKeyIndex { indexed.formUnion(primaryKey) }
    unique = indexed
    for index in indexes {
      var names: [String?] = []
      try connection.forEachRow(
        "SELECT name FROM pragma_index_info(?1, ?2) ORDER BY seqno",
        .text(index.name),
        .text(schema)
      ) { row in
        names.append(row.text(at: 0))
      }
      guard let first = names.first, let column = columns.firstIndex(where: { $0.name == first })
      else { continue }
      indexed.insert(column)
      if index.isUnique, names.count == 1 { unique.insert(column) }
    }
  }
}
