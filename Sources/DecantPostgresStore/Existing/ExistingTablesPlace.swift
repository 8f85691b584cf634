internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Existing tables on a server, as the place of a store that is changed.
struct ExistingTablesPlace: ServerPlace {
  // Unchecked, but safe: the copy runs on the thread that created them.
  nonisolated(unsafe) let tables: ExistingTables
  /// The location of the tables.
  let location: StoreLocation

  var server: Server { tables.server }

  func open() throws(DecantError) -> any OpenPlace { tables.database }

  /// Also reserves the keys of the planned rows, now that they are known; in a dry run only checks their range.
  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError) {
    let highest = try planning.highestKeys()
    try tables.keys.checkRoom(upTo: highest)
    guard !options.isDryRun else { return }
    try checkTemporaryRoom(for: planning)
    try tables.keys.take(upTo: highest, after: planning.counters)
  }

  func makeWriter(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopyWriter {
    // The temporary database needs neither batches nor what an interrupted run has left.
    var own = options
    (own.commit, own.leftOver) = (.run, .startOver)
    let rows = try StoreFile(path: tables.database.filePath)
      .makeWriter(for: destination, from: source, own, duplicating: duplicating)
    return ExistingTablesWriter(self, rows, from: source.identity, options)
  }

  func opener(_ opener: any StoreOpener, reading location: StoreLocation) -> any StoreOpener {
    ExistingTablesOpener(tables: tables, location: location, others: opener)
  }
}

/// Opens the tables in the state in which they are locked, and all other stores as before.
private struct ExistingTablesOpener: StoreOpener {
  // Unchecked, but safe: the copy runs on the thread that created them.
  nonisolated(unsafe) let tables: ExistingTables
  let location: StoreLocation
  let others: any StoreOpener

  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard location == self.location else { return try others.openSource(location, options: options) }
    return try tables.source(options)
  }

  func openSource(_ location: StoreLocation, facing other: StoreLocation, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    guard location == self.location else { return try others.openSource(location, facing: other, options: options) }
    return try tables.source(options)
  }

  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  { try others.openDestination(location, like: source, options: options) }

  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile {
    try others.write(rejects, of: source)
  }
}
