package import DecantSQLite

/// The arguments of a row hash, for any number of columns.
///
/// SQLite passes at most 127 arguments to a function. A wider row is hashed in parts, `row_part0(…)`, `row_part1(…)`,
/// and the hashes of the parts replace their values.
package struct HashArguments {
  /// The SQL expressions, few enough for one call.
  package let values: [String]
  /// For each expression, whether 1 and 1.0 are equal.
  package let isNumeric: [Bool]
  /// The functions of the parts.
  package let parts: [SingleRowHash]

  private static let limit = 100

  /// Arranges `columns`, and registers the functions of the parts on `connection`.
  package init(_ columns: [String], isNumeric: [Bool], on connection: Connection) throws(SQLiteError) {
    guard columns.count > HashArguments.limit else {
      values = columns
      self.isNumeric = isNumeric
      parts = []
      return
    }
    var values: [String] = []
    var parts: [SingleRowHash] = []
    for start in stride(from: 0, to: columns.count, by: HashArguments.limit) {
      let range = start..<min(start + HashArguments.limit, columns.count)
      let part = SingleRowHash()
      part.isNumeric = Array(isNumeric[range])
      let name = "row_part\(parts.count)"
      try connection.register(part, as: name, .directOnly)
      values.append("\(name)(\(columns[range].joined(separator: ", ")))")
      parts.append(part)
    }
    self.values = values
    self.isNumeric = values.map { _ in false }
    self.parts = parts
  }
}
