internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The keys of mapped objects if the source's keys are not unique: several tables become one, or one object several.
///
/// It is a temporary table with a key for each object of each part. The first part keeps its keys, and so does every
/// other part without a collision; the objects of the others get keys after the highest one. Objects excluded by a
/// condition come last, so that they can be counted.
package struct MappedKeys {
  let mapped: MappedRoot
  let tables: MappedTables

  /// The columns: the key and the entity's code, named as in the view of the objects; the index of the part, the
  /// source's key, and whether the object is left out.
  static let id = EntityView.key
  static let entity = EntityView.entityName
  static let part = ".part"
  static let base = ".base"
  static let isLeftOut = ".left out"
  /// A key that belongs to no object.
  static let nobody = "-9223372036854775807"
  package static let nobodyKey: Int64 = -9_223_372_036_854_775_807

  /// The unquoted name of the temporary table.
  var name: String { "keys of \(mapped.root)" }
  /// The qualified name of the table in SQL.
  var table: String { "temp.\(name.quotedName)" }

  /// Fills the table from the present state of the source on `connection`.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    try explaining("cannot assign keys to \(mapped.root)") { () throws(SQLiteError) in
      try connection.run(
        """
        CREATE TABLE IF NOT EXISTS \(table) ("\(MappedKeys.id)" INTEGER PRIMARY KEY, \
        "\(MappedKeys.entity)" INTEGER, "\(MappedKeys.part)" INTEGER, "\(MappedKeys.base)" INTEGER, "\(MappedKeys.isLeftOut)" INTEGER)
        """
      )
      try connection.run("DELETE FROM \(table)")
    }
    for (isLeftOut, index) in [false, true].flatMap({ left in
      mapped.parts.indices.map { (left, $0) }
    }) {
      guard let rows = rows(of: index, isLeftOut: isLeftOut, in: schema) else { continue }
      try explaining("cannot assign keys to \(mapped.root)") { () throws(SQLiteError) in
        try add(rows, index, isLeftOut: isLeftOut, on: connection)
      }
    }
    // Indexed in the order of link lookups: sorting the results would take longer than finding them.
    try explaining("cannot assign keys to \(mapped.root)") { () throws(SQLiteError) in
      try connection.run(
        """
        CREATE INDEX IF NOT EXISTS temp.\("\(name) by source".quotedName) ON \(name.quotedName)
        ("\(MappedKeys.base)", "\(MappedKeys.isLeftOut)", "\(MappedKeys.part)")
        """
      )
    }
  }

  /// Returns a SELECT of the source keys of a part's objects that meet its condition, or do not.
  private func rows(of index: Int, isLeftOut: Bool, in schema: String) -> String? {
    let part = mapped.parts[index]
    guard let condition = part.condition else {
      return isLeftOut ? nil : keys(of: part, nil, in: schema)
    }
    let met = "(\(condition)\n)"
    return keys(of: part, isLeftOut ? "NOT coalesce(\(met), 0)" : met, in: schema)
  }

  private func keys(of part: MappedPart, _ condition: String?, in schema: String) -> String {
    let select = SelectStatement(
      columns: ["\(part.source.quotedName).\(EntityView.key) AS base"],
      source: "\(tables.rows(of: part.source, in: schema)) AS \(part.source.quotedName)",
      conditions: [condition].compactMap(\.self)
    )
    return tables.outlines(of: [part], in: schema) + select.sql
  }

  private func add(_ rows: String, _ index: Int, isLeftOut: Bool, on connection: Connection) throws(SQLiteError) {
    let id = "\"\(MappedKeys.id)\""
    let ends = try connection.prepare(
      """
      SELECT min(base), max(base), (SELECT max(\(id)) FROM \(table)),
        EXISTS (SELECT 1 FROM (\(rows)) AS r JOIN \(table) AS k ON k.\(id) = r.base)
      FROM (\(rows))
      """
    )
    guard try ends.step(), let low = ends.integerOrNil(at: 0) else { return }
    let high = ends.integer(at: 1)
    var offset: Int64 = 0
    if let last = ends.integerOrNil(at: 2), ends.integer(at: 3) != 0 || isLeftOut {
      let next = last.addingReportingOverflow(1)
      let (difference, isTooFar) = next.partialValue.subtractingReportingOverflow(low)
      offset = difference
      guard !next.overflow, !isTooFar, !high.addingReportingOverflow(offset).overflow else {
        throw SQLiteError(
          code: SQLiteError.internalCode, message: "its keys are too large to assign a key to every object")
      }
    }
    ends.reset()
    let code = MappedRelation(mapped: mapped, store: tables).code(of: mapped.parts[index])
    try connection.run(
      """
      INSERT INTO \(table) SELECT base + \(offset), \(code), \(index), base, \(isLeftOut ? 1 : 0)
      FROM (\(rows)) ORDER BY 1
      """
    )
  }
}
