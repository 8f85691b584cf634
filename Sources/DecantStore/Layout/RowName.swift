internal import DecantSQLite

/// A value that identifies a row in every database: its own, or that of a row that it links to.
///
/// Keys differ between databases, and so do the values of links: they are replaced by the identifying value of the
/// target row.
package struct RowName: Sendable, Hashable {
  /// A column that leads to a row of another table.
  package struct Step: Sendable, Hashable {
    /// The column.
    package var column: String
    /// The table to whose row it leads.
    package var table: String
    /// The key column of that table.
    package var key: String

    /// Describes a step through `column` to a row of `table`.
    package init(_ column: String, table: String, key: String) {
      (self.column, self.table, self.key) = (column, table, key)
    }
  }

  /// The links to the row with the value; empty if the row has it itself.
  package var steps: [Step]
  /// The column of the value.
  package var column: String

  /// Describes the value of `column` after `steps`.
  package init(_ steps: [Step] = [], _ column: String) {
    (self.steps, self.column) = (steps, column)
  }

  /// The columns of the path after the first one, in the syntax of conditions.
  package var path: [String] { steps.map(\.column) + [column] }

  /// Returns the same value, seen from a row that leads to this one by `step`.
  package func behind(_ step: Step) -> RowName { RowName([step] + steps, column) }

  /// Returns the value as SQL.
  ///
  /// - Parameters:
  ///   - schema: The schema of the attached database.
  ///   - row: The name of the row.
  /// - Returns: An expression, which is NULL if one of the links has no target.
  package func sql(in schema: String, of row: String) -> String {
    guard let step = steps.first else { return column.sqlName(in: row) }
    let next = "\(row)_"
    let value = RowName(Array(steps.dropFirst()), column).sql(in: schema, of: next)
    return "(SELECT \(value) FROM \(schema.sqlName).\(step.table.sqlName) AS \(next) "
      + "WHERE \(step.key.sqlName(in: next)) = \(step.column.sqlName(in: row)))"
  }
}
