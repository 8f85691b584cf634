internal import DecantPlan
internal import DecantStore
package import DecantSQLite

extension CopyStep {
  /// Returns the number of rows that the step reads; it writes all of them unless an end of a link is missing.
  package func rowCount(on connection: Connection, ids: IDTable) throws(SQLiteError) -> Int64 {
    switch kind {
    case .objects(let root): ids.map(of: root)?.fresh.count ?? 0
    case .links(let links):
      try connection.integer(
        "SELECT count(*) FROM \(sourceTable)" + (links.condition.map { " WHERE \($0)" } ?? "")
      ) ?? 0
    case .rows: try connection.integer("SELECT count(*) FROM \(sourceTable)") ?? 0
    case .unkeyed:
      try connection.integer(
        SelectStatement(columns: ["count(*)"], source: "\(source) AS r", conditions: filters.map { "(\($0))" }).sql
      ) ?? 0
    }
  }
}
