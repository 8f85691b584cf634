package import DecantSQLite

extension Layout {
  /// Returns the number of objects in `schema` for each concrete entity that has any.
  package func objectCounts(in schema: String, on connection: Connection) throws(SQLiteError) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for relation in relations {
      try connection.forEachRow(
        "SELECT \(relation.entityCode() ?? "NULL") AS e, count(*) FROM \(relation.sqlTable(in: schema)) GROUP BY e"
      ) { row in
        let count = row.integer(at: 1)
        guard count > 0 else { return }
        let entity = relation.entities.first {
          row.type(at: 0) == .integer && $0.code == row.integer(at: 0)
        }
        counts[entity?.name ?? relation.root, default: 0] += count
      }
    }
    return counts
  }
}
