internal import SQLite

/// A column whose values may be too large to be in memory: where it is at either end.
///
/// SQLite tells the type and the length of a value without reading it; only what is short enough is
/// then read as a value, and the rest is streamed.
struct StreamedColumn: Sendable, Hashable {
  /// One end of it.
  struct End: Sendable, Hashable {
    /// The table's name, unquoted, without schema.
    var table: String
    var column: String
    /// The condition under which the column holds a value of the property, or `nil` for always.
    var condition: String?

    /// The condition that a value is too large.
    var isLarge: String {
      let name = column.sqlName
      // In this order: for a text the length would be counted, and the text read for that.
      let length = "typeof(\(name)) = 'blob' AND length(\(name)) > \(StreamedColumn.limit)"
      return (condition.map { "\($0) AND " } ?? "") + length
    }
  }

  var source: End
  var destination: End

  /// Values up to this many bytes are copied and hashed like any other: as much as a batch that passes
  /// through Swift may hold.
  static let limit: Int64 = 8 << 20
}

extension Relation {
  /// Where `column`'s values lie, for streaming.
  func end(of column: RelationColumn) -> StreamedColumn.End {
    var condition: String?
    if let codes = column.onlyIn, let entityColumn {
      condition = "\(entityColumn.sqlName) IN (\(codes.list))"
    }
    return StreamedColumn.End(table: table, column: column.name, condition: condition)
  }
}

extension CopyStep {
  /// The columns that may hold values too large for memory.
  var streamedColumns: [StreamedColumn] { assignments.compactMap(\.stream) }

  /// The condition that a row of the source's table holds such a value; `nil` where none can.
  var holdsLargeValue: String? {
    let conditions = streamedColumns.map { "(\($0.source.isLarge))" }
    return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
  }
}

extension CopyPlan {
  /// Finds out which steps meet values too large for memory; those copy and prove them piece by piece.
  mutating func findLargeValues(on connection: Connection) throws(SQLiteError) {
    for (index, step) in steps.enumerated() {
      guard let condition = step.holdsLargeValue else { continue }
      // Asked where the file is open: there the length is known without reading the value.
      let found = try connection.reader(of: Workbench.source).integer(
        "SELECT 1 FROM \(step.sourceTable) WHERE \(condition) LIMIT 1"
      )
      steps[index].hasLargeValues = found != nil
    }
  }
}
