/// A table that holds neither objects nor links of the model.
///
/// It is an app's own, or one that nobody can read without the model. A new store gets it as it is, an
/// existing one keeps its own.
package struct PlainTable: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  package var name: String
  /// Its columns, but for generated ones, which compute themselves.
  package var columns: [String]
  /// The name by which its rowid can be asked for; `nil` for a table without rowids.
  package var rowID: String?
  /// Whether syncing left it there, so that it travels only where that was asked for.
  package var isSyncMetadata: Bool

  /// Whether a virtual table keeps there what it holds: it travels with that one, and is nothing by
  /// itself.
  package var isInternal = false

  /// Describes a table; with rowids it is copied batch by batch.
  package init(name: String, columns: [String], rowID: String?, isSyncMetadata: Bool = false) {
    self.name = name
    self.columns = columns
    self.rowID = rowID
    self.isSyncMetadata = isSyncMetadata
  }

  /// Whether its rows have a rowid, by which they are copied in batches.
  package var hasRowID: Bool { rowID != nil }
}
