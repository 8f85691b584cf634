internal import DecantBase
internal import DecantStore
package import DecantSQLite

/// A column whose values may be too large for memory, in source and destination.
///
/// SQLite knows the type and the length of a value without reading it; only short values are read as values, the others
/// are streamed.
package struct StreamedColumn: Sendable, Hashable {
  /// The column in one of the stores.
  package struct End: Sendable, Hashable {
    /// The table's name, unquoted, without schema.
    package var table: String
    package var column: String
    /// The condition under which the column contains a value of the property, or `nil` for always.
    var condition: String?

    /// The prefix of the bytes, which is not copied.
    package var mark: [UInt8] = []
    /// The side, as named in functions on files, if the bytes may be in a file from which they are read.
    package var filesOf: String?

    package init(table: String, column: String, condition: String? = nil, mark: [UInt8] = [], filesOf: String? = nil) {
      (self.table, self.column, self.condition) = (table, column, condition)
      (self.mark, self.filesOf) = (mark, filesOf)
    }

    /// The condition that a value is too large, inline or external.
    package var isLarge: String {
      guard let filesOf else { return isLargeInline }
      let name = column.sqlName
      // A reference is short; only the store can tell whether a value is a reference.
      let isFile = "length(\(name)) < 128 AND file_length(\(filesOf.sqlText), \(name)) > \(limit)"
      return isBlob + " AND (length(\(name)) > \(limit + mark.count) OR \(isFile))"
    }

    /// The condition that an inline value is too large.
    var isLargeInline: String { isBlob + " AND length(\(column.sqlName)) > \(limit + mark.count)" }

    /// The condition that a value of a row with such a value is moved in pieces: also a small one, if it consists of
    /// bytes in the row.
    package var isMovable: String {
      filesOf == nil ? isBlob + " AND length(\(column.sqlName)) > \(mark.count)" : isLarge
    }

    /// The length of the bytes of a value that is moved in pieces.
    package var contentLength: String {
      let name = column.sqlName
      let inline = "length(\(name)) - \(mark.count)"
      guard let filesOf else { return inline }
      return "CASE WHEN length(\(name)) < 128 THEN file_length(\(filesOf.sqlText), \(name)) "
        + "ELSE \(inline) END"
    }

    private var limit: Int { Int(StreamedColumn.limit) }

    /// The condition before every test of a length: for a text SQLite would read the value to count characters.
    private var isBlob: String {
      (condition.map { "\($0) AND " } ?? "") + "typeof(\(column.sqlName)) = 'blob'"
    }
  }

  package var source: End
  package var destination: End

  /// Returns the condition that one of `conditions` holds, as a balanced tree: SQLite allows at most 1000 levels.
  static func any(of conditions: ArraySlice<String>) -> String? {
    guard conditions.count > 1 else { return conditions.first }
    let middle = conditions.startIndex + conditions.count / 2
    return [conditions[..<middle], conditions[middle...]].compactMap { any(of: $0) }
      .map { "(\($0))" }.joined(separator: " OR ")
  }

  /// The maximum size of values that are copied and hashed in memory: the limit of a batch that passes through Swift.
  package static let limit: Int64 = 8 << 20
}

extension Relation {
  /// Returns the storage of `column`'s values, for streaming.
  func end(of column: RelationColumn) -> StreamedColumn.End {
    var condition: String?
    if let codes = column.onlyIn, let entityCode = entityCode() {
      condition = "\(entityCode) IN (\(codes.list))"
    }
    return StreamedColumn.End(table: table, column: column.name, condition: condition)
  }
}

extension CopyStep {
  /// The columns that may contain values too large for memory.
  package var streamedColumns: [StreamedColumn] { assignments.compactMap(\.stream) }

  /// The condition that a row of the source's table contains such a value; `nil` if none can.
  package var holdsLargeValue: String? {
    let conditions = streamedColumns.map { "(\($0.source.isLarge))" }
    return StreamedColumn.any(of: conditions[...])
  }
}

extension CopyPlan {
  /// Determines which steps have values too large for memory; these copy and verify them in pieces.
  package mutating func findLargeValues(on connection: Connection) throws(SQLiteError) {
    for (index, step) in steps.enumerated() {
      guard let condition = step.holdsLargeValue else { continue }
      // Run on the connection with the file: there the length is known without reading the value.
      let found = try connection.reader(of: CopySession.source).integer(
        "SELECT 1 FROM \(step.sourceTable) WHERE \(condition) LIMIT 1"
      )
      steps[index].hasLargeValues = found != nil
    }
  }
}
