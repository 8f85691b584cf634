package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantPropertyList
package import DecantSQLite

extension CoreDataSource {
  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    var facts = StoreFacts(modelOrigin: file.modelOrigin)
    facts.container = file.database.container
    if case .integer(let version)? = file.metadata["NSPersistenceFrameworkVersion"] {
      facts.frameworkVersion = Int64(version)
      facts.frameworkEra = FrameworkEra.words(for: Int64(version))
    }
    facts.metadataKeys = file.metadata.keys.sorted().filter { key in
      !SyncMetadata.isMetadataKey(key) && !CoreDataSource.frameworkKeys.contains(key)
    }
    facts.syncMetadata = try syncMetadata(on: connection, schema)
    facts.problems = try problems + bookkeepingProblems(on: connection, schema)
    return facts
  }

  /// The metadata keys of the framework, also written by decant; all other keys are the app's.
  static let frameworkKeys: Set<String> = [
    "NSStoreType", "NSStoreUUID", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionIdentifiers",
    "NSStoreModelVersionChecksumKey", "NSPersistenceFrameworkVersion",
    "NSPersistenceMaximumFrameworkVersion", "_NSAutoVacuumLevel", ModelMark.key,
  ]

  private func syncMetadata(on connection: Connection, _ schema: String) throws(DecantError) -> [SyncMetadataLayer] {
    var layers: [SyncMetadataLayer] = []
    for kind in SyncMetadata.Kind.allCases {
      let keys = file.metadata.keys.filter { SyncMetadata.Kind(metadataKey: $0) == kind }
      var layer = SyncMetadataLayer(kind: kind.rawValue, metadataKeys: keys.sorted())
      for (table, noun) in SyncMetadata.tables(of: kind, among: file.columns.keys.sorted()) {
        let count = try reading { () throws(SQLiteError) in
          try connection.integer("SELECT count(*) FROM \(schema.sqlName).\(table.sqlName)")
        }
        layer.tables.append(SyncMetadataLayer.Table(name: table, noun: noun, rowCount: count ?? 0))
      }
      if !layer.metadataKeys.isEmpty || !layer.tables.isEmpty { layers.append(layer) }
    }
    return layers
  }

  func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot read “\(file.database.path)”", body)
  }
}
