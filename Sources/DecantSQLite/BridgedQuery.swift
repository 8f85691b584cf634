/// A SELECT on a table of another connection, with its compiled statements.
final class BridgedQuery {
  let sql: String
  /// For each column of the table its position in the query's rows; -1 for a column that is not read.
  let places: [Int32]
  /// The position of the rowid in the query's rows.
  let rowIDPlace: Int32?
  /// The positions of the constraints' values among those of the scan.
  let values: [Int]
  /// Compiled statements that are not in use, kept because look-ups are repeated often.
  private var idle: [Statement] = []
  private let connection: Connection

  /// Creates the query of `scan` on `table` with the constraints whose bit is set.
  init(_ scan: Scan, constraints: UInt64, of table: BridgedTable) {
    var columns: [String] = []
    places = table.columns.indices.map { position in
      guard scan.reads(position) else { return -1 }
      columns.append(table.columns[position].name.quotedName)
      return Int32(columns.count - 1)
    }
    if let rowID = table.rowID {
      rowIDPlace = Int32(columns.count)
      columns.append(rowID)
    } else {
      rowIDPlace = nil
    }
    values = scan.constraints.indices.filter { $0 < 64 && constraints & (1 << UInt64($0)) != 0 }
    let conditions = values.enumerated().map { number, index in
      "\(scan.constraints[index].left(in: table)) "
        + "\(scan.constraints[index].comparison.rawValue) ?\(number + 1)"
    }
    sql =
      "SELECT \(columns.isEmpty ? "1" : columns.joined(separator: ", ")) "
      + "FROM \(table.bridge.schema.sqlName).\(table.name.sqlName)"
      + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
    connection = table.bridge.reader
  }

  /// Returns a statement that is not in use.
  func take() throws(SQLiteError) -> Statement {
    if let statement = idle.popLast() { return statement }
    return try connection.prepare(sql)
  }

  /// Keeps `statement` for later use.
  func give(back statement: Statement) {
    // A statement that is not reset would keep a read transaction open.
    statement.reset()
    idle.append(statement)
  }
}

extension Constraint {
  /// Returns the left side of the comparison, as SQL on the connection that is read.
  fileprivate func left(in table: BridgedTable) -> String {
    guard let column else { return table.rowID ?? "NULL" }
    let name = table.columns[column].name.quotedName
    // With the column's own collation its index is used; an unknown collation must not be used for comparison.
    let isOwn = collation == table.columns[column].collation && collation.uppercased() != "BINARY"
    return isOwn ? name : "\(name) COLLATE \(collation.quotedName)"
  }
}
