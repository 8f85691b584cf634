package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The used and the allocated keys.
extension CoreDataDestination {
  package func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    var counters: [String: Int64] = [:]
    for relation in layout.relations {
      counters[relation.root] = try keys.last(of: relation, in: schema, on: connection)
    }
    return counters
  }

  package func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    try keys.allocate(counters, on: connection)
  }

  private var keys: AllocatedKeys { AllocatedKeys(layout: layout, numbers: numbers, place: path) }
}

/// The allocated keys of a Core Data store, by `Z_PRIMARYKEY` and by its rows.
struct AllocatedKeys {
  let layout: Layout
  /// The number of each entity.
  let numbers: [String: Int64]
  /// The name of the store in errors.
  let place: String

  /// Returns the highest key ever allocated for a table's objects.
  func last(of relation: Relation, in schema: String, on connection: Connection) throws(DecantError) -> Int64 {
    try explaining("cannot read the counters of “\(place)”") { () throws(SQLiteError) in
      // The counter itself may be too low: a real store had 0 with keys up to 8.
      let handedOut = try connection.integer(
        "SELECT Z_MAX FROM \(schema.sqlName).Z_PRIMARYKEY WHERE Z_ENT = ?1",
        .integer(numbers[relation.root] ?? 0)
      )
      let highest = try connection.integer("SELECT max(Z_PK) FROM \(relation.sqlTable(in: schema))")
      var last = max(handedOut ?? 0, highest ?? 0)
      // A new object must not get the key that a dangling link points to.
      for link in layout.links {
        for end in link.ends where end.root == relation.root {
          let highest = try connection.integer(
            """
            SELECT \(end.column.sqlName) FROM \(schema.sqlName).\(link.table.sqlName)
            WHERE typeof(\(end.column.sqlName)) = 'integer' ORDER BY \(end.column.sqlName) DESC LIMIT 1
            """
          )
          last = max(last, highest ?? 0)
        }
      }
      return last
    }
  }

  /// Records the keys up to these as allocated, by root entity.
  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    try explaining("cannot write the counters of “\(place)”") { () throws(SQLiteError) in
      for (root, counter) in counters {
        try connection.run(
          "UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(coalesce(Z_MAX, 0), ?1) WHERE Z_ENT = ?2",
          .integer(counter),
          .integer(numbers[root] ?? 0)
        )
        guard connection.changeCount == 0, let number = numbers[root] else { continue }
        try connection.run(
          "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3)",
          .integer(number),
          .text(root),
          .integer(counter)
        )
      }
    }
  }
}
