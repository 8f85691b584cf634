internal import DecantSQLite

/// A written row that the place of the destination refuses, for a reason that only that place knows.
package struct RefusedRow {
  /// The table of the row, as the session names it.
  package let table: String
  /// The columns of its key, and their values as the text of `keyText`.
  package let keyColumns: [String]
  package let key: String
  /// Whether the copy added the row; otherwise it changed one that existed.
  package let isNew: Bool
  /// The reason, in the words of the place.
  package let reason: String

  package init(table: String, keyColumns: [String], key: String, isNew: Bool, reason: String) {
    (self.table, self.keyColumns, self.key) = (table, keyColumns, key)
    (self.isNew, self.reason) = (isNew, reason)
  }

  /// Returns SQL for a text that only the row `row` with these key columns has.
  package static func keyText(_ columns: [String], of row: String) -> String {
    columns.map { "quote(\(row).\($0.sqlName))" }.joined(separator: " || ',' || ")
  }
}
