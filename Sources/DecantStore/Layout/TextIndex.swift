/// A full-text table, described by the storage of its module.
package struct TextIndex: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  package var table: String
  /// Its SQLite module: `fts5`, `fts4` or `fts3`.
  package var module: String
  /// The root entity whose keys number the texts; `nil` if they have other numbers.
  package var root: String?
  /// The table with the texts; `nil` if the index stores them itself, or they are not stored.
  package var content: String?

  /// Describes a full-text table.
  package init(table: String, module: String, root: String?, content: String? = nil) {
    self.table = table
    self.module = module
    self.root = root
    self.content = content
  }
}
