internal import DecantPlan
package import DecantStore
package import DecantSQLite

/// An R-tree that Core Data uses for range searches: `Z_RT_<Entity>_<name>`.
///
/// Triggers update it while an app runs; a copy runs without triggers and fills it itself.
package struct SearchTable {
  private let name: String
  private let root: String
  /// The table of the indexed objects.
  private let objects: String

  /// Recognises the R-tree `name`; returns `nil` for other virtual tables.
  package init?(_ name: String, in layout: Layout) {
    guard name.hasPrefix("Z_RT_") else { return nil }
    let rest = name.dropFirst("Z_RT_".count)
    let relation = layout.relations.first { relation in
      // An abstract entity may have an index as well, so all entity names are tried.
      relation.allEntities.contains { rest.hasPrefix($0 + "_") }
    }
    guard let relation else { return nil }
    self.name = name
    root = relation.root
    objects = relation.table
  }

  /// Copies the entries of copied objects, with their new keys.
  func fill(from source: String, on connection: Connection) throws(SQLiteError) {
    let columns = try self.columns(on: connection)
    guard let key = columns.first else { return }
    let isThere =
      try connection.integer("SELECT count(*) FROM \(source.sqlName).sqlite_schema WHERE name = ?1", .text(name)) == 1
    guard isThere else { return try fillFromObjects(Array(columns.dropFirst()), on: connection) }
    let id = "id(\(root.sqlText), \(key))"
    // An object that took values of the source also takes their R-tree entry.
    let isWanted =
      "is_new(\(root.sqlText), \(key)) OR merge_outcome(\(root.sqlText), \(key)) = 4"
    try connection.run(
      """
      INSERT OR REPLACE INTO main.\(name.sqlName) (\(columns.joined(separator: ", ")))
      SELECT \(([id] + columns.dropFirst()).joined(separator: ", "))
      FROM \(source.sqlName).\(name.sqlName) WHERE \(isWanted)
      """
    )
  }

  /// Updates the entries of changed objects; objects without an entry stay without one.
  func renew(_ written: WrittenObjects, on connection: Connection) throws(SQLiteError) {
    guard let keys = written.updatedKeys[root] else { return }
    let bounds = Array(try columns(on: connection).dropFirst())
    let tree = "main.\(name.sqlName)"
    try connection.run(
      """
      INSERT OR REPLACE INTO \(tree) (Z_PK, \(bounds.joined(separator: ", ")))
      SELECT Z_PK, \(values(of: bounds).joined(separator: ", ")) FROM main.\(objects.sqlName)
      WHERE Z_PK IN (\(keys)) AND Z_PK IN (SELECT Z_PK FROM \(tree))
      """
    )
  }

  /// Adds every object of a store whose tree is empty.
  package func fillWhole(on connection: Connection) throws(SQLiteError) {
    try fillFromObjects(Array(columns(on: connection).dropFirst()), on: connection)
  }

  private func columns(on connection: Connection) throws(SQLiteError) -> [String] {
    var columns: [String] = []
    try connection.forEachRow("SELECT name FROM pragma_table_info(?1, 'main')", .text(name)) {
      row in
      columns.append((row.text(at: 0) ?? "").sqlName)
    }
    return columns
  }

  /// Adds every object without an entry by its own values, as triggers would, if the source has no such tree.
  private func fillFromObjects(_ bounds: [String], on connection: Connection) throws(SQLiteError) {
    let values = values(of: bounds)
    try connection.run(
      """
      INSERT INTO main.\(name.sqlName) (Z_PK, \(bounds.joined(separator: ", ")))
      SELECT Z_PK, \(values.joined(separator: ", ")) FROM main.\(objects.sqlName) AS o
      WHERE NOT EXISTS (SELECT 1 FROM main.\(name.sqlName) AS t WHERE t.Z_PK = o.Z_PK)
      """
    )
  }

  /// Returns the columns of the objects for `bounds`.
  ///
  /// A bound is named after the value's column: `ZLATITUDE_MIN`.
  private func values(of bounds: [String]) -> [Substring] {
    bounds.map { bound in
      let isQuoted = bound.hasSuffix("\"")
      return isQuoted ? bound.dropLast(5) + "\"" : bound.dropLast(4)
    }
  }
}
