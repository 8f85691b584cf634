internal import DecantBase
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The columns of a table of a temporary database whose large values are moved in pieces.
///
/// This concerns only bytes: the length of a text is known only after it has been read.
struct LargeColumns {
  /// A name for the row numbers.
  let rowID: String
  /// The positions of the columns.
  let positions: [Int]

  /// Finds the columns of `table` in `scratch`; `nil` if there are none, if the rows have no numbers, or with generated
  /// columns.
  init?(of table: ServerSchema.Table, in scratch: Connection) throws(SQLiteError) {
    positions = table.columns.indices.filter { table.columns[$0].isStreamed }
    guard !positions.isEmpty else { return nil }
    let hasNumbers = try scratch.integer(
      "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE", .text(table.own))
    guard hasNumbers == 1 else { return nil }
    var taken: Set<String> = []
    var isComputed = false
    try scratch.forEachRow("SELECT lower(name), hidden FROM pragma_table_xinfo(?1, 'main')", .text(table.own)) { row in
      taken.insert(row.text(at: 0) ?? "")
      if row.integer(at: 1) > 1 { isComputed = true }
    }
    // Stored columns are computed with the row, and SQLite opens the wrong value behind virtual ones.
    guard !isComputed, let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }) else { return nil }
    rowID = name
  }

  private init(rowID: String, positions: [Int]) { (self.rowID, self.positions) = (rowID, positions) }

  /// Returns the columns that can be written after their row; `nil` if there are none.
  ///
  /// SQLite writes indexes together with the row, from its values at that time.
  func writable(in table: ServerSchema.Table, of scratch: Connection) throws(SQLiteError) -> LargeColumns? {
    let rules = try scratch.rules(of: table.own)
    let written = positions.filter { !rules.names.contains(table.columns[$0].own.foldedName) }
    return written.isEmpty ? nil : LargeColumns(rowID: rowID, positions: written)
  }

  /// Whether any value in `table` of `scratch` is large, among the rows `r` that meet the condition.
  func matter(in table: ServerSchema.Table, of scratch: Connection, where condition: String? = nil)
    throws(SQLiteError) -> Bool
  {
    let conditions = positions.map { LargeColumns.isLarge("r." + table.columns[$0].own.sqlName) }
    return try scratch.integer(
      """
      SELECT 1 FROM main.\(table.own.sqlName) AS r
      WHERE (\(conditions.joined(separator: " OR "))) AND \(condition ?? "1") LIMIT 1
      """) != nil
  }

  /// Returns the condition that the value of a column in SQLite is large, which is evaluated without reading the value.
  static func isLarge(_ column: String) -> String {
    "(typeof(\(column)) = 'blob' AND length(\(column)) > \(ServerStatements.largeValue))"
  }
}

extension ServerSchema.Column {
  /// Whether large values of the column are moved in pieces.
  fileprivate var isStreamed: Bool { type == .bytea && form == nil }
}

extension ServerSchema.Table {
  /// The columns whose large values are moved in pieces.
  var streamedColumns: [ServerSchema.Column] { columns.filter(\.isStreamed) }
}

/// A large value of a row on the server.
struct LargeServerValue {
  /// The row in the temporary database.
  let rowID: Int64
  /// The position of the column.
  let position: Int
  let byteCount: Int64
  /// The server's numbers of the table and the row.
  let place: (table: Int64, row: String)

  /// The number of bytes that are fetched at a time.
  private static let pieceSize: Int64 = 1 << 20

  /// Fetches the value in pieces, and writes them over the zeros in `scratch`.
  ///
  /// This must happen in the transaction in which the row was read, so that the row still exists.
  func fetch(
    _ transfer: RowTransfer,
    into scratch: Connection,
    on connection: PostgresConnection
  ) throws {
    let (table, column) = (transfer.table, transfer.table.columns[position])
    let name = ServerNames.quoted(column.name)
    let target = try BlobHandle("main", table.own, column.own, rowID: rowID, isWritable: true, on: scratch)
    var offset: Int64 = 0
    while offset < byteCount {
      let rows = try BinaryRows(
        "SELECT pg_catalog.substring(\(name), \(offset + 1), \(LargeServerValue.pieceSize)) \(condition(transfer))",
        on: connection)
      guard try rows.next() else {
        throw PostgresError(state: "XX000", message: "a row was deleted while it was being read")
      }
      let piece = rows.bytes(0)
      guard piece.count > 0, offset + Int64(piece.count) <= byteCount else {
        throw PostgresError(state: "XX000", message: "a value changed its length while it was being read")
      }
      try target.write(piece, at: Int(offset))
      offset += Int64(piece.count)
      guard try !rows.next() else { throw PostgresError(state: "XX000", message: "a row is there twice") }
      if connection.isStopped() { throw DecantError(.interrupted, "the operation was interrupted") }
    }
  }

  private func condition(_ transfer: RowTransfer) -> String {
    """
    FROM \(transfer.statements.source(transfer.table))
    WHERE ctid = \(ServerNames.quoted(literal: place.row))::pg_catalog.tid AND tableoid = \(place.table)
    """
  }
}
