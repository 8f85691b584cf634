/// A SELECT over a table of another connection, and the statements that are compiled for it.
final class BridgedQuery {
  let sql: String
  /// For each column of the table where the query's rows hold it; -1 for one that is not read.
  let places: [Int32]
  /// Where the query's rows hold their number.
  let rowIDPlace: Int32?
  /// The constraints' places among the values that a scan begins with.
  let values: [Int]
  /// Compiled before, and not in use: a look-up begins again and again.
  private var idle: [Statement] = []
  private let connection: Connection

  /// Reads what `scan` reads of `table`, where those of its constraints hold that have a bit.
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

  /// Returns a statement that nobody else uses.
  func take() throws(SQLiteError) -> Statement {
    if let statement = idle.popLast() { return statement }
    return try connection.prepare(sql)
  }

  /// Keeps `statement` for whoever takes one next.
  func give(back statement: Statement) {
    // It must hold nothing of the database that is read.
    statement.reset()
    idle.append(statement)
  }
}

extension Constraint {
  /// What is compared, as SQL on the connection that is read.
  fileprivate func left(in table: BridgedTable) -> String {
    guard let column else { return table.rowID ?? "NULL" }
    let name = table.columns[column].name.quotedName
    // Under the column's own collation its index serves; a column whose collation is unknown must not
    // be compared under that.
    let isOwn = collation == table.columns[column].collation && collation.uppercased() != "BINARY"
    return isOwn ? name : "\(name) COLLATE \(collation.quotedName)"
  }
}
