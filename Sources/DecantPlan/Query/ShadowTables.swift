/// The shadow tables in which a module of SQLite stores the content of a virtual table.
///
/// SQLite marks them, but looks up the virtual table by name only: if another attached store has a table of that name,
/// none may be marked.
package enum ShadowTables {
  private static let endings = [
    "fts3": texts, "fts4": texts, "fts5": ["config", "content", "data", "docsize", "idx"],
    "rtree": boxes, "rtree_i32": boxes,
  ]
  private static let texts = ["content", "docsize", "segdir", "segments", "stat"]
  private static let boxes = ["node", "parent", "rowid"]

  /// Returns the names of the shadow tables of the virtual table `table`, in lower case; none for an unknown module.
  package static func names(of table: String, module: String) -> [String] {
    (endings[module] ?? []).map { "\(table.lowercased())_\($0)" }
  }
}
