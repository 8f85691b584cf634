internal import SQLite

/// The work tables of a closure: on disk, as a closure may hold every object of a store.
///
/// They are temporary, and named after the places of relations in their layout.
struct ClosureTables: Sendable {
  let objects: [ObjectRows]
  /// How many relationships there are of which links are counted.
  let boundCount: Int

  init(_ layout: Layout, schema: String, boundCount: Int = 0) {
    self.boundCount = boundCount
    objects = layout.relations.enumerated().map { place, relation in
      ObjectRows(relation, schema: schema, place: place)
    }
  }

  /// The objects of a root entity; `nil` for one that has no place in the store.
  func rows(of root: String) -> ObjectRows? { objects.first { $0.relation.root == root } }

  /// The objects that are taken: `key`, the `distance` at which each was found, and by which link: the `parent` it
  /// leads from, and the number of the path.
  static func members(_ place: Int) -> String { "temp.decant_closure_\(place)" }

  /// Those that were found last, or are being found, in turns.
  static func wave(_ place: Int, _ turn: Int) -> String { "temp.decant_wave_\(place)_\(turn)" }

  /// Those that conditions let through, where there are any.
  static func allowed(_ place: Int) -> String { "temp.decant_allowed_\(place)" }

  /// Links that had to be sorted, by the number of their path.
  static func links(_ path: Int, _ part: Int) -> String { "temp.decant_links_\(path)_\(part)" }

  /// Those that links of a path may lead to, where it has a condition.
  static func met(_ path: Int) -> String { "temp.decant_met_\(path)" }

  /// The column that holds how many links of a relationship there are at least on the way to an object, by the
  /// relationship's number.
  static func depth(_ bound: Int) -> String { "depth_\(bound)" }

  /// The names of all such columns.
  var depths: [String] { (0..<boundCount).map(ClosureTables.depth) }

  /// Makes the tables, all empty; they may be there from an earlier planning.
  func make(on connection: Connection) throws(SQLiteError) {
    for rows in objects {
      // What begins a way is no link away from itself.
      let columns = depths.map { ", \($0) INTEGER NOT NULL DEFAULT 0" }.joined()
      let found = "(key INTEGER PRIMARY KEY, parent INTEGER, via INTEGER\(columns)"
      try empty(ClosureTables.members(rows.place), found + ", distance INTEGER)", on: connection)
      for turn in 0...1 {
        try empty(ClosureTables.wave(rows.place, turn), found + ")", on: connection)
      }
      for sql in rows.numbering { try connection.run(sql) }
    }
  }

  /// Makes `table`, or empties it.
  func empty(_ table: String, _ columns: String, on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE TABLE IF NOT EXISTS \(table) \(columns)")
    try connection.run("DELETE FROM \(table)")
  }
}
