internal import DecantBase
package import DecantSQLite

/// The display names of rows by key: `p20`, `key 20`, `key “soup”`, `rowid 20`.
package struct RowNames {
  package let relation: Relation
  /// The schema of the attached store with the rows.
  package let schema: String
  package let connection: Connection

  package init(relation: Relation, schema: String, connection: Connection) {
    (self.relation, self.schema, self.connection) = (relation, schema, connection)
  }

  /// Returns the name of the row with the integer `key`: the values of the table's own primary key if it has another
  /// one.
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

  /// Returns the name of the key with `values`.
  package static func name(of values: [Binding]) -> String {
    "key " + values.map(ValueText.text(ofKey:)).joined(separator: ", ")
  }
}

extension Relation {
  /// Returns the text of a key; for a row without a key column, the rowid.
  package func keyText(_ key: Int64) -> String {
    guard terms == .rows, !columns.contains(where: \.columnRole.isKey) else { return terms.key(key) }
    return "rowid \(key)"
  }

  /// Returns the text of a row of the concrete `entity`: `Recipe p20`, `recipe key 20`.
  func rowText(_ key: Int64, of entity: String? = nil) -> String {
    "\(entity ?? root) \(keyText(key))"
  }
}
