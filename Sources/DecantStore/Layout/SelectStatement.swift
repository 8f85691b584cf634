/// A SELECT statement in parts, used by all statements that copy, count, choose and verify.
package struct SelectStatement {
  package var columns: [String]
  /// A table, or a relation in parentheses.
  package var source: String
  /// Conditions, all of which must hold.
  package var conditions: [String] = []
  package var order: [String] = []

  package init(columns: [String], source: String, conditions: [String] = [], order: [String] = []) {
    (self.columns, self.source, self.conditions) = (columns, source, conditions)
    self.order = order
  }

  package var sql: String {
    var sql = "SELECT \(columns.joined(separator: ", "))\nFROM \(source)"
    if !conditions.isEmpty { sql += "\nWHERE \(conditions.sqlJoined(by: "AND"))" }
    if !order.isEmpty { sql += "\nORDER BY \(order.joined(separator: ", "))" }
    return sql
  }

  /// Returns the statement that inserts the rows into columns of a table.
  ///
  /// If `conflict` is `nil`, the table and its triggers decide what happens in a conflict: a table may replace the
  /// existing row.
  package func inserting(into table: String, columns names: [String], or conflict: String? = "ABORT") -> String {
    "INSERT \(conflict.map { "OR \($0) " } ?? "")INTO \(table) (\(names.joined(separator: ", ")))\n\(sql)"
  }
}

extension [String] {
  /// Returns the expressions joined by an associative operator, any number of them: SQLite nests a chain of operators,
  /// to a depth of 1,000 at most.
  package func sqlJoined(by operation: String) -> String {
    guard count > 100 else { return joined(separator: " \(operation) ") }
    return stride(from: 0, to: count, by: 100).map { start in
      "(\(self[start..<Swift.min(start + 100, count)].joined(separator: " \(operation) ")))"
    }.sqlJoined(by: operation)
  }
}
