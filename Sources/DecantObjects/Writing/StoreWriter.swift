internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import DecantSystem
internal import DecantTransfer
internal import Dispatch
internal import Synchronization

/// The single connection that a `Store` writes with.
///
/// `@unchecked Sendable`: `connection` is used only by the holder of `turn`.
final class StoreWriter: @unchecked Sendable {
  private let location: StoreLocation
  private let models: [String]
  private var connection: WriteConnection?
  private let turn = DispatchSemaphore(value: 1)
  /// The thread that runs a write block; 0 if none does.
  private let owner = Atomic<UInt>(0)
  /// The queue of asynchronous writes.
  let queue = DispatchQueue(label: "decant.store.write")

  init(_ location: StoreLocation, model: String?) {
    self.location = location
    models = model.map { [$0] } ?? []
  }

  /// Runs a write block in a transaction of its own.
  func write<Result>(_ policy: WritePolicy, for store: Store, _ body: (WriteBlock) throws -> Result) throws -> Result {
    let thread = UInt(pthread_self())
    guard owner.load(ordering: .relaxed) != thread else { throw StoreWriter.isWriting }
    turn.wait()
    owner.store(thread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      turn.signal()
    }
    // The store's file may be replaced while the write waits for it.
    for _ in 1...3 {
      let connection = try openConnection(policy)
      guard try connection.begin(policy) else {
        self.connection = nil
        continue
      }
      return try connection.write(for: store, body)
    }
    throw DecantError(
      .fileChanged, "“\(location.place)” is replaced again and again while it is to be written",
      remedy: "stop what replaces it, then write again"
    )
  }

  /// Closes the connection while `body`, on this thread, locks the whole store.
  func standAside<Result>(_ body: () throws(DecantError) -> Result) throws(DecantError) -> Result {
    let thread = UInt(pthread_self())
    guard owner.load(ordering: .relaxed) != thread else { throw StoreWriter.isWriting }
    turn.wait()
    defer { turn.signal() }
    connection = nil
    return try body()
  }

  private static var isWriting: DecantError {
    DecantError(
      .unsupportedRequest,
      "a write block of this store is open on this thread",
      remedy: "change the store by that block, or do this when it has ended"
    )
  }

  /// Returns the connection, or a new one if the store was replaced.
  private func openConnection(_ policy: WritePolicy) throws(DecantError) -> WriteConnection {
    if let connection, !connection.hasMoved,
      !connection.isMirrored || policy.writesMirroredStores
    {
      return connection
    }
    connection = nil
    let store: any EditableStore
    do throws(DecantError) {
      store = try StoreKinds.known.openEditable(
        location, models: models, writesMirrored: policy.writesMirroredStores)
    } catch {
      guard error.code == .mirroredStore else { throw error }
      var error = error
      error.advice = "set WritePolicy.writesMirroredStores to write to it anyway"
      throw error
    }
    let connection = try WriteConnection(store, mayBeMirrored: policy.writesMirroredStores)
    self.connection = connection
    return connection
  }
}

/// A connection to a store that is changed, with the temporary tables of a write block.
final class WriteConnection {
  let store: any EditableStore
  let reader: StoreReader
  /// Whether a service may mirror the store.
  let isMirrored: Bool
  private let connection: Connection
  /// The schema and model version that the connection was opened with.
  private let version: SchemaVersion
  /// Released after the connections.
  private let hold: HeldFiles.Hold?

  init(_ store: any EditableStore, mayBeMirrored: Bool) throws(DecantError) {
    self.store = store
    isMirrored = mayBeMirrored
    hold = HeldFiles.Hold(store.path)
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
      try connection.run("CREATE INDEX temp.decant_doomed_level ON decant_doomed (level)")
    }
    version = try SchemaVersion(store, connection)
    reader = try StoreReader(store, on: connection)
  }

  private struct SchemaVersion: Equatable {
    let schema: Int64?
    let model: [UInt8]

    init(_ store: any EditableStore, _ connection: Connection) throws(DecantError) {
      schema = try explaining("cannot read the schema") { () throws(SQLiteError) in
        try connection.integer("PRAGMA main.schema_version")
      }
      model = try store.modelMark(on: connection)
    }
  }

  /// Whether the store's path now has another file.
  var hasMoved: Bool { connection.hasMoved }

  /// Begins the transaction; returns false if the store is a different one by now.
  func begin(_ policy: WritePolicy) throws(DecantError) -> Bool {
    let (seconds, attoseconds) = policy.busyTimeout.components
    connection.setBusyTimeout(
      milliseconds: Int32(
        clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue + attoseconds / 1_000_000_000_000_000))
    try run("BEGIN IMMEDIATE")
    // An app that migrates its store in place gives its entities other numbers.
    if !hasMoved, try SchemaVersion(store, connection) == version { return true }
    try run("ROLLBACK")
    return false
  }

  /// Runs a write block in the transaction of `begin`, and ends the transaction.
  func write<Result>(for store: Store, _ body: (WriteBlock) throws -> Result) throws -> Result {
    let edits: ObjectEdits
    let result: Result
    let version: Int64?
    do {
      version = try connection.integer("PRAGMA main.data_version")
      edits = try ObjectEdits(self.store, reader)
      let block = WriteBlock(store, edits)
      defer { block.end() }
      result = try body(block)
      try edits.finish()
      store.noteWriting()
      guard !hasMoved else {
        throw DecantError(
          .fileChanged,
          "“\(self.store.identity.place)” was removed or replaced while it was being changed",
          remedy: "nothing was changed: run the write again"
        )
      }
      try run("COMMIT")
    } catch {
      // SQLite has already undone it if the failure was a full disk or a damaged file.
      if !connection.isAutocommit { try? connection.run("ROLLBACK") }
      throw error
    }
    if !edits.touchedEntities.isEmpty {
      // In a plain database, triggers and foreign keys may have changed other entities as well.
      store.noteChange(entities: self.store.appliesOwnRules ? nil : edits.touchedEntities)
      // A write of another connection right after this one may have been taken for it. This connection's data version
      // changes only by other connections.
      if (try? connection.integer("PRAGMA main.data_version")) != version { store.noteChange(entities: nil) }
    }
    edits.removeDroppedFiles()
    return result
  }

  /// Runs a statement that begins or ends a transaction; the error says if another process has the store locked.
  private func run(_ sql: String) throws(DecantError) {
    do throws(SQLiteError) { try connection.run(sql) } catch {
      throw StoreLock(path: store.path, place: store.identity.place).refusal(error)
    }
  }
}
