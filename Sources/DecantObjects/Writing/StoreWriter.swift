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
    guard owner.load(ordering: .relaxed) != thread else { throw StoreWriter.isWriting }
    turn.wait()
    owner.store(thread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      turn.signal()
    }
    // Whoever waits for the store may find another file at its place when it is free.
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

  /// Lets `body`, on this thread, lock the whole store: the connection is closed meanwhile.
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

  /// The connection; a new one where the store was replaced meanwhile.
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

/// A connection to a store that is changed, with the tables in which a write block notes what it does.
final class WriteConnection {
  let store: any EditableStore
  let reader: StoreReader
  /// Whether nobody has made sure that no service mirrors the store.
  let isMirrored: Bool
  private let connection: Connection
  /// The schema and the model that the connection knows.
  private let version: SchemaVersion
  /// Goes after the connections.
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

  /// Whether another file is at the store's place.
  var hasMoved: Bool { connection.hasMoved }

  /// Begins the transaction; returns false where the store is another one by now.
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

  /// Runs a write block in the transaction that `begin` began, and ends it.
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
      // SQLite has undone it already where the failure was a full disk or a damaged file.
      if !connection.isAutocommit { try? connection.run("ROLLBACK") }
      throw error
    }
    if !edits.touchedEntities.isEmpty {
      // What triggers and foreign keys of a plain database have changed as well, only it knows.
      store.noteChange(entities: self.store.appliesOwnRules ? nil : edits.touchedEntities)
      // Who wrote right behind this write may have been taken for it: this connection's number changes by others alone.
      if (try? connection.integer("PRAGMA main.data_version")) != version { store.noteChange(entities: nil) }
    }
    edits.removeDroppedFiles()
    return result
  }

  /// Runs what begins or ends a transaction; says so where another process has the store.
  private func run(_ sql: String) throws(DecantError) {
    do throws(SQLiteError) { try connection.run(sql) } catch {
      throw StoreLock(path: store.path, place: store.identity.place).refusal(error)
    }
  }
}
