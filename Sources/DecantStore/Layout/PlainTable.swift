/// A table without objects or links of the model.
///
/// It is an app's own table, or one that cannot be interpreted without the model. A new store gets it unchanged, an
/// existing store keeps its own.
package struct PlainTable: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  package var name: String
  /// Its columns without generated ones.
  package var columns: [String]
  /// The name of its rowid; `nil` for a table without rowids.
  package var rowID: String?
  /// Whether it is sync metadata, which is copied only on request.
  package var isSyncMetadata: Bool

  /// Whether it is a shadow table: it is copied with its virtual table.
  package var isInternal = false

  /// Describes a table; with rowids it is copied in batches.
  package init(name: String, columns: [String], rowID: String?, isSyncMetadata: Bool = false) {
    self.name = name
    self.columns = columns
    self.rowID = rowID
    self.isSyncMetadata = isSyncMetadata
  }

  /// Whether its rows have a rowid, which defines batches.
  package var hasRowID: Bool { rowID != nil }
}
