internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A schema of a database, as the place of a new store.
struct PostgresPlace: OwnPlace {
  let server: Server

  var address: String { server.place }

  func open() throws(DecantError) -> any OpenPlace {
    throw DecantError(.unsupportedKind, "“\(server.place)” is not read as a destination")
  }

  func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint {
    try Fingerprint(of: schema, on: connection)
  }

  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError) {}

  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError) {
    guard !options.isDryRun else { return }
    // The rows are in temporary files twice: as they are sent, and as they are read back.
    try CopyRoom(databaseByteCount: planning.sourceByteCount).check(beside: ScratchFolder.parent + "/")
  }

  func makeWriter(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopyWriter {
    guard let destination = destination as? PostgresDestination else {
      throw DecantError(.unsupportedKind, "“\(server.place)” is written by its own kind of destination")
    }
    return try PostgresWriter(destination, from: source, options)
  }

  func checkIsThere(after error: DecantError) throws(DecantError) {}
}
