/// The tables in which a module of SQLite keeps what a virtual table shows.
///
/// SQLite marks them, but looks the virtual table up by its name alone: where another attached store has a table of that
/// name it may mark none.
package enum ShadowTables {
  private static let endings = [
    "fts3": texts, "fts4": texts, "fts5": ["config", "content", "data", "docsize", "idx"],
    "rtree": boxes, "rtree_i32": boxes,
  ]
  private static let texts = ["content", "docsize", "segdir", "segments", "stat"]
  private static let boxes = ["node", "parent", "rowid"]

  /// The names, in small letters, of those of the virtual table `table`; none for a module that is not known.
  package static func names(of table: String, module: String) -> [String] {
    (endings[module] ?? []).map { "\(table.lowercased())_\($0)" }
  }
}
