internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Determines whether links named by the user lead to the declared keys of a table or to its row numbers.
///
/// A table with a key of texts has row numbers as well, which an app may store: only the values show which of the two a
/// link leads to.
struct NamedLinks {
  let schema: PlainSchema
  let database: DatabaseFile

  /// Returns `links`, each with the kind of key that its values lead to, unless another store has determined it.
  ///
  /// - Throws: `DecantError` if some values are only among the keys, and others only among the row numbers, or if the
  ///   two stores differ in this.
  func decided(_ links: [CopyOptions.Link]) throws(DecantError) -> [CopyOptions.Link] {
    guard links.contains(where: { choice($0) != nil }) else { return links }
    let connection = try database.reader()
    var decided = links
    for (place, link) in links.enumerated() {
      guard let choice = choice(link) else { continue }
      let found = try leadsToRowNumbers(link, choice, on: connection)
      guard let found, let other = link.leadsToRowNumbers, found != other else {
        // Without a value the types decide: integers beside keys of another type are row numbers.
        decided[place].leadsToRowNumbers =
          link.leadsToRowNumbers ?? found ?? (choice.column.affinity == .integer && choice.key.affinity != .integer)
        continue
      }
      let names = ["row numbers", "the column \(choice.key.name)"]
      throw DecantError(
        .unsuitableOption,
        "\(link.property) leads to \(names[found ? 0 : 1]) of \(choice.target.name) in “\(database.path)”, and to "
          + "\(names[found ? 1 : 0]) in the other database",
        place: link.place.map { "\($0)" } ?? "\(option: .link, "\(link)")",
        remedy: "remove it, or have the values of both databases lead to the same column"
      )
    }
    return decided
  }

  /// The columns that a link may lead to.
  private struct Choice {
    let column: ColumnSchema
    let target: TableSchema
    let key: ColumnSchema
    let rowID: String
  }

  /// Returns the choice that `link` leaves open.
  private func choice(_ link: CopyOptions.Link) -> Choice? {
    guard let target = schema.table(link.target),
      let column = schema.table(link.property.entity)?.column(link.property.name),
      let integer = schema.key(of: target), !integer.isShown, integer.isRowID,
      let name = schema.declaredKey(of: target), let key = target.column(name)
    else { return nil }
    return Choice(column: column, target: target, key: key, rowID: integer.column)
  }

  /// Returns what the values show; `nil` if none leads anywhere.
  private func leadsToRowNumbers(
    _ link: CopyOptions.Link,
    _ choice: Choice,
    on connection: Connection
  ) throws(DecantError) -> Bool? {
    let (own, target) = (link.property.entity.sqlName, choice.target.name.sqlName)
    // As in a foreign key, the key's own column converts the value.
    let isKey = "EXISTS (SELECT 1 FROM \(target) AS t WHERE t.\(choice.key.name.sqlName) = v)"
    let isRow = "EXISTS (SELECT 1 FROM \(target) AS t WHERE t.\(choice.rowID.sqlName) = v)"
    // A type in another table is looked up later; the rows of all types count until then.
    let isOwn = link.condition?.comparisons.allSatisfy(\.path.isEmpty) == true
    let condition = isOwn ? link.condition.map { " AND (\($0.sql(in: nil)))" } ?? "" : ""
    var found: (keys: Int64, rows: Int64, both: Int64) = (0, 0, 0)
    try explaining("cannot read “\(database.path)”") { () throws(SQLiteError) in
      try connection.forEachRow(
        """
        SELECT total(k AND NOT r), total(r AND NOT k), total(k AND r) FROM (SELECT \(isKey) AS k, \(isRow) AS r
          FROM (SELECT +\(choice.column.name.sqlName) AS v FROM \(own)
            WHERE \(choice.column.name.sqlName) IS NOT NULL\(condition)))
        """
      ) { row in found = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2)) }
    }
    guard found.keys == 0 || found.rows == 0 else {
      throw DecantError(
        .unsuitableOption,
        "\(link.property) may lead to \(choice.key.name) of \(choice.target.name) or to its row numbers: "
          + "\(found.keys.counted("value")) can only be keys, and \(found.rows) only row numbers",
        place: link.place.map { "\($0)" } ?? "\(option: .link, "\(link)")",
        remedy: "remove it, or have all values of \(link.property) lead to the same column"
      )
    }
    guard found.rows == 0, found.keys == 0 else { return found.rows > 0 }
    // Values that are both are those of a foreign key, unless the other store says otherwise.
    return found.both == 0 ? nil : link.leadsToRowNumbers ?? false
  }
}
