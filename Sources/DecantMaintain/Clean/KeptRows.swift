internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The content that must be the same before and after a cleaning: the rows of all kept tables, and their CREATE
/// statements.
///
/// The sums are computed from the tables as stored, so that no model is needed.
struct KeptRows {
  /// The kept part of each table that is partly changed.
  let parts: [TablePart]
  /// The removed tables.
  let dropped: [String]

  /// The key of the schema's sum among the sums of tables.
  private static let schema = "sqlite_schema"

  /// Computes the sums of `main` by table, independent of the order of rows.
  ///
  /// `tell` receives the name of each table and the share that was read before it, from 0 to 1.
  func sums(on connection: Connection, _ tell: (String, Double) -> Void) throws(SQLiteError) -> [String: RowHash.Sum] {
    let hash = RowHash()
    let large = LargeValue(connection)
    try connection.register(hash, as: "row_sum", .directOnly)
    try connection.register(large, as: "large", argumentCount: 4, .directOnly)
    var sums: [String: RowHash.Sum] = [:]
    let tables = try tables(on: connection)
    let sizes = tables.map { size(of: $0.table, on: connection) }
    let all = sizes.reduce(0, +)
    var done = 0.0
    for (part, size) in zip(tables, sizes) {
      tell(part.table, done / all)
      done += size
      var values = part.columns?.map(\.sqlName) ?? []
      if part.columns == nil { values = try self.values(of: part.table, on: connection) }
      let arguments = try HashArguments(values, isNumeric: values.map { _ in false }, on: connection)
      hash.expect(isNumeric: arguments.isNumeric, standIns: arguments.parts + [large])
      try connection.run(
        SelectStatement(
          columns: ["row_sum(\((["0"] + arguments.values).joined(separator: ", ")))"],
          source: "main.\(part.table.sqlName)",
          conditions: [part.condition].compactMap(\.self)
        ).sql
      )
      sums[part.table] = hash.take()[0] ?? RowHash.Sum()
    }
    return sums
  }

  /// Returns the kept tables, except those whose content is stored in other tables.
  private func tables(on connection: Connection) throws(SQLiteError) -> [TablePart] {
    var tables: [TablePart] = []
    try connection.forEachRow(
      """
      SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0
      AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name
      """
    ) { row in
      let name = row.text(at: 0) ?? ""
      guard !dropped.contains(name) else { return }
      tables.append(parts.first { $0.table == name } ?? TablePart(table: name))
    }
    let gone = dropped.map(\.sqlText).joined(separator: ", ")
    tables.append(
      TablePart(
        table: KeptRows.schema,
        columns: ["type", "name", "tbl_name", "sql"],
        condition: "tbl_name NOT IN (\(gone)) AND tbl_name NOT LIKE 'sqlite~_%' ESCAPE '~'"
      )
    )
    return tables
  }

  /// Estimates the number of rows of `table` without reading them.
  private func size(of table: String, on connection: Connection) -> Double {
    // A table without rowids has no estimate; it is read like any other.
    let highest = try? connection.integer("SELECT max(rowid) FROM main.\(table.sqlName)")
    return Double(max(1, highest ?? 1))
  }

  /// Returns the values of a row of `table`, with a hash in place of bytes too large for memory.
  private func values(of table: String, on connection: Connection) throws(SQLiteError) -> [String] {
    var columns: [(name: String, isBytes: Bool)] = []
    try connection.forEachRow("SELECT name, type FROM pragma_table_info(?1, 'main')", .text(table)) { row in
      columns.append((row.text(at: 0) ?? "", row.text(at: 1)?.uppercased() == "BLOB"))
    }
    let names = Set(columns.map { $0.name.lowercased() })
    let hasRowID =
      try connection.integer("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1", .text(table)) == 0
    // A table without rowids cannot be read in pieces: its values are read whole.
    let rowID = hasRowID ? ["rowid", "_rowid_", "oid"].first { !names.contains($0) } : nil
    return columns.map { column in
      let name = column.name.sqlName
      guard let rowID, column.isBytes else { return name }
      let end = StreamedColumn.End(table: table, column: column.name)
      let place = ["main", table, column.name].map(\.sqlText).joined(separator: ", ")
      return "CASE WHEN \(end.isLarge) THEN large(\(place), \(rowID)) ELSE \(name) END"
    }
  }
}
