internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A schema of a database, as the place of a new store.
struct PostgresPlace: ServerPlace {
  let server: Server

  func open() throws(DecantError) -> any OpenPlace {
    throw DecantError(.unsupportedKind, "“\(server.place)” is not read as a destination")
  }

  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError) {
    if !options.isDryRun { try checkTemporaryRoom(for: planning) }
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
}
