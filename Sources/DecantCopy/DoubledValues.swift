package import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Equal values of two objects that violate a unique index to be built.
///
/// A new store gets its indexes after all rows are written: SQLite's error then names columns, but no object.
package struct DoubledValues {
  private let cause: SQLiteError
  private let relation: Relation
  private let columns: [RelationColumn]
  private let purpose: Purpose

  /// Reads the columns that SQLite names; `nil` for another error, or for a table without objects.
  init?(_ error: DecantError, in layout: Layout, of purpose: Purpose) {
    let marker = "UNIQUE constraint failed: "
    guard let cause = error.cause as? SQLiteError, cause.message.hasPrefix(marker) else {
      return nil
    }
    let names = cause.message.dropFirst(marker.count).split(separator: ", ").map { name in
      name.split(separator: ".", maxSplits: 1).map(String.init)
    }
    guard names.allSatisfy({ $0.count == 2 }), let table = names.first?.first,
      let relation = layout.relations.first(where: { $0.table == table })
    else { return nil }
    let columns = names.compactMap { name in relation.columns.first { $0.name == name[1] } }
    guard columns.count == names.count else { return nil }
    (self.cause, self.relation, self.columns, self.purpose) = (cause, relation, columns, purpose)
  }

  /// Returns the error to report.
  ///
  /// - Parameter connection: The connection that has the store as `main`.
  /// - Returns: An error with the entity, the attributes, and the first objects with equal values.
  /// - Throws: `DecantError` if the store cannot be read.
  func error(on connection: Connection) throws(DecantError) -> DecantError {
    let found = try explaining("cannot look for duplicate values in \(relation.root)") {
      () throws(SQLiteError) in try first(on: connection)
    }
    let properties = columns.map { $0.columnRole.property?.name ?? $0.name }
    return DecantError(
      .constraintViolated,
      "two objects of \(found?.entity ?? relation.root) have the same \(properties.joined(separator: " and ")), "
        + "which must be unique",
      place: found.map { "\($0.keys.map { "p\($0)" }.joined(separator: " and ")) are the first pair" },
      remedy: remedy(properties),
      cause: cause
    )
  }

  /// The remedy for duplicates that violate a new version's constraint.
  package static let remedyOfMigration: DecantError.Text =
    "use \(say: .merge, "skip"), update or keep-both to resolve them; or change the values in the app or in a "
    + "mapping file"

  private func remedy(_ properties: [String]) -> DecantError.Text {
    guard purpose != .migration else { return DoubledValues.remedyOfMigration }
    let identity = "\(relation.root): \(properties.joined(separator: ", "))"
    return
      "to treat them as one object, use \(say: .identity, identity) \(say: .duplicates, "first"); "
      + "to keep only the first, use \(say: .onError, "reject"); or exclude one with \(say: .where), or change the values in the app "
      + "or in a mapping file"
  }

  /// Returns the entity and the keys of the first two objects; `nil` if the index does not compare only the values.
  private func first(on connection: Connection) throws(SQLiteError) -> (entity: String, keys: [Int64])? {
    let sql = (cause.sql ?? "").uppercased()
    guard relation.keyColumn != nil, !sql.contains(" WHERE "), !sql.contains("NOCASE"),
      !sql.contains("RTRIM")
    else { return nil }
    let (table, key) = ("main.\(relation.table.sqlName)", relation.keyName)
    let names = columns.map(\.name.sqlName)
    let pairs = try connection.prepare(
      """
      SELECT min(\(key)) FROM \(table) WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
      GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1 LIMIT 1
      """
    )
    guard try pairs.step() else { return nil }
    let one = pairs.integer(at: 0)
    let same = names.map { "o.\($0) = f.\($0)" }.joined(separator: " AND ")
    let other = try connection.prepare(
      """
      SELECT min(o.\(key)), \(relation.entityCode(in: "f") ?? "NULL")
      FROM \(table) AS f JOIN \(table) AS o ON \(same) AND o.\(key) > f.\(key) WHERE f.\(key) = ?1
      """
    )
    try other.bind([.integer(one)])
    guard try other.step(), let two = other.integerOrNil(at: 0) else { return nil }
    let code = other.integerOrNil(at: 1)
    let entity = relation.entities.first { $0.code == code }
    return (entity?.name ?? relation.root, [one, two])
  }
}
