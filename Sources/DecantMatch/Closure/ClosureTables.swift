package import DecantStore
package import DecantSQLite

/// The work tables of a closure: on disk, as a closure may hold every object of a store.
///
/// They are temporary, and named after the places of relations in their layout.
package struct ClosureTables: Sendable {
  package let objects: [ObjectRows]
  /// How many relationships there are of which links are counted.
  let boundCount: Int

  package init(_ layout: Layout, schema: String, boundCount: Int = 0) {
    self.boundCount = boundCount
    objects = layout.relations.enumerated().map { place, relation in
      ObjectRows(relation, schema: schema, place: place)
    }
  }

  /// The objects of a root entity; `nil` for one that has no place in the store.
  package func rows(of root: String) -> ObjectRows? { objects.first { $0.relation.root == root } }

  /// Links that had to be sorted, by the number of their path.
  package static func links(_ path: Int, _ part: Int) -> String {
    "temp.decant_links_\(path)_\(part)"
  }

  /// Those that links of a path may lead to, where it has a condition.
  package static func met(_ path: Int) -> String { "temp.decant_met_\(path)" }

  /// The column that holds how many links of a relationship there are at least on the way to an object, by the
  /// relationship's number.
  package static func depth(_ bound: Int) -> String { "depth_\(bound)" }

  /// The names of all such columns.
  package var depths: [String] { (0..<boundCount).map(ClosureTables.depth) }

  /// The objects of which something was found out in the round ?1, for FROM: no more names than are needed stand
  /// beside those of the store.
  package func wave(of rows: ObjectRows) -> String {
    "(SELECT \((["key"] + depths).joined(separator: ", ")) FROM \(rows.members) WHERE round = ?1)"
  }

  /// Makes the tables, all empty; they may be there from an earlier planning.
  package func make(on connection: Connection) throws(SQLiteError) {
    // What begins a way is no link away from itself.
    let depths = depths.map { ", \($0) INTEGER NOT NULL DEFAULT 0" }.joined()
    let found = "(key INTEGER PRIMARY KEY, parent INTEGER, via INTEGER\(depths)"
    for rows in objects {
      try empty(rows.found, found + ")", on: connection)
      try empty(rows.members, found + ", distance INTEGER, round INTEGER)", on: connection)
      let place = rows.place
      try connection.run("CREATE INDEX IF NOT EXISTS temp.decant_round_\(place) ON decant_closure_\(place) (round)")
      for sql in rows.numbering { try connection.run(sql) }
    }
  }

  /// Makes `table`, or empties it.
  package func empty(_ table: String, _ columns: String, on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE TABLE IF NOT EXISTS \(table) \(columns)")
    try connection.run("DELETE FROM \(table)")
  }
}
