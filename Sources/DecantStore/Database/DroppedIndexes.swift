package import DecantSQLite

/// Indexes of `main` that are missing while many rows are written, since building them at the end is faster.
///
/// SQLite deletes the statistics of a dropped index; they are saved, and restored with the index.
package struct DroppedIndexes {
  private var statements: [String] = []
  /// The statistics of the dropped indexes, by the table that holds them.
  private var statistics: [String: TemporaryTable] = [:]

  package init() {}

  /// Adds an index that was never built.
  package mutating func append(_ statement: String) { statements.append(statement) }

  /// Drops the indexes of a table, or of all tables.
  ///
  /// - Parameters:
  ///   - table: The table; `nil` for all.
  ///   - includesUnique: Whether indexes that keep values unique are dropped, too. Those of constraints stay.
  ///   - connection: The connection that writes, in a transaction.
  /// - Throws: `SQLiteError` if an index cannot be dropped.
  package mutating func drop(
    of table: String? = nil,
    includesUnique: Bool,
    on connection: Connection
  ) throws(SQLiteError) {
    var names: [String] = []
    try connection.forEachRow(
      """
      SELECT s.name, s.sql FROM main.sqlite_schema AS s WHERE s.type = 'index' AND s.sql IS NOT NULL
      AND (?1 IS NULL OR s.tbl_name = ?1 COLLATE NOCASE) AND (?2 OR NOT EXISTS (SELECT 1 FROM pragma_index_list(s.tbl_name, 'main') AS i
        WHERE i.name = s.name AND i."unique"))
      """,
      table.map { .text($0) } ?? .null,
      .integer(includesUnique ? 1 : 0)
    ) { row in
      names.append(row.text(at: 0) ?? "")
      statements.append(row.text(at: 1) ?? "")
    }
    for name in names {
      try keepStatistics(of: name, on: connection)
      try connection.run("DROP INDEX main.\(name.sqlName)")
    }
  }

  private mutating func keepStatistics(of index: String, on connection: Connection) throws(SQLiteError) {
    for name in ["sqlite_stat1", "sqlite_stat4"] {
      let isThere = try connection.integer("SELECT 1 FROM main.sqlite_schema WHERE name = ?1", .text(name)) != nil
      guard isThere else { continue }
      let selection = "SELECT * FROM main.\(name)"
      let ofIndex = "\(selection) WHERE idx = \(index.sqlText)"
      if let kept = statistics[name] {
        try connection.run("INSERT INTO \(kept) \(ofIndex)")
      } else {
        statistics[name] = try TemporaryTable("AS \(ofIndex)", on: connection)
      }
    }
  }

  /// Builds all of them.
  package func build(on connection: Connection) throws(SQLiteError) {
    for statement in statements { try connection.run(statement) }
    for (name, kept) in statistics { try connection.run("INSERT INTO main.\(name) SELECT * FROM \(kept)") }
  }
}
