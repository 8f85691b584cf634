internal import DecantStore
package import DecantSQLite

extension StoreTemplate {
  /// Reads the schema of the Core Data store attached as `schema`, with or without sync metadata.
  package init(of schema: String, on connection: Connection, keepsSyncMetadata: Bool) throws(SQLiteError) {
    try self.init(of: schema, on: connection)
    if !keepsSyncMetadata { self = replacing(items.filter { !SyncMetadata.isTable($0.table) }) }
  }

  /// Throws for a virtual table whose content cannot be copied as rows.
  func checkSearchTables(of layout: Layout) throws(SQLiteError) {
    for table in virtualTables where SearchTable(table.name, in: layout) == nil {
      throw SQLiteError(
        code: 1,
        message:
          "the virtual table \(table.name) cannot be copied row by row; a full copy, "
          + "without selected, resumed or rejected objects, includes it"
      )
    }
  }
}
