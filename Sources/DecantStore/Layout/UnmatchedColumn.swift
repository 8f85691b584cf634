package import DecantBase
package import DecantSQLite

/// A column or a table of the source that the destination does not have.
///
/// An empty one is ignored; if it has values nothing is copied, as they would be lost silently.
package struct UnmatchedColumn: Sendable, Hashable {
  /// The source's table as an SQL name.
  package var table: String
  /// `TABLE.COLUMN`, or the table's name, for errors.
  package var name: String
  /// The column; `nil` for the whole table.
  package var column: String?
  /// Whether the source's model describes it.
  package var isModelled = false

  package init(table: String, name: String, column: String? = nil, isModelled: Bool = false) {
    (self.table, self.name, self.column) = (table, name, column)
    self.isModelled = isModelled
  }

  /// The note if it is empty.
  package var note: ReportNote {
    ReportNote(.noPlaceForEmpty, "the destination has no \(noun) \(name); it is empty here and is not copied")
  }

  private var noun: String { column == nil ? "table" : "column" }

  /// Throws if it contains anything.
  package func check(on connection: Connection, place: String) throws(DecantError) {
    let count = try explaining("cannot read \(name)") { () throws(SQLiteError) in
      let counted =
        column.map { "coalesce(sum(typeof(\($0.sqlName)) <> 'null'), 0)" } ?? "count(*)"
      return try connection.integer("SELECT \(counted) FROM \(table)") ?? 0
    }
    guard count > 0 else { return }
    let what = column == nil ? "row" : "value"
    throw DecantError(
      .modelsDiffer,
      "the destination has no \(noun) \(name), in which “\(place)” has \(count) \(what)"
        + (count == 1 ? "" : "s"),
      place: isModelled ? nil : "no property of the model uses this column",
      remedy: isModelled
        ? "add it there, or map its data in a mapping file: "
          + "\(say: .suggestMapping) drafts one, \(say: .mapping) FILE uses it"
        : "add it there (ALTER TABLE … ADD COLUMN), or drop it in a copy of the source"
    )
  }
}
