import Decant
import DecantSQLite

/// Where a store in memory lies.
struct MemoryPlace: OwnPlace {
  let name: String

  var address: String { "memory:\(name)" }

  func open() throws(DecantError) -> any OpenPlace { OpenMemory(name) }

  func fingerprint(of schema: String, on connection: Connection) -> Fingerprint {
    MemorySource(name: name).fingerprint(of: schema, on: connection)
  }

  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError) {
    guard options.commit == .batch, !destination.isNew else { return }
    throw DecantError(.unsupportedKind, "“\(name)” is written in one transaction")
  }

  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) {}

  func makeWriter(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) -> any CopyWriter { MemorySite(destination, name, options) }

  func checkIsThere(after error: DecantError) {}
}

private final class OpenMemory: OpenPlace {
  private let name: String

  init(_ name: String) { self.name = name }

  func textEncoding() -> String { "UTF-8" }

  func attach(to connection: Connection, as schema: String) throws(SQLiteError) {
    try connection.attach(MemoryStores.uri(name), as: schema)
  }
}

/// A store in memory that is written, in one transaction.
private final class MemorySite: CopyWriter {
  private let destination: any DestinationStore
  private let name: String
  private let options: CopyOptions
  private var session: CopySession?

  let notes: [ReportNote] = []
  let isResumable = false
  let continuesEarlierWork = false
  private(set) var holdsCopy = false

  init(_ destination: any DestinationStore, _ name: String, _ options: CopyOptions) {
    (self.destination, self.name, self.options) = (destination, name, options)
  }

  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError) -> (
    session: CopySession, fingerprint: Fingerprint
  ) {
    let session = try CopySession(MemoryStores.uri(name), mode: .create, source: source)
    session.setProgressCheck(stop)
    self.session = session
    let fingerprint = try explaining("cannot begin") { () throws(SQLiteError) in
      try session.connection.run("BEGIN IMMEDIATE")
      try session.holdSource()
      return try source.fingerprint(of: CopySession.source, on: session.connection)
    }
    return (session, fingerprint)
  }

  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)? {
    if destination.isNew {
      try destination.make(.tables, on: session.connection, source: CopySession.source)
    }
    return nil
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    -> CopyReport.FileCounts?
  { nil }

  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) {
    try destination.allocate(planning.highestKeys(), on: session.connection)
    guard destination.isNew else { return }
    try destination.make(.indexes, on: session.connection, source: CopySession.source)
  }

  func reader(_ session: CopySession) -> (connection: Connection, schema: String) {
    (session.connection, "main")
  }

  var heldState: Fingerprint? {
    get throws(DecantError) {
      session.map { MemoryPlace(name: name).fingerprint(of: "main", on: $0.connection) }
    }
  }

  func note(idTable file: String, partial: String) {}

  func publish(_ session: CopySession) throws(DecantError) {
    try explaining("cannot commit") { () throws(SQLiteError) in
      try session.connection.run("COMMIT")
      holdsCopy = true
      try MemoryStores.shared.note(name)
    }
  }

  func clear() {}

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    // Closing the connection undoes its transaction.
    session = nil
    return error
  }
}
