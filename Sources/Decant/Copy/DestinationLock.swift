internal import SQLite

/// An existing destination that nobody else may touch while it is changed.
struct DestinationLock {
  let destination: any DestinationStore

  private var lock: StoreLock {
    StoreLock(path: destination.path, place: destination.identity.place)
  }

  /// Opens the destination as `main`, with `source` attached, and locks it until the connection closes.
  func open(_ source: any SourceStore) throws(DecantError) -> Workbench {
    // Not before: whatever is refused until here leaves the destination as it is.
    try DatabaseFile.recover(destination.path)
    let bench = try Workbench(
      DatabaseFile.uri(of: destination.path, "mode=rw"),
      mode: .readWrite,
      source: source
    )
    try lock.take(bench.connection)
    try destination.prepare(bench.connection)
    return bench
  }

  /// Makes a copy of the destination as it is, and returns its place.
  func makeBackup(_ connection: Connection) throws(DecantError) -> String {
    try lock.makeBackup(connection)
  }

  /// Throws if the destination is not at its place any more.
  func checkIsThere(_ connection: Connection) throws(DecantError) {
    try lock.checkIsThere(connection)
  }

  /// Whether the destination, which was changed, is certainly not at its place any more.
  func hasGone(_ connection: Connection) -> Bool {
    // Whatever cannot be looked at was there when it was written.
    (try? lock.hasGone(connection)) ?? false
  }

  /// Runs `body`; where the destination is held by another process, says so.
  func refusing(_ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    try lock.refusing(body)
  }
}
