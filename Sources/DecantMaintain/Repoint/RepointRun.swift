internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// One run of a re-pointing: lock, look up every reference, back up, write, prove.
///
/// The changes are first collected in a work table, then written in one transaction. A kill at any moment leaves the
/// store either as it was or re-pointed.
final class RepointRun {
  let repoint: Repoint
  let store: any EditableStore
  let cancellation: Cancellation
  let sites: [ReferenceSite]
  let views: EntityViews
  let sets: [String: [CheckedSetRule]]
  let target: (any SourceStore)?
  let isTargetItself: Bool
  private let change: InPlaceChange

  /// Reports all errors that can be found without reading objects.
  init(_ repoint: Repoint, _ store: any EditableStore, _ cancellation: Cancellation) throws(DecantError) {
    self.repoint = repoint
    self.store = store
    self.cancellation = cancellation
    change = InPlaceChange(
      of: store.path,
      place: store.identity.place,
      InPlaceChange.Words(done: "is repointed", stopped: "the operation was interrupted")
    )
    sites = try ReferenceSites(store: store).sites(at: repoint.places)
    views = EntityViews(model: store.model, layout: store.layout)
    sets = try CheckedSetRule.check(repoint.sets, sites, store, views)
    guard let location = repoint.target else {
      (target, isTargetItself) = (nil, false)
      guard repoint.identities.isEmpty else {
        throw DecantError(
          .missingOption,
          "\(option: .identity) applies to the objects of a store, but no store is given",
          remedy: "pass it: \(say: .store) STORE \(say: .toIdentity)"
        )
      }
      return
    }
    target = try RepointRun.open(location, repoint)
    isTargetItself = FileStatus(location.place)?.isSame(as: store.path) == true
  }

  /// Opens the store that references lead to; the given models are used if it does not contain its own.
  private static func open(_ location: StoreLocation, _ repoint: Repoint) throws(DecantError) -> any SourceStore {
    var options = CopyOptions()
    let store = try repoint.opener.openSource(location, options: options)
    guard store.modelGap != nil, let last = repoint.models.last else { return store }
    for model in repoint.models.dropLast() {
      do throws(DecantError) {
        options.model = model
        return try repoint.opener.openSource(location, options: options)
      } catch {
        guard error.family == .modelMismatch else { throw error }
      }
    }
    options.model = last
    return try repoint.opener.openSource(location, options: options)
  }

  func run(_ progress: (WorkEvent) -> Void) throws(DecantError) -> RepointReport {
    if repoint.isDryRun { return try look(progress) }
    do throws(DecantError) { return try change(progress) } catch { throw change.settle(error) }
  }

  /// Counts the changes, without opening the store for writing.
  private func look(_ progress: (WorkEvent) -> Void) throws(DecantError) -> RepointReport {
    let file = try DatabaseFile.open(store.path)
    let connection = try connection(file.uri, .readOnly)
    let search = try search(on: connection, nil, progress)
    let collisions = ReferenceCollisions(connection: connection, work: search.work)
    for table in tables { try collisions.check(table) }
    var report = search.report
    report.isDryRun = true
    report.notes = file.notes + report.notes
    return report
  }

  private func change(_ progress: (WorkEvent) -> Void) throws(DecantError) -> RepointReport {
    try DatabaseFile.recover(store.path)
    let connection = try connection(DatabaseFile.uri(of: store.path, "mode=rw"), .readWrite)
    let search = try search(on: connection, change, progress)
    var report = search.report
    guard report.changedCount > 0 else { return report }
    if repoint.keepsBackup {
      try checkRoom(on: connection)
      try change.makeBackup(connection)
      report.backup = change.backup
    }
    try change.begin(connection)
    do throws(DecantError) {
      try write(search, on: connection, progress)
      try prove(search, on: connection, progress)
      try stopIfAsked()
      connection.setProgressCheck(nil)
      try commit(search, on: connection)
    } catch {
      // Closing the connection would undo the change as well.
      if !connection.isAutocommit { try? connection.run("ROLLBACK") }
      throw error
    }
    report.isVerified = true
    // Moves the log into the file; if that fails, the store is complete together with its log.
    _ = try? connection.text("PRAGMA main.wal_checkpoint(TRUNCATE)")
    try change.checkIsThere(connection)
    return report
  }

  private func checkRoom(on connection: Connection) throws(DecantError) {
    let byteCount = try explaining("cannot read “\(store.identity.place)”") {
      () throws(SQLiteError) in
      (try connection.integer("PRAGMA main.page_count") ?? 0)
        * (try connection.integer("PRAGMA main.page_size") ?? 0)
    }
    try Files.checkRoom(
      for: byteCount,
      beside: store.path,
      "its backup needs up to",
      remedy: "free some space, or remove \(option: .backup)"
    )
  }

  private func connection(_ uri: String, _ mode: Connection.Mode) throws(DecantError) -> Connection {
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(uri, mode: mode)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.takeCacheForWriting()
      try ValueFunctions.register(on: connection)
    } catch {
      throw DecantError(opening: store.path, error)
    }
    try store.prepare(connection)
    return connection
  }

  private func commit(_ search: Search, on connection: Connection) throws(DecantError) {
    let commitMarker = try explaining("cannot read the changes") { () throws(SQLiteError) in
      try RepointCommitMarker(sites, on: connection)
    }
    try change.commit(connection) { connection throws(SQLiteError) in
      guard let commitMarker else {
        throw SQLiteError(code: SQLiteError.internalCode, message: "the change has no key")
      }
      return try commitMarker.isThere(on: connection)
    }
  }

  /// Throws if the operation was cancelled.
  func stopIfAsked() throws(DecantError) {
    guard cancellation.isCancelled else { return }
    throw DecantError(.interrupted, "the operation was interrupted")
  }
}
