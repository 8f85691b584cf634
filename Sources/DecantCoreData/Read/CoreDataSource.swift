package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// A Core Data store to read from.
package struct CoreDataSource: SourceStore {
  /// The schema of the file, read when it was opened.
  package let file: CoreDataFile
  package let identity: StoreIdentity
  package let layout: Layout
  package var model: Model { file.model }
  package var path: String? { file.database.filePath }
  package var textEncoding: String { file.textEncoding }
  package var externalStorage: (any ExternalStorage)? {
    CoreDataExternalStorage(store: file.database.filePath)
  }
  package var isTemporary: Bool { file.database.isMade }
  /// External files are not moved with the file, and are proven like rows.
  package var mayBeTaken: Bool {
    file.database.isFinal && externalStorage.flatMap { FileStatus($0.folder) } == nil
  }
  package var modelGap: DecantError? { file.modelGap }
  package var notes: [ReportNote] { file.database.notes + file.modelNotes + layoutNotes }
  package var readingNotes: [ReportNote] { file.database.readingNotes + file.modelNotes }
  package var extras: StoreExtras {
    StoreExtras(syncMetadata: SyncMetadata.names(in: file), ownTables: otherTables)
  }
  private let layoutNotes: [ReportNote]
  /// Problems that were found before the file was made.
  let problems: [StoreProblem]

  /// Creates a source of `file`, for the objects of the store `uuid` if that differs.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - uuid: The store's identifier.
  ///   - isReadWithoutFiles: Whether its values were read from a database that has no external files.
  ///   - problems: Problems that were found before the file was made.
  ///   - isInMicroseconds: Returns whether a column's dates were read from a database that holds microseconds.
  package init(
    _ file: CoreDataFile,
    uuid: String? = nil,
    isReadWithoutFiles: Bool = false,
    problems: [StoreProblem] = [],
    isInMicroseconds: (RelationColumn) -> Bool = { _ in false }
  ) {
    (self.file, self.problems) = (file, problems)
    identity = StoreIdentity(kind: CoreDataFile.kind, place: file.database.path, uuid: uuid ?? file.uuid)
    var layout = file.layout
    layout.plainTables = file.plainTables(beside: layout)
    for relation in layout.relations.indices {
      for column in layout.relations[relation].columns.indices {
        let isRounded = isInMicroseconds(layout.relations[relation].columns[column])
        layout.relations[relation].columns[column].isReadInMicroseconds = isRounded
        layout.relations[relation].columns[column].isReadWithoutFiles = isReadWithoutFiles
      }
    }
    self.layout = layout
    layoutNotes = layout.unnamedColumns + file.gapNotes
  }

  /// The app's own tables: neither Core Data's system tables nor sync metadata.
  var otherTables: [String] {
    layout.plainTables.filter { !$0.isSyncMetadata }.map(\.name) + file.virtualTables
  }

  package func attach(to connection: Connection, as schema: String) throws(DecantError) {
    do throws(SQLiteError) {
      try connection.attach(file.database.uri, as: schema)
    } catch {
      throw DecantError(opening: file.database.path, error)
    }
  }
}

extension CoreDataFile {
  /// Returns the tables to copy to a new store besides objects, links and Core Data's system tables.
  fileprivate func plainTables(beside layout: Layout) -> [PlainTable] {
    let known = Set(layout.relations.map(\.table) + layout.linkRelations.map(\.table))
    return columns.keys.sorted().compactMap { table in
      guard !known.contains(table), !CoreDataFile.books.contains(table),
        !table.hasPrefix("sqlite_"), !table.hasPrefix("decant_") || table == OwnTables.repointMark,
        let columns = columns[table],
        let kind = tableKinds[table], kind.isOrdinary
      else { return nil }
      let taken = Set(columns.map { $0.lowercased() })
      let rowID = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
      return PlainTable(
        name: table,
        columns: columns,
        rowID: kind.hasRowID ? rowID : nil,
        isSyncMetadata: SyncMetadata.isTable(table)
      )
    }
  }

  /// The R-trees that Core Data uses for range searches.
  package var virtualTreeNames: [String] {
    tableKinds.filter { $0.value.isVirtual && $0.key.hasPrefix("Z_RT_") }.keys.sorted()
  }

  /// The app's own virtual tables, which cannot be copied as rows.
  var virtualTables: [String] {
    tableKinds.filter { $0.value.isVirtual && !$0.key.hasPrefix("Z_RT_") }.keys.sorted()
  }

  /// The system tables of Core Data.
  static let books: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// Notes about a missing model.
  fileprivate var gapNotes: [ReportNote] {
    guard let modelGap else { return [] }
    return [ReportNote(.modelMissing, "\(modelGap.what): it is read table by table, with links as plain numbers")]
  }
}

extension Layout {
  /// Notes about columns of entity tables that belong to no property of the model.
  fileprivate var unnamedColumns: [ReportNote] {
    relations.flatMap { relation in
      relation.columns.compactMap { column in
        guard case .unnamed(let name) = column.columnRole else { return nil }
        return ReportNote(.notInModel, "no property of the model uses the column \(relation.table).\(name)")
      }
    }
  }
}
