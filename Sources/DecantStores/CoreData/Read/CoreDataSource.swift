package import Decant
package import SQLite

/// A Core Data store to read from.
package struct CoreDataSource: SourceStore {
  /// What the file says of itself, read when it was opened.
  package let file: CoreDataFile
  package let identity: StoreIdentity
  package let layout: Layout
  package var model: Model { file.model }
  package var path: String? { file.database.path }
  package var textEncoding: String { file.textEncoding }
  package var externalStorage: (any ExternalStorage)? {
    CoreDataExternalStorage(store: file.database.path)
  }
  package var notes: [String] { file.database.notes + layoutNotes }
  private let layoutNotes: [String]

  /// Finds the tables and columns of `file`'s model.
  ///
  /// - Throws: `DecantError` with code `.corruptStore` where one is missing.
  package init(_ file: CoreDataFile) throws(DecantError) {
    self.file = file
    identity = StoreIdentity(kind: "coredata", place: file.database.path, uuid: file.uuid)
    layout = try CoreDataLayout(
      model: file.model,
      numbers: file.numbers,
      columns: file.columns,
      place: file.database.path
    ).layout()
    layoutNotes = layout.unnamedColumns
  }

  /// The tables that hold neither objects nor links nor Core Data's own books: an app's.
  var otherTables: [String] {
    let known = Set(layout.relations.map(\.table) + layout.linkRelations.map(\.table))
    return file.columns.keys.filter { table in
      !known.contains(table) && !Sediment.isTable(table) && !table.hasPrefix("Z_RT_")
        && !table.hasPrefix("sqlite_") && !table.hasPrefix("decant_")
        && !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains(table)
    }.sorted()
  }

  package func attach(to connection: Connection, as schema: String) throws(DecantError) {
    do throws(SQLiteError) {
      try connection.attach(file.database.uri, as: schema)
    } catch {
      throw DecantError(opening: file.database.path, error)
    }
  }
}

extension Layout {
  /// Says which columns of entity tables belong to no property of the model.
  fileprivate var unnamedColumns: [String] {
    relations.flatMap { relation in
      relation.columns.compactMap { column in
        guard case .unnamed(let name) = column.meaning else { return nil }
        return "column \(relation.table).\(name) belongs to no property of the model"
      }
    }
  }
}
