internal import DecantSQLite

/// A value by which a row is known in every database: one of its own, or of a row that it leads to.
///
/// A key differs from one database to the next, and so does a link's value: what the row at its other end is known by
/// stands for it.
package struct RowName: Sendable, Hashable {
  /// A column that leads to a row of another table.
  package struct Step: Sendable, Hashable {
    /// The column.
    package var column: String
    /// The table to whose row it leads.
    package var table: String
    /// That table's key.
    package var key: String

    /// Leads through `column` to a row of `table`.
    package init(_ column: String, table: String, key: String) {
      (self.column, self.table, self.key) = (column, table, key)
    }
  }

  /// The links that lead to the row with the value, from row to row; none where the row has it itself.
  package var steps: [Step]
  /// The column with the value.
  package var column: String

  /// Names the value of `column` behind `steps`.
  package init(_ steps: [Step] = [], _ column: String) {
    (self.steps, self.column) = (steps, column)
  }

  /// The columns from row to row, as a condition has them behind the first one.
  package var path: [String] { steps.map(\.column) + [column] }

  /// Returns the same value, seen from a row that leads to this one by `step`.
  package func behind(_ step: Step) -> RowName { RowName([step] + steps, column) }

  /// Returns the value as SQL.
  ///
  /// - Parameters:
  ///   - schema: The name under which the database is attached.
  ///   - row: The name of the row.
  /// - Returns: An expression, which is NULL where one of the links leads nowhere.
  package func sql(in schema: String, of row: String) -> String {
    guard let step = steps.first else { return column.sqlName(in: row) }
    let next = "\(row)_"
    let value = RowName(Array(steps.dropFirst()), column).sql(in: schema, of: next)
    return "(SELECT \(value) FROM \(schema.sqlName).\(step.table.sqlName) AS \(next) "
      + "WHERE \(step.key.sqlName(in: next)) = \(step.column.sqlName(in: row)))"
  }
}
