package import DecantStore
internal import DecantSQLite

/// The objects of a relation under one number each, by which a closure knows them.
///
/// The number is the integer key where there is one. Rows that only values name are numbered in a temporary
/// table first.
package struct ObjectRows: Sendable, Hashable {
  package let relation: Relation
  /// The name under which the store is attached.
  let schema: String
  /// The place of the relation in its layout, after which temporary tables are named.
  let place: Int

  init(_ relation: Relation, schema: String, place: Int) {
    self.relation = relation
    self.schema = schema
    self.place = place
  }

  private static let number = "decant number"

  /// The table, as SQL names it.
  package var table: String { relation.sqlTable(in: schema) }

  /// The columns of a key that is no integer; `nil` where the key is one.
  package var keyColumns: [String]? {
    guard case .values(let columns) = relation.key else { return nil }
    return columns
  }

  /// Whether rows can be told from one another at all.
  package var areKnown: Bool { relation.key != .none }

  /// The temporary table in which rows get their numbers.
  package var numbers: String { "temp.decant_numbers_\(place)" }

  /// The objects that are taken: `key`, the `distance` at which each was found, and by which link.
  ///
  /// The link is the `parent` it leads from, and the number of the path that it goes `via`; `round` is the last one in which
  /// something was found out about the object.
  package var members: String { "temp.decant_closure_\(place)" }

  /// The statement that finds one of these by its key: ?1, or values from ?1 on.
  var lookup: String {
    guard let keyColumns else { return "SELECT 1 FROM \(members) WHERE key = ?1" }
    let same = keyColumns.indices.map { "n.k\($0) IS ?\($0 + 1)" }.joined(separator: " AND ")
    return "SELECT 1 FROM \(numbers) AS n JOIN \(members) AS m ON m.key = n.number WHERE \(same)"
  }

  /// Those that are being found.
  package var found: String { "temp.decant_found_\(place)" }

  /// Those that conditions let through, where there are any.
  package var allowed: String { "temp.decant_allowed_\(place)" }

  /// What makes that table.
  var numbering: [String] {
    guard let keyColumns else { return [] }
    let names = keyColumns.indices.map { "k\($0)" }.joined(separator: ", ")
    let values = keyColumns.map(\.sqlName).joined(separator: ", ")
    return [
      """
      CREATE TABLE IF NOT EXISTS \(numbers) (number INTEGER PRIMARY KEY, \(names), UNIQUE (\(names)))
      """,
      "DELETE FROM \(numbers)",
      "INSERT INTO \(numbers) (\(names)) SELECT \(values) FROM \(table)",
    ]
  }

  /// The rows under the name `row`, for FROM.
  package func source(as row: String) -> String {
    guard let keyColumns else { return "\(table) AS \(row)" }
    let same = keyColumns.enumerated().map { "t.\($1.sqlName) = n.k\($0)" }
    return "(SELECT n.number AS \(ObjectRows.number.sqlName), t.* FROM \(numbers) AS n "
      + "CROSS JOIN \(table) AS t WHERE \(same.joined(separator: " AND "))) AS \(row)"
  }

  /// The number of the row called `row`.
  package func number(of row: String) -> String {
    "\(row).\((keyColumns == nil ? relation.keyColumn ?? "" : ObjectRows.number).sqlName)"
  }
}
