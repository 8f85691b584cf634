package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// Which keys are taken, and which were allocated.
extension CoreDataDestination {
  package func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    try explaining("cannot read the counters of “\(path)”") { () throws(SQLiteError) in
      var counters: [String: Int64] = [:]
      for relation in layout.relations {
        // The counter itself may lag behind: a real store was seen with 0 and keys up to 8.
        let handedOut = try connection.integer(
          "SELECT Z_MAX FROM \(schema.sqlName).Z_PRIMARYKEY WHERE Z_ENT = ?1",
          .integer(numbers[relation.root] ?? 0)
        )
        let highest = try connection.integer("SELECT max(Z_PK) FROM \(relation.sqlTable(in: schema))")
        counters[relation.root] = max(handedOut ?? 0, highest ?? 0)
      }
      // A link that dangles must not find an object at its end one day: its key is spoken for, too.
      for (table, column, root) in keyColumns {
        let highest = try connection.integer(
          """
          SELECT \(column.sqlName) FROM \(schema.sqlName).\(table.sqlName)
          WHERE typeof(\(column.sqlName)) = 'integer' ORDER BY \(column.sqlName) DESC LIMIT 1
          """
        )
        counters[root] = max(counters[root] ?? 0, highest ?? 0)
      }
      return counters
    }
  }

  /// Every column that holds keys of another table's objects, and the root entity of those.
  private var keyColumns: [(table: String, column: String, root: String)] {
    layout.links.flatMap { link in link.ends.map { (link.table, $0.column, $0.root) } }
  }

  package func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    try explaining("cannot write the counters of “\(path)”") { () throws(SQLiteError) in
      for (root, counter) in counters {
        try connection.run(
          "UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(coalesce(Z_MAX, 0), ?1) WHERE Z_ENT = ?2",
          .integer(counter),
          .integer(numbers[root] ?? 0)
        )
      }
    }
  }
}
