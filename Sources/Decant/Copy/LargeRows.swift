internal import SQLite

/// Copies rows with values too large for memory: the row first without them, then room for each, then
/// the values piece by piece.
///
/// SQLite makes room without memory by an UPDATE, not by an INSERT … SELECT (sqlite3 3.40: 6 against
/// 592 MB for a value of 300 MB), and only behind the last value of a row, where Core Data has its
/// binary columns; a large value in front of others still takes twice its size.
struct LargeRows {
  let connection: Connection
  /// The connection that has the source's file open: there a length is known without reading the value.
  private let reader: Connection
  let step: CopyStep
  let map: IDMap
  private let condition: String

  /// Makes ready for the large rows of `step`; `nil` where it has none.
  init?(_ step: CopyStep, on connection: Connection, ids: IDTable) {
    guard step.hasLargeValues, case .objects(let root) = step.kind, let map = ids.map(of: root),
      let condition = step.holdsLargeValue
    else { return nil }
    self.connection = connection
    reader = connection.reader(of: Workbench.source)
    self.step = step
    self.map = map
    self.condition = condition
  }

  /// Returns the keys of such rows in `range`, in ascending order.
  func keys(in range: ClosedRange<Int64>) throws(SQLiteError) -> [Int64] {
    var keys: [Int64] = []
    try reader.forEachRow(
      """
      SELECT \(step.sourceKey) FROM \(step.sourceTable)
      WHERE \(step.sourceKey) BETWEEN ?1 AND ?2 AND (\(condition)) ORDER BY 1
      """,
      .integer(range.lowerBound),
      .integer(range.upperBound)
    ) { row in
      keys.append(row.integer(at: 0))
    }
    return keys
  }

  /// Copies the row `key`; returns how many rows were written, 0 for one that is left out.
  func copy(_ key: Int64) throws(SQLiteError) -> Int64 {
    let lengths = try lengths(of: key)
    var step = step
    var large: [(stream: StreamedColumn, room: String)] = []
    for (index, assignment) in step.assignments.enumerated() {
      guard let stream = assignment.stream, let length = lengths[stream] else { continue }
      step.assignments[index].expression = "NULL"
      large.append((stream, "\(stream.destination.column.sqlName) = zeroblob(\(length))"))
    }
    try connection.run(step.insertion(into: "main"), .integer(key), .integer(key))
    guard connection.changeCount > 0, let image = try map.destination(of: key) else { return 0 }
    try connection.run(
      """
      UPDATE main.\(step.table.sqlName) SET \(large.map(\.room).joined(separator: ", "))
      WHERE \(step.keyColumn.sqlName) = ?1
      """,
      .integer(image)
    )
    for (stream, _) in large { try copy(stream, from: key, to: image) }
    return 1
  }

  /// The lengths of the values that are too large.
  private func lengths(of key: Int64) throws(SQLiteError) -> [StreamedColumn: Int64] {
    let columns = step.streamedColumns
    let values = columns.map {
      "CASE WHEN \($0.source.isLarge) THEN length(\($0.source.column.sqlName)) END"
    }
    var lengths: [StreamedColumn: Int64] = [:]
    try reader.forEachRow(
      "SELECT \(values.joined(separator: ", ")) FROM \(step.sourceTable) WHERE \(step.sourceKey) = ?1",
      .integer(key)
    ) { row in
      for (position, column) in columns.enumerated() {
        lengths[column] = row.integerOrNil(at: position)
      }
    }
    return lengths
  }

  private func copy(_ stream: StreamedColumn, from key: Int64, to image: Int64) throws(SQLiteError)
  {
    let (there, here) = (stream.source, stream.destination)
    let source = try BlobHandle(
      Workbench.source,
      there.table,
      there.column,
      rowID: key,
      on: connection
    )
    let target: BlobHandle
    do throws(SQLiteError) {
      target = try BlobHandle(
        "main",
        here.table,
        here.column,
        rowID: image,
        isWritable: true,
        on: connection
      )
    } catch  where error.primaryCode == 1 {
      // A column in an index takes no writing in pieces.
      return try connection.run(
        """
        UPDATE main.\(here.table.sqlName) SET \(here.column.sqlName) = (SELECT \(there.column.sqlName)
        FROM \(step.sourceTable) WHERE \(step.sourceKey) = ?1) WHERE \(step.keyColumn.sqlName) = ?2
        """,
        .integer(key),
        .integer(image)
      )
    }
    try source.forEachPiece { piece, offset throws(SQLiteError) in
      try target.write(piece, at: offset)
    }
  }
}
