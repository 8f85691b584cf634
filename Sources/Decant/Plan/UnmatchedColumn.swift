internal import SQLite

/// A column of the source that belongs to no property, and that the destination does not have.
///
/// Empty, it is left behind; with values in it nothing is copied, as they would be lost without a word.
struct UnmatchedColumn: Sendable, Hashable {
  /// The source's table as SQL names it.
  var table: String
  /// `TABLE.COLUMN`, as errors show it.
  var name: String
  var column: String
}

extension CopyPlan {
  /// Throws if a column without counterpart holds values.
  func checkUnmatchedColumns(on connection: Connection, place: String) throws(DecantError) {
    for unmatched in unmatchedColumns {
      let name = unmatched.column.sqlName
      let count = try explaining("cannot read \(unmatched.name)") { () throws(SQLiteError) in
        try connection.integer("SELECT sum(typeof(\(name)) <> 'null') FROM \(unmatched.table)") ?? 0
      }
      guard count > 0 else { continue }
      throw DecantError(
        .modelMismatch,
        "the destination has no column \(unmatched.name), in which “\(place)” has "
          + (count == 1 ? "1 value" : "\(count) values"),
        place: "the column belongs to no property of the model",
        remedy:
          "add it there with sqlite3 (ALTER TABLE … ADD COLUMN), or drop it in a copy of the source"
      )
    }
  }
}
