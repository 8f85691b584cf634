internal import DecantStore
package import DecantSQLite

extension Relation {
  /// Returns the concrete entity of the object `key` in the store attached as `schema`; `nil` if it does not exist.
  package func entityName(of key: Int64, in schema: String = CopySession.source, on connection: Connection)
    throws(SQLiteError) -> String?
  {
    guard entities.count > 1, let column = entityCode() else { return entities.first?.name }
    let code = try connection.integer(
      "SELECT \(column) FROM \(schema.sqlName).\(table.sqlName) WHERE \(keyName) = ?1",
      .integer(key)
    )
    return entities.first { $0.code == code }?.name
  }
}
