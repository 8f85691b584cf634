/// A table by which texts are found: what its module keeps of them, beside the rows that one sees.
public struct TextIndex: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  public var table: String
  /// The module of SQLite behind it: `fts5`, `fts4` or `fts3`.
  public var module: String
  /// The root entity whose keys number the texts; `nil` where they are numbered by something else.
  public var root: String?
  /// The table whose rows the texts are; `nil` where it keeps them itself, or they are gone.
  public var content: String?

  /// Describes such a table.
  public init(table: String, module: String, root: String?, content: String? = nil) {
    self.table = table
    self.module = module
    self.root = root
    self.content = content
  }
}
