package import DecantStore
internal import DecantSQLite

/// The objects of a relation, each with a number that a closure uses.
///
/// The number is the integer key if there is one. Rows with another key are first numbered in a temporary table.
package struct ObjectRows: Sendable, Hashable {
  package let relation: Relation
  /// The schema of the attached store.
  let schema: String
  /// The position of the relation in its layout, which names temporary tables.
  let place: Int

  init(_ relation: Relation, schema: String, place: Int) {
    self.relation = relation
    self.schema = schema
    self.place = place
  }

  private static let number = "decant number"

  /// The table's SQL name.
  package var table: String { relation.sqlTable(in: schema) }

  /// The columns of a non-integer key; `nil` for an integer key.
  package var keyColumns: [String]? {
    guard case .values(let columns) = relation.key else { return nil }
    return columns
  }

  /// Whether rows have a key at all.
  package var areKnown: Bool { relation.key != .none }

  /// The temporary table with the numbers of rows.
  package var numbers: String { "temp.decant_numbers_\(place)" }

  /// The included objects: `key`, the `distance` at which each was found, and the link that led to it.
  ///
  /// The link is given by its holder `parent` and the number `via` of its path; `round` is the last round in which the
  /// object was updated.
  package var members: String { "temp.decant_closure_\(place)" }

  /// The statement that finds an included object by its key: ?1, or values from ?1.
  var lookup: String {
    guard let keyColumns else { return "SELECT 1 FROM \(members) WHERE key = ?1" }
    let same = keyColumns.indices.map { "n.k\($0) IS ?\($0 + 1)" }.joined(separator: " AND ")
    return "SELECT 1 FROM \(numbers) AS n JOIN \(members) AS m ON m.key = n.number WHERE \(same)"
  }

  /// The objects found in the current round.
  package var found: String { "temp.decant_found_\(place)" }

  /// The objects that satisfy the conditions, if there are any.
  package var allowed: String { "temp.decant_allowed_\(place)" }

  /// The statements that create the table of numbers.
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

  /// Returns the rows under the name `row`, for FROM.
  package func source(as row: String) -> String {
    guard let keyColumns else { return "\(table) AS \(row)" }
    let same = keyColumns.enumerated().map { "t.\($1.sqlName) = n.k\($0)" }
    return "(SELECT n.number AS \(ObjectRows.number.sqlName), t.* FROM \(numbers) AS n "
      + "CROSS JOIN \(table) AS t WHERE \(same.joined(separator: " AND "))) AS \(row)"
  }

  /// Returns the number of the row called `row`.
  package func number(of row: String) -> String {
    "\(row).\((keyColumns == nil ? relation.keyColumn ?? "" : ObjectRows.number).sqlName)"
  }
}
