internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore
internal import DecantSystem

/// Comparing rows on the server with those that were sent.
extension RowTransfer {
  /// Whether no value of the table is too large to be compared in memory.
  func canCompare(with scratch: Connection) throws(DecantError) -> Bool {
    try explaining("cannot read the table \(table.own)") { () throws(SQLiteError) in
      guard let large = try LargeColumns(of: table, in: scratch) else { return true }
      return try !large.matter(in: table, of: scratch)
    }
  }

  /// Whether the server's table has the rows of `main` in `scratch`, compared in the order of their keys.
  ///
  /// `canCompare` must be true. The rows of a new table are stored nearly in that order. If only some rows of the table are
  /// read, `condition` is theirs on a row `r` of `main`.
  func isEqual(
    to scratch: Connection, where condition: String = "1", isNew: Bool, on connection: PostgresConnection
  ) throws(DecantError) -> Bool {
    try server.explainingBoth("cannot read the table \(table.name)") {
      let columns = table.columns.map(\.own.sqlName).joined(separator: ", ")
      let order = RowOrder(table)
      let sent = try scratch.prepare(
        "SELECT \(columns) FROM main.\(table.own.sqlName) AS r WHERE \(condition)\(order.here(on: scratch))")
      // An index is then faster than sorting, for which the server has no statistics yet.
      if isNew { try connection.run("SET LOCAL enable_sort = off") }
      let query = statements.read(table) + order.onServer
      let rows = try BinaryRows(query, on: connection)
      var count = 0
      while try rows.next() {
        guard try sent.step() else { return false }
        for position in kinds.indices {
          guard isSame(rows, position, sent) else { return false }
        }
        count += 1
        if count.isMultiple(of: 1_024), connection.isStopped() {
          throw DecantError(.interrupted, "the operation was interrupted")
        }
      }
      return try !sent.step()
    }
  }

  /// Whether a value on the server equals that in a column of the temporary database.
  private func isSame(_ row: BinaryRows, _ position: Int, _ sent: Statement) -> Bool {
    let type = sent.type(at: position)
    guard !row.isNull(position), type != .null else { return row.isNull(position) && type == .null }
    let kind = kinds[position]
    if let form = kind.form {
      guard let stored = stored(row, position), let value = form.decoded(stored) else { return false }
      return form.isSame(value, sent.value(at: position))
    }
    switch (kind.type, type) {
    case (.smallint, .integer), (.integer, .integer), (.bigint, .integer), (.boolean, .integer):
      return row.integer(position) == sent.integer(at: position)
    case (.double, .integer), (.double, .real):
      return row.double(position).bitPattern == sent.real(at: position).bitPattern
    case (.timestamp, .integer), (.timestamp, .real):
      let seconds = StrictType.seconds(ofMicroseconds: row.integer(position) - ServerType.offset)
      return switch seconds {
      case .integer(let whole): sent.real(at: position) == Double(whole)
      case .real(let real): sent.real(at: position) == real
      default: false
      }
    case (.numeric, .integer), (.numeric, .real):
      let number = DecimalDigits(row.bytes(position)).flatMap { DecimalText.number(in: $0.text) }
      return switch number {
      case .integer(let whole) where type == .integer: sent.integer(at: position) == whole
      case .integer(let whole): sent.real(at: position) == Double(whole)
      case .real(let real): sent.real(at: position) == real
      default: false
      }
    case (.text, .text), (.bytea, .blob), (.uuid, .blob):
      let bytes = row.bytes(position)
      return sent.withBytes(at: position) { other in
        guard let one = bytes.baseAddress, let two = other.baseAddress else { return bytes.count == other.count }
        return bytes.count == other.count && memcmp(one, two, bytes.count) == 0
      }
    default: return false
    }
  }
}
