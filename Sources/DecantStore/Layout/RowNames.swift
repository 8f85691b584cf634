internal import DecantBase
package import DecantSQLite

/// Names rows by their keys as the users of a store know them: `p20`, `key 20`, `key “soup”`, `rowid 20`.
package struct RowNames {
  package let relation: Relation
  /// The name under which the store is attached that holds the rows.
  package let schema: String
  package let connection: Connection

  package init(relation: Relation, schema: String, connection: Connection) {
    (self.relation, self.schema, self.connection) = (relation, schema, connection)
  }

  /// Returns the key of the row that has the integer `key`: the values of the table's own key where that is
  /// another one.
  package func name(of key: Int64) throws(SQLiteError) -> String {
    guard relation.terms == .rows, !relation.ownKey.isEmpty else { return relation.keyText(key) }
    let columns = relation.ownKey.map(\.sqlName).joined(separator: ", ")
    let row = try connection.prepare(
      "SELECT \(columns) FROM \(relation.sqlTable(in: schema)) WHERE \(relation.keyName) = ?1"
    )
    try row.bind(.integer(key), at: 1)
    guard try row.step() else { return relation.keyText(key) }
    return RowNames.name(of: relation.ownKey.indices.map { row.value(at: $0) })
  }

  /// The key whose columns hold `values`.
  package static func name(of values: [Binding]) -> String {
    "key " + values.map(ValueText.text(ofKey:)).joined(separator: ", ")
  }
}

extension Relation {
  /// The key of one of its rows, in words: of a row that no column numbers, the row's number.
  package func keyText(_ key: Int64) -> String {
    guard terms == .rows, !columns.contains(where: \.columnRole.isKey) else { return terms.key(key) }
    return "rowid \(key)"
  }

  /// One of its rows of the concrete `entity`, in words: `Recipe p20`, `recipe key 20`.
  func rowText(_ key: Int64, of entity: String? = nil) -> String {
    "\(entity ?? root) \(keyText(key))"
  }
}
