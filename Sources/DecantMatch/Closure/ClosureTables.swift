package import DecantStore
package import DecantSQLite

/// The work tables of a closure, which are on disk, as a closure may contain every object of a store.
///
/// They are temporary, and named after the positions of relations in their layout.
package struct ClosureTables: Sendable {
  package let objects: [ObjectRows]
  /// The number of relationships whose links are counted.
  let boundCount: Int
  /// Whether the tables mark objects that were selected only because one of their parts requires them.
  package let marksOwners: Bool

  package init(_ layout: Layout, schema: String, boundCount: Int = 0, marksOwners: Bool = false) {
    (self.boundCount, self.marksOwners) = (boundCount, marksOwners)
    objects = layout.relations.enumerated().map { place, relation in
      ObjectRows(relation, schema: schema, place: place)
    }
  }

  /// Returns the rows of a root entity; `nil` if the store does not contain it.
  package func rows(of root: String) -> ObjectRows? { objects.first { $0.relation.root == root } }

  /// Returns the table of sorted links, by the number of their path.
  package static func links(_ path: Int, _ part: Int) -> String {
    "temp.decant_links_\(path)_\(part)"
  }

  /// Returns the table of the possible targets of a path with a condition.
  package static func met(_ path: Int) -> String { "temp.decant_met_\(path)" }

  /// Returns the column with the minimum number of links of a relationship on the way to an object, by the
  /// relationship's number.
  package static func depth(_ bound: Int) -> String { "depth_\(bound)" }

  /// The column that is 1 for an object selected only because a part of it requires it.
  package static let isOwner = "is_owner"

  /// The names of the columns in which an object keeps the lowest value found for it.
  package var counts: [String] {
    (0..<boundCount).map(ClosureTables.depth) + (marksOwners ? [ClosureTables.isOwner] : [])
  }

  /// Returns the objects that were updated in the round ?1, for FROM, with only the needed column names.
  package func wave(of rows: ObjectRows) -> String {
    "(SELECT \((["key"] + counts).joined(separator: ", ")) FROM \(rows.members) WHERE round = ?1)"
  }

  /// Creates the tables, or empties those of an earlier plan.
  package func make(on connection: Connection) throws(SQLiteError) {
    // The start of a way is at distance 0.
    let counts = counts.map { ", \($0) INTEGER NOT NULL DEFAULT 0" }.joined()
    let found = "(key INTEGER PRIMARY KEY, parent INTEGER, via INTEGER\(counts)"
    for rows in objects {
      try empty(rows.found, found + ")", on: connection)
      try empty(rows.members, found + ", distance INTEGER, round INTEGER)", on: connection)
      let place = rows.place
      try connection.run("CREATE INDEX IF NOT EXISTS temp.decant_round_\(place) ON decant_closure_\(place) (round)")
      for sql in rows.numbering { try connection.run(sql) }
    }
  }

  /// Creates `table`, or empties it.
  package func empty(_ table: String, _ columns: String, on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE TABLE IF NOT EXISTS \(table) \(columns)")
    try connection.run("DELETE FROM \(table)")
  }
}
