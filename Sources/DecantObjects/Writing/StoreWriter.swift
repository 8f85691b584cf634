internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import DecantSystem
internal import DecantTransfer
internal import Dispatch
internal import Synchronization

/// The one connection by which a `Store` is changed.
///
/// `@unchecked Sendable`: `connection` is used by whoever has taken `turn`, alone.
final class StoreWriter: @unchecked Sendable {
  private let location: StoreLocation
  private let models: [String]
  private var connection: WriteConnection?
  private let turn = DispatchSemaphore(value: 1)
  /// The thread that is in a write block; 0 where none is.
  private let owner = Atomic<UInt>(0)
  /// Where writes that are waited for run.
  let queue = DispatchQueue(label: "decant.store.write")

  init(_ location: StoreLocation, model: String?) {
    self.location = location
    models = model.map { [$0] } ?? []
  }

  /// Runs a write block in a transaction of its own.
  func write<Result>(_ policy: WritePolicy, for store: Store, _ body: (WriteBlock) throws -> Result) throws -> Result {
    let thread = UInt(pthread_self())
    guard owner.load(ordering: .relaxed) != thread else {
      throw DecantError(
        .unsupportedRequest,
        "a write block cannot begin within another one of the same store",
        remedy: "change the store by the block that is open"
      )
    }
    turn.wait()
    owner.store(thread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      turn.signal()
    }
    return try openConnection(policy).write(policy, for: store, body)
  }

  /// The connection; a new one where the store was replaced meanwhile.
  private func openConnection(_ policy: WritePolicy) throws(DecantError) -> WriteConnection {
    if let connection, !connection.hasMoved,
      !connection.isMirrored || policy.writesMirroredStores
    {
      return connection
    }
    connection = nil
    let store = try StoreKinds.known.openEditable(
      location, models: models, writesMirrored: policy.writesMirroredStores)
    let connection = try WriteConnection(store, mayBeMirrored: policy.writesMirroredStores)
    self.connection = connection
    return connection
  }
}

/// A connection to a store that is changed, with the tables in which a write block notes what it does.
final class WriteConnection {
  let store: any EditableStore
  let reader: StoreReader
  /// Whether nobody has made sure that no service mirrors the store.
  let isMirrored: Bool
  private let connection: Connection

  init(_ store: any EditableStore, mayBeMirrored: Bool) throws(DecantError) {
    self.store = store
    isMirrored = mayBeMirrored
    try DatabaseFile.recover(store.path)
    do throws(SQLiteError) {
      connection = try Connection(DatabaseFile.uri(of: store.path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 5_000)
      try connection.takeCacheForWriting()
      try ValueFunctions.register(on: connection)
    } catch {
      throw DecantError(opening: store.path, error)
    }
    try store.prepare(connection)
    try store.beginEditing(on: connection)
    try explaining("cannot prepare a write block") { [connection] () throws(SQLiteError) in
      for table in ObjectEdits.tables { try connection.run("CREATE TEMP TABLE \(table)") }
    }
    reader = try StoreReader(store, on: connection)
  }

  /// Whether another file is at the store's place.
  var hasMoved: Bool { connection.hasMoved }

  func write<Result>(_ policy: WritePolicy, for store: Store, _ body: (WriteBlock) throws -> Result) throws -> Result {
    connection.setBusyTimeout(milliseconds: Int32(clamping: policy.busyTimeout))
    try run("BEGIN IMMEDIATE")
    let edits: ObjectEdits
    let result: Result
    do {
      edits = try ObjectEdits(self.store, reader)
      let block = WriteBlock(store, edits)
      defer { block.end() }
      result = try body(block)
      try edits.finish()
      store.noteWriting()
      try run("COMMIT")
    } catch {
      // SQLite has undone it already where the failure was a full disk or a damaged file.
      if !connection.isAutocommit { try? connection.run("ROLLBACK") }
      throw error
    }
    edits.removeDroppedFiles()
    if !edits.touchedEntities.isEmpty { store.noteChange(entities: edits.touchedEntities) }
    return result
  }

  /// Runs what begins or ends a transaction; says so where another process has the store.
  private func run(_ sql: String) throws(DecantError) {
    do throws(SQLiteError) { try connection.run(sql) } catch {
      throw StoreLock(path: store.path, place: store.identity.place).refusal(error)
    }
  }
}
