internal import DecantBase
internal import DecantStore
package import DecantSQLite

/// A column whose values may be too large to be in memory: where it is at either end.
///
/// SQLite tells the type and the length of a value without reading it; only what is short enough is
/// then read as a value, and the rest is streamed.
package struct StreamedColumn: Sendable, Hashable {
  /// One end of it.
  package struct End: Sendable, Hashable {
    /// The table's name, unquoted, without schema.
    package var table: String
    package var column: String
    /// The condition under which the column holds a value of the property, or `nil` for always.
    var condition: String?

    /// What stands in front of the bytes themselves, and is not taken along.
    package var mark: [UInt8] = []
    /// The side, as the functions over files name it, where the bytes may lie in a file and are taken
    /// from there.
    package var filesOf: String?

    package init(table: String, column: String, condition: String? = nil, mark: [UInt8] = [], filesOf: String? = nil) {
      (self.table, self.column, self.condition) = (table, column, condition)
      (self.mark, self.filesOf) = (mark, filesOf)
    }

    /// The condition that a value is too large, wherever it lies.
    package var isLarge: String {
      guard let filesOf else { return isLargeInline }
      let name = column.sqlName
      // A reference is short; whether a value is one, only the store can tell.
      let isFile = "length(\(name)) < 128 AND file_length(\(filesOf.sqlText), \(name)) > \(limit)"
      return isBlob + " AND (length(\(name)) > \(limit + mark.count) OR \(isFile))"
    }

    /// The condition that a value in the row itself is too large.
    var isLargeInline: String { isBlob + " AND length(\(column.sqlName)) > \(limit + mark.count)" }

    /// The length of the bytes themselves, of a value that is too large.
    package var contentLength: String {
      let name = column.sqlName
      let inline = "length(\(name)) - \(mark.count)"
      guard let filesOf else { return inline }
      return "CASE WHEN length(\(name)) < 128 THEN file_length(\(filesOf.sqlText), \(name)) "
        + "ELSE \(inline) END"
    }

    private var limit: Int { Int(StreamedColumn.limit) }

    /// In front of every question for the length: that of a text would be counted, and the text read.
    private var isBlob: String {
      (condition.map { "\($0) AND " } ?? "") + "typeof(\(column.sqlName)) = 'blob'"
    }
  }

  package var source: End
  package var destination: End

  /// The condition that one of `conditions` holds, as a tree that is no deeper than it must be: SQLite
  /// takes no more than 1000 levels.
  static func any(of conditions: ArraySlice<String>) -> String? {
    guard conditions.count > 1 else { return conditions.first }
    let middle = conditions.startIndex + conditions.count / 2
    return [conditions[..<middle], conditions[middle...]].compactMap { any(of: $0) }
      .map { "(\($0))" }.joined(separator: " OR ")
  }

  /// Values up to this many bytes are copied and hashed like any other: as much as a batch that passes
  /// through Swift may hold.
  static let limit: Int64 = 8 << 20
}

extension Relation {
  /// Where `column`'s values lie, for streaming.
  func end(of column: RelationColumn) -> StreamedColumn.End {
    var condition: String?
    if let codes = column.onlyIn, let entityCode = entityCode() {
      condition = "\(entityCode) IN (\(codes.list))"
    }
    return StreamedColumn.End(table: table, column: column.name, condition: condition)
  }
}

extension CopyStep {
  /// The columns that may hold values too large for memory.
  package var streamedColumns: [StreamedColumn] { assignments.compactMap(\.stream) }

  /// The condition that a row of the source's table holds such a value; `nil` where none can.
  package var holdsLargeValue: String? {
    let conditions = streamedColumns.map { "(\($0.source.isLarge))" }
    return StreamedColumn.any(of: conditions[...])
  }
}

extension CopyPlan {
  /// Finds out which steps meet values too large for memory; those copy and prove them piece by piece.
  package mutating func findLargeValues(on connection: Connection) throws(SQLiteError) {
    for (index, step) in steps.enumerated() {
      guard let condition = step.holdsLargeValue else { continue }
      // Asked where the file is open: there the length is known without reading the value.
      let found = try connection.reader(of: CopySession.source).integer(
        "SELECT 1 FROM \(step.sourceTable) WHERE \(condition) LIMIT 1"
      )
      steps[index].hasLargeValues = found != nil
    }
  }
}
