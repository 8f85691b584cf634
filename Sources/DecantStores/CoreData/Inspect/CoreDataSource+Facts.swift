package import Decant
internal import PropertyList
package import SQLite

extension CoreDataSource {
  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    var facts = StoreFacts(modelOrigin: file.modelOrigin)
    if case .integer(let version)? = file.metadata["NSPersistenceFrameworkVersion"] {
      facts.frameworkVersion = Int64(version)
      facts.frameworkEra = FrameworkEra.words(for: Int64(version))
    }
    facts.metadataKeys = file.metadata.keys.sorted().filter { key in
      !Sediment.isMetadataKey(key) && !CoreDataSource.frameworkKeys.contains(key)
    }
    facts.sediment = try sediment(on: connection, schema)
    facts.problems = try bookkeepingProblems(on: connection, schema)
    return facts
  }

  /// What the framework itself writes into a store's metadata; all other keys are the app's.
  static let frameworkKeys: Set<String> = [
    "NSStoreType", "NSStoreUUID", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionIdentifiers",
    "NSStoreModelVersionChecksumKey", "NSPersistenceFrameworkVersion",
    "NSPersistenceMaximumFrameworkVersion", "_NSAutoVacuumLevel",
  ]

  private func sediment(on connection: Connection, _ schema: String) throws(DecantError)
    -> [SedimentLayer]
  {
    var layers: [SedimentLayer] = []
    for kind in Sediment.Kind.allCases {
      let keys = file.metadata.keys.filter { Sediment.Kind(metadataKey: $0) == kind }
      var layer = SedimentLayer(kind: kind.rawValue, metadataKeys: keys.sorted())
      for (table, noun) in Sediment.tables(of: kind, among: file.columns.keys.sorted()) {
        let count = try reading { () throws(SQLiteError) in
          try connection.integer("SELECT count(*) FROM \(schema.sqlName).\(table.sqlName)")
        }
        layer.tables.append(
          SedimentLayer.Table(name: table, noun: noun, rowCount: count ?? 0)
        )
      }
      if !layer.metadataKeys.isEmpty || !layer.tables.isEmpty { layers.append(layer) }
    }
    return layers
  }

  private func bookkeepingProblems(on connection: Connection, _ schema: String)
    throws(DecantError) -> [StoreProblem]
  {
    let names = Dictionary(file.numbers.map { ($1, $0) }) { first, _ in first }
    var problems: [StoreProblem] = []
    try reading { () throws(SQLiteError) in
      try connection.forEachRow(
        "SELECT Z_ENT, Z_NAME, Z_MAX FROM \(schema.sqlName).Z_PRIMARYKEY ORDER BY Z_ENT"
      ) { row throws(SQLiteError) in
        guard let entity = names[row.integer(at: 0)] else { return }
        let name = row.text(at: 1) ?? ""
        if name != entity { problems.append(staleName(name, of: entity)) }
        guard let relation = layout.relation(of: entity) else { return }
        let highest = try connection.integer(
          "SELECT max(\(relation.keyColumn.sqlName)) "
            + "FROM \(schema.sqlName).\(relation.table.sqlName)"
        )
        let counter = row.integer(at: 2)
        if let highest, highest > counter {
          problems.append(lowCounter(counter, highest, of: entity))
        }
      }
    }
    return problems
  }

  private func staleName(_ name: String, of entity: String) -> StoreProblem {
    StoreProblem(
      .staleName,
      subject: entity,
      text: "Z_PRIMARYKEY still calls the entity \(entity) by its former name \(name)"
    )
  }

  private func lowCounter(_ counter: Int64, _ highest: Int64, of entity: String) -> StoreProblem {
    StoreProblem(
      .lowCounter,
      subject: entity,
      count: highest &- counter,
      text: "Z_MAX of \(entity) is \(counter), but its highest key is \(highest):"
        + " new objects would get keys that are taken"
    )
  }

  private func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError)
    -> Result
  {
    try explaining("cannot read “\(file.database.path)”", body)
  }
}
