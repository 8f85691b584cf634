package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantPropertyList
package import DecantSQLite

/// A Core Data store from which sync metadata can be removed; its model is not read.
package struct CleanableCoreDataStore: CleanableStore {
  package let identity: StoreIdentity
  package var path: String { identity.place }
  package var syncMetadataKinds: [String] { SyncMetadata.Kind.allCases.map(\.rawValue) }

  /// Opens the store at `place`.
  ///
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` if it is not a Core Data store.
  package init(_ place: String) throws(DecantError) {
    let file = try DatabaseFile.open(place)
    let books: Bookkeeping
    do throws(SQLiteError) {
      let connection = try Connection(file.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      books = try Bookkeeping(connection)
    } catch {
      throw DecantError(opening: place, error)
    }
    try books.checkIsCoreData(place)
    identity = StoreIdentity(kind: CoreDataFile.kind, place: place, uuid: books.uuid)
  }

  package func prepare(_ connection: Connection) throws(DecantError) {
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try PrivateFunctions.register(on: connection)
    }
  }

  package func removals(of kinds: [String], on connection: Connection) throws(DecantError) -> [SyncMetadataRemoval] {
    let books = try books(on: connection)
    let metadata = try CoreDataFile.metadata(books.metadata, place: path)
    var removals: [SyncMetadataRemoval] = []
    for kind in SyncMetadata.Kind.allCases where kinds.contains(kind.rawValue) {
      let keys = metadata.keys.filter { SyncMetadata.Kind(metadataKey: $0) == kind }
      try checkTables(of: kind, books)
      var layer = SyncMetadataLayer(kind: kind.rawValue, metadataKeys: keys.sorted())
      for (table, noun) in SyncMetadata.tables(of: kind, among: books.columns.keys.sorted()) {
        let count = try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
          try connection.integer("SELECT count(*) FROM main.\(table.sqlName)")
        }
        layer.tables.append(SyncMetadataLayer.Table(name: table, noun: noun, rowCount: count ?? 0))
      }
      let counters = books.entries.filter { SyncMetadata.Kind(counter: $0) == kind }
        .map { SyncMetadataRemoval.Counter(name: $0.name, number: $0.number) }
      removals.append(SyncMetadataRemoval(layer: layer, counters: counters))
    }
    return removals
  }

  /// Throws for tables of `kind` that are views or virtual tables.
  private func checkTables(of kind: SyncMetadata.Kind, _ books: Bookkeeping) throws(DecantError) {
    let odd = books.tableKinds.filter {
      SyncMetadata.Kind(table: $0.key) == kind && !$0.value.isOrdinary
    }
    guard let name = odd.keys.min() else { return }
    throw DecantError(
      .damaged,
      "“\(path)” is not a regular Core Data store: \(name) is a view or a virtual table",
      place: "table \(name), to be removed as \(kind.rawValue)",
      remedy: "drop it with the sqlite3 shell first, if none of your apps needs it"
    )
  }

  package func keptParts(under removals: [SyncMetadataRemoval]) -> [TablePart] {
    var parts: [TablePart] = []
    let numbers = removals.flatMap { $0.counters.map { String($0.number) } }
    if !numbers.isEmpty {
      let condition = "Z_ENT NOT IN (\(numbers.joined(separator: ", ")))"
      parts.append(TablePart(table: "Z_PRIMARYKEY", condition: condition))
    }
    if removals.contains(where: { !$0.layer.metadataKeys.isEmpty }) {
      // The rest of the property list is compared where it is written.
      parts.append(TablePart(table: "Z_METADATA", columns: ["Z_VERSION", "Z_UUID"]))
    }
    return parts
  }

  package func remove(_ removals: [SyncMetadataRemoval], on connection: Connection) throws(DecantError) {
    let books = try books(on: connection)
    let keys = removals.flatMap(\.layer.metadataKeys)
    let bytes =
      keys.isEmpty ? nil : try StoreMetadata.bytes(books.metadata, without: keys, place: path)
    try explaining("cannot clean “\(path)”") { () throws(SQLiteError) in
      for removal in removals {
        // The indexes and triggers of a table are dropped with it.
        for table in removal.layer.tables {
          try connection.run("DROP TABLE main.\(table.name.sqlName)")
        }
        for counter in removal.counters {
          try connection.run("DELETE FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?1", .integer(counter.number))
        }
      }
      guard let bytes else { return }
      try connection.run(
        """
        UPDATE main.Z_METADATA SET Z_PLIST = ?1
        WHERE rowid = (SELECT rowid FROM main.Z_METADATA LIMIT 1)
        """,
        .blob(bytes)
      )
    }
  }

  package func notes(on removals: [SyncMetadataRemoval], _ connection: Connection) throws(DecantError) -> [ReportNote] {
    let kinds = removals.map(\.layer.kind)
    let isMirrored = try books(on: connection).columns.keys.contains {
      SyncMetadata.Kind(table: $0) == .cloudKit
    }
    var notes: [ReportNote] = []
    if kinds.contains(SyncMetadata.Kind.cloudKit.rawValue) {
      notes.append(
        ReportNote(
          .mirrorAffected,
          "an app that keeps mirroring the store starts its mirror over: objects that are already in "
            + "CloudKit may appear twice"))
    } else if isMirrored, kinds.contains(SyncMetadata.Kind.history.rawValue) {
      notes.append(
        ReportNote(
          .mirrorAffected,
          "CloudKit's mirror is kept, but uses the persistent history to find what to send: changes it has "
            + "not sent yet will not be sent",
          remedy: "\(say: .what, "cloudkit,history") removes both"
        )
      )
    }
    return notes
  }

  private func books(on connection: Connection) throws(DecantError) -> Bookkeeping {
    try explaining("cannot read the system tables of “\(path)”") { () throws(SQLiteError) in
      try Bookkeeping(connection)
    }
  }
}

extension SyncMetadata.Kind {
  /// Returns the kind of the row `entry` of `Z_PRIMARYKEY`, or `nil` for a counter of objects.
  init?(counter entry: Bookkeeping.Entry) {
    guard entry.number >= EntityNumbers.firstPrivate else { return nil }
    // No store with a real mirror is available: rows that are not history's are taken for the mirror's.
    self = SyncMetadata.historyEntities.contains(entry.name) ? .history : .cloudKit
  }
}
