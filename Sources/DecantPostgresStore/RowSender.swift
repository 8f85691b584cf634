internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Sends the rows of a table of a temporary database to the server, in batches.
final class RowSender {
  private let transfer: RowTransfer
  private let scratch: Connection
  private let connection: PostgresConnection
  private let perform: CopyTransport.Performer
  private let reading: Statement
  /// The columns with large values, if there are any.
  private let large: LargeColumns?
  /// Whether the statement is at a row that has not been sent; `nil` before the first step.
  private var isAtRow: Bool?
  /// Whether each column was NULL in any of the rows sent.
  private var lacksValues: [Bool]

  private var table: ServerSchema.Table { transfer.table }
  private var context: String { "cannot write the table \(table.name)" }

  /// Reads the rows of `database` in `scratch` after the first `count` ones.
  ///
  /// With a condition on the row `r`, only the rows that meet it are read. Large values are read only from `main`.
  /// `perform` runs all closures that use `connection`, as in `CopyIn`.
  init(
    _ transfer: RowTransfer,
    of scratch: Connection,
    _ database: String = "main",
    where condition: String? = nil,
    after count: Int64 = 0,
    to connection: PostgresConnection,
    perform: @escaping CopyTransport.Performer = { work in try work() }
  ) throws(DecantError) {
    (self.transfer, self.scratch, self.connection, self.perform) = (transfer, scratch, connection, perform)
    lacksValues = transfer.table.columns.map { _ in false }
    let context = "cannot write the table \(transfer.table.name)"
    let table = transfer.table
    let found = try explaining(context) { () throws(SQLiteError) -> LargeColumns? in
      guard database == "main", let found = try LargeColumns(of: table, in: scratch) else { return nil }
      return try found.matter(in: table, of: scratch, where: condition) ? found : nil
    }
    large = found
    let sql = RowSender.query(of: transfer, database, condition, found)
    reading = try explaining(context) { () throws(SQLiteError) -> Statement in
      let reading = try scratch.prepare(sql)
      try reading.bind(.integer(count), at: 1)
      return reading
    }
  }

  /// Returns the query for the rows after the first ?1 ones, in which large values are replaced by NULL; after all
  /// columns it has their lengths and the row number.
  private static func query(
    of transfer: RowTransfer,
    _ database: String,
    _ condition: String?,
    _ large: LargeColumns?
  ) -> String {
    let table = transfer.table
    var values = table.columns.map { $0.sending ?? $0.own.sqlName }
    for position in large?.positions ?? [] {
      let column = values[position]
      let isLarge = LargeColumns.isLarge(column)
      values[position] = "CASE WHEN \(isLarge) THEN NULL ELSE \(column) END"
      values.append("CASE WHEN \(isLarge) THEN length(\(column)) END")
    }
    if let large { values.append(large.rowID) }
    let chosen = condition.map { " WHERE \($0)" } ?? ""
    return """
      SELECT \(values.joined(separator: ", ")) FROM \(database).\(table.own.sqlName) AS r NOT INDEXED\(chosen)\(transfer.order)
      LIMIT -1 OFFSET ?1
      """
  }

  /// The names of the columns that were NULL in any of the rows sent.
  var columnsWithNull: [String] { zip(table.columns, lacksValues).filter(\.1).map(\.0.name) }

  /// Whether there are rows that have not been sent.
  func hasRows() throws(DecantError) -> Bool {
    try transfer.server.explainingBoth(context) {
      // A statement that has ended would start again.
      let found = try isAtRow ?? reading.step()
      isAtRow = found
      return found
    }
  }

  /// Sends rows until there are `rowLimit` of them or more than `byteLimit` bytes; returns their number, 0 if none are
  /// left.
  func sendBatch(rowLimit: Int64, byteLimit: Int) throws(DecantError) -> Int64 {
    try transfer.server.explainingBoth(context) {
      guard try hasRows() else { return 0 }
      let copy = try CopyIn(transfer.statements.copy(into: table), on: connection, perform: perform)
      repeat {
        try copy.beginRow(transfer.kinds.count)
        for position in transfer.kinds.indices { try send(position, copy) }
        isAtRow = try reading.step()
      } while isAtRow == true && copy.rowCount < rowLimit && copy.byteCount < byteLimit
      return try copy.finish()
    }
  }

  private func send(_ position: Int, _ copy: CopyIn) throws {
    let type = reading.type(at: position)
    guard type == .null else {
      if let form = transfer.kinds[position].form { return try transfer.send(form, reading, position, copy) }
      return try transfer.send(reading, position, type, copy)
    }
    guard let large, let index = large.positions.firstIndex(of: position),
      let length = reading.integerOrNil(at: table.columns.count + index)
    else {
      lacksValues[position] = true
      return copy.appendNull()
    }
    let rowID = reading.integer(at: table.columns.count + large.positions.count)
    let value = try BlobHandle("main", table.own, table.columns[position].own, rowID: rowID, on: scratch)
    copy.beginValue(Int(length))
    var failure: (any Error)?
    try value.forEachPiece { piece, _ in
      guard failure == nil else { return }
      do { try copy.append(piece: piece) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
