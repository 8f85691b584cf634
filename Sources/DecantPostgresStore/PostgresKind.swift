package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantPlain
internal import DecantPostgres

/// Stores in a database on a PostgreSQL server.
package struct PostgresKind: StoreKind {
  package static let name = "postgres"

  package init() {}

  package var name: String { PostgresKind.name }
  package var spellings: [String] { [name, "postgresql"] }
  package var abilities: StoreAbilities { [.isMade, .isExtended, .choosesColumns] }
  package var isFile: Bool { false }
  package var lines: [StoreKindLine] {
    [StoreKindLine(name, "a database on a PostgreSQL server", abilities)]
  }

  package func check(_ location: StoreLocation) throws(DecantError) { _ = try Server.parameters(of: location) }

  /// Always true: only opening the place shows whether it exists.
  package func exists(_ location: StoreLocation) -> Bool { true }

  /// Always false: the kind has to be named.
  package func recognises(_ place: String) throws(DecantError) -> Bool { false }

  package func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity {
    let (server, connection) = try Server.open(location)
    // A copy may be about to replace an incomplete store.
    let record = try StoreRecord.find(server, connection, ignoringIncomplete: true)
    return StoreIdentity(kind: name, place: server.place, uuid: record?.uuid)
  }

  package func model(of location: StoreLocation, options: CopyOptions) throws(DecantError) -> Model? {
    let (server, connection) = try Server.open(location)
    // A plain database has no model, only tables.
    guard let record = try StoreRecord.find(server, connection, ignoringIncomplete: true), record.tables == nil else {
      return nil
    }
    return record.model
  }

  package func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    try StagedStore.open(location).source(facing: other, options: options)
  }

  package func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    try Server.checkHoldsStores(location)
    guard options.appends || options.merge != nil,
      let tables = try ExistingTables.open(location, for: .rows(of: source), options)
    else {
      guard !options.defersConstraints else {
        throw DecantError(
          .unsuitableOption,
          "foreign keys of new tables are always created after the rows: \(option: .deferConstraints) applies to tables "
            + "that exist",
          remedy: "remove it"
        )
      }
      return try PostgresDestination(location, for: source, options: options)
    }
    return try ExistingTablesDestination(tables, at: location, for: source, options: options)
  }

  package func interruptedRun(at location: StoreLocation, _ options: CopyOptions)
    throws(DecantError) -> (any InterruptedRun)?
  {
    guard options.commit == .batch, !options.isDryRun, options.appends || options.merge != nil else { return nil }
    return try ResumedBatches.find(location)
  }

  package func openReversible(_ location: StoreLocation, addedBy file: String?, isDryRun: Bool)
    throws(DecantError) -> any ReversibleStore
  {
    guard let file else { return try AddedRows.ofInterruptedRun(location, isDryRun: isDryRun) }
    return try AddedRows(location, file, isDryRun: isDryRun)
  }

  package func openMergeRecord(_ location: StoreLocation, isDryRun: Bool) throws(DecantError) -> (any MergeRecord)? {
    try MergedSources(location, isDryRun: isDryRun)
  }

  package func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
  {
    throw DecantError(
      .unsupportedKind,
      "a database on a server is not changed in place",
      remedy: "copy the store into a file, change that, and copy it into another schema"
    )
  }
}
