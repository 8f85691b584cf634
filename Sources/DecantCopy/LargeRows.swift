internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Copies rows with values too large for memory: first the row without them, then space for each value, then the values
/// piece by piece.
///
/// SQLite reserves space without memory by an UPDATE, but not by an INSERT … SELECT (sqlite3 3.40: 6 against 592 MB for
/// a value of 300 MB), and only after the last value of a row, where Core Data has its binary columns: all bytes of such
/// a row are written in this way. A large value before texts or numbers still takes twice its size.
struct LargeRows {
  let connection: Connection
  /// The connection that has the source's file open, where a length is known without reading the value.
  private let reader: Connection
  let step: CopyStep
  let map: IDMap
  /// The external files of the source.
  private let files: (any ExternalStorage)?
  private let condition: String

  /// Prepares for the large rows of `step`; `nil` if it has none, or if the destination's rules read the values: they
  /// would read zeros.
  init?(_ step: CopyStep, on connection: Connection, ids: IDTable, files: (any ExternalStorage)?) throws(SQLiteError) {
    guard step.hasLargeValues, case .objects(let root) = step.kind, let map = ids.map(of: root),
      let condition = step.holdsLargeValue
    else { return nil }
    let rules = try connection.rules(of: step.table)
    let columns = step.streamedColumns.map(\.destination.column.foldedName)
    guard !rules.hasTriggers, rules.names.isDisjoint(with: columns) else { return nil }
    self.connection = connection
    reader = connection.reader(of: CopySession.source)
    self.step = step
    self.map = map
    self.files = files
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

  /// Copies the row `key`; returns the number of rows written, 0 for one that is left out.
  func copy(_ key: Int64) throws(SQLiteError) -> Int64 {
    let lengths = try lengths(of: key)
    var step = step
    var large: [(stream: StreamedColumn, room: String)] = []
    for (index, assignment) in step.assignments.enumerated() {
      guard let stream = assignment.stream, let length = lengths[stream] else { continue }
      // The column may be NOT NULL.
      step.assignments[index].expression = "x''"
      let room = length + Int64(stream.destination.mark.count)
      large.append((stream, "\(stream.destination.column.sqlName) = zeroblob(\(room))"))
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

  /// Returns the lengths of the values that are moved in pieces, without their marker bytes.
  private func lengths(of key: Int64) throws(SQLiteError) -> [StreamedColumn: Int64] {
    let columns = step.streamedColumns
    let values = columns.map {
      "CASE WHEN \($0.source.isMovable) THEN \($0.source.contentLength) END"
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

  private func copy(_ stream: StreamedColumn, from key: Int64, to image: Int64) throws(SQLiteError) {
    let (there, here) = (stream.source, stream.destination)
    let mark = here.mark
    let source = try BlobHandle(CopySession.source, there.table, there.column, rowID: key, on: connection)
    let target = try BlobHandle("main", here.table, here.column, rowID: image, isWritable: true, on: connection)
    try target.write(mark, at: 0)
    if let file = try file(behind: source, of: there) {
      return try copy(file, to: target, after: mark.count)
    }
    guard try source.begins(with: there.mark) else {
      throw SQLiteError(code: 1, message: RejectCode.convert.message(ContentValue.unknownForm))
    }
    try source.forEachPiece(from: there.mark.count) { piece, offset throws(SQLiteError) in
      try target.write(piece, at: offset - there.mark.count + mark.count)
    }
  }

  /// Returns the file that a value refers to; `nil` for a value stored in the row.
  private func file(behind value: BlobHandle, of end: StreamedColumn.End) throws(SQLiteError) -> String? {
    guard end.filesOf != nil, value.byteCount < 128 else { return nil }
    var path: String?
    try value.forEachPiece { piece, _ in path = files?.file(for: piece) }
    guard let path else {
      throw SQLiteError(code: SQLiteError.internalCode, message: "its file disappeared")
    }
    return path
  }

  private func copy(_ file: String, to target: BlobHandle, after start: Int) throws(SQLiteError) {
    var offset = start
    var failure: SQLiteError?
    do throws(SystemError) {
      try Files.forEachPiece(of: file) { piece in
        guard piece.count <= target.byteCount - offset else {
          offset = Int.max
          return false
        }
        do throws(SQLiteError) { try target.write(piece, at: offset) } catch { failure = error }
        offset += piece.count
        return failure == nil
      }
    } catch {
      throw SQLiteError(code: SQLiteError.internalCode, message: error.description)
    }
    if let failure { throw failure }
    guard offset == target.byteCount else {
      throw SQLiteError(code: SQLiteError.internalCode, message: "its file changed meanwhile")
    }
  }
}
