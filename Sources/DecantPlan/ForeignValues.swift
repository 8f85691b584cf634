package import DecantBase
internal import DecantStore
package import DecantSQLite

/// Values in rows whose entity does not have the column's property, in a table with entity names.
///
/// Core Data's own tables may contain anything there. In a table that users write with SQL, such a value may be
/// intended; no object has a place for it.
extension Layout {
  /// Throws if the store attached as `schema` has such values.
  package func checkForeignValues(in schema: String, on connection: Connection, place: String) throws(DecantError) {
    for relation in relations where relation.namesEntities {
      guard let code = relation.entityCode() else { continue }
      // Sibling entities may share a column.
      let columns = Dictionary(grouping: relation.columns, by: \.name)
      for (name, uses) in columns.sorted(by: { $0.key < $1.key }) {
        let codes = uses.compactMap(\.onlyIn)
        guard codes.count == uses.count else { continue }
        let count = try explaining("cannot read \(relation.table).\(name)") {
          () throws(SQLiteError) in
          try connection.integer(
            """
            SELECT count(*) FROM \(relation.sqlTable(in: schema))
            WHERE typeof(\(name.sqlName)) <> 'null' AND \(code) NOT IN (\(codes.flatMap(\.self).list))
            """
          ) ?? 0
        }
        guard count > 0 else { continue }
        throw DecantError(
          .modelsDiffer,
          "\(relation.table).\(name) of “\(place)” has \(count.counted("value")) in rows of entities "
            + "that do not have this attribute",
          place: "in the model only other entities have it, so the values would be lost",
          remedy: "set them to NULL there, or correct the column entity of these rows"
        )
      }
    }
  }
}
