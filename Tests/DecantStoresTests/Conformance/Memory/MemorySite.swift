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

  func site(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) -> any CopySite { MemorySite(destination, name, options) }

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
private final class MemorySite: CopySite {
  private let destination: any DestinationStore
  private let name: String
  private let options: CopyOptions
  private var bench: Workbench?

  let notes: [String] = []
  let isResumable = false
  let continuesEarlierWork = false
  private(set) var holdsCopy = false

  init(_ destination: any DestinationStore, _ name: String, _ options: CopyOptions) {
    (self.destination, self.name, self.options) = (destination, name, options)
  }

  func open(_ source: any SourceStore) throws(DecantError)
    -> (bench: Workbench, fingerprint: Fingerprint)
  {
    let bench = try Workbench(MemoryStores.uri(name), mode: .create, source: source)
    self.bench = bench
    let fingerprint = try explaining("cannot begin") { () throws(SQLiteError) in
      try bench.connection.run("BEGIN IMMEDIATE")
      try bench.holdSource()
      return try source.fingerprint(of: Workbench.source, on: bench.connection)
    }
    return (bench, fingerprint)
  }

  func begin(_ planning: any PlannedCopy, on bench: Workbench) throws(DecantError) -> (
    any Checkpoint
  )? {
    if destination.isNew {
      try destination.make(.tables, on: bench.connection, source: Workbench.source)
    }
    try explaining("cannot begin") { () throws(SQLiteError) in
      try Rejects(connection: bench.connection, schema: "temp").create()
    }
    return nil
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on bench: Workbench)
    -> CopyReport.FileCounts?
  { nil }

  func finish(_ planning: any PlannedCopy, on bench: Workbench) throws(DecantError) {
    try destination.allocate(planning.highestKeys(), on: bench.connection)
    guard destination.isNew else { return }
    try destination.make(.indexes, on: bench.connection, source: Workbench.source)
  }

  func reader(_ bench: Workbench) -> (connection: Connection, schema: String) {
    (bench.connection, "main")
  }

  var heldState: Fingerprint? {
    get throws(DecantError) {
      bench.map { MemoryPlace(name: name).fingerprint(of: "main", on: $0.connection) }
    }
  }

  func note(idTable file: String) {}

  func publish(_ bench: Workbench) throws(DecantError) {
    try explaining("cannot commit") { () throws(SQLiteError) in
      try bench.connection.run("COMMIT")
      holdsCopy = true
      try MemoryStores.shared.note(name)
    }
  }

  func clear() {}

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    // Closing the connection undoes its transaction.
    bench = nil
    return error
  }
}
