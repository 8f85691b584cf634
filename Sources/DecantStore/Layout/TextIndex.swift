/// A table by which texts are found: what its module keeps of them, beside the rows that one sees.
package struct TextIndex: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The module of SQLite behind it: `fts5`, `fts4` or `fts3`.
  package var module: String
  /// The root entity whose keys number the texts; `nil` where they are numbered by something else.
  package var root: String?
  /// The table whose rows the texts are; `nil` where it keeps them itself, or they are gone.
  package var content: String?

  /// Describes such a table.
  package init(table: String, module: String, root: String?, content: String? = nil) {
    self.table = table
    self.module = module
    self.root = root
    self.content = content
  }
}
