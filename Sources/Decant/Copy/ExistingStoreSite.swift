internal import SQLite

/// A store that is changed: in one transaction, everything or nothing.
final class ExistingStoreSite: CopySite {
  private let lock: DestinationLock
  private let options: CopyOptions
  private var bench: Workbench?
  private var droppedIndexes: [String] = []
  private var fileNames: FileNames?
  /// What was copied, and the store as it was before.
  private var steps: [CopyStep] = []
  private var backup: String?
  /// Whether the end of the transaction was tried, and a row that tells whether it came about.
  private var isCommitting = false
  private var witness: Witness?
  private var hasMoved = false
  private(set) var holdsCopy = false
  private(set) var notes: [String] = []

  private var destination: any DestinationStore { lock.destination }

  var isResumable: Bool { false }
  var continuesEarlierWork: Bool { false }

  init(_ destination: any DestinationStore, options: CopyOptions) {
    lock = DestinationLock(destination: destination)
    self.options = options
  }

  func open(_ source: any SourceStore) throws(DecantError)
    -> (bench: Workbench, fingerprint: Fingerprint)
  {
    let bench = try lock.open(source)
    self.bench = bench
    let connection = bench.connection
    if options.keepsBackup {
      let backup = try lock.makeBackup(connection)
      self.backup = backup
      notes.append("the store as it was: \(backup)")
    }
    try lock.refusing { () throws(SQLiteError) in try connection.run("BEGIN EXCLUSIVE") }
    // The transaction holds the source as well; a later fingerprint only has it planned once more.
    let fingerprint = try explaining("cannot read “\(source.identity.place)”") {
      () throws(SQLiteError) in
      try bench.holdSource()
      return try Fingerprint(of: Workbench.source, on: connection)
    }
    return (bench, fingerprint)
  }

  func begin(_ planning: Planning, on bench: Workbench) throws(DecantError) -> Checkpoint? {
    steps = planning.plan.steps
    try explaining("cannot begin the copy") { () throws(SQLiteError) in
      try Rejects(connection: bench.connection, schema: "temp").create()
      let tables = Set(planning.plan.steps.map(\.table))
      let indexes = try IndexList(of: tables, on: bench.connection)
      // A copy that is large beside what is there builds the indexes faster at the end.
      let added = planning.rowCounts.values.reduce(0, +)
      guard added > indexes.rowCount else { return }
      for index in indexes.plain {
        try bench.connection.run("DROP INDEX main.\(index.name.sqlName)")
      }
      droppedIndexes = indexes.plain.map(\.sql)
    }
    return nil
  }

  func copyFiles(_ planning: Planning, from source: any SourceStore, on bench: Workbench)
    throws(DecantError) -> CopyReport.FileCounts?
  {
    let files = try ExternalFiles.between(source, destination, on: bench)
    fileNames = files?.names
    return try files?.copy(in: destination.layout, planning)
  }

  func finish(_ planning: Planning, on bench: Workbench) throws(DecantError) {
    let counters = try planning.highestKeys()
    let written = try planning.writtenObjects(on: bench.connection)
    try destination.handOut(counters, on: bench.connection)
    try destination.finish(
      on: bench.connection,
      source: Workbench.source,
      written: written
    )
    try explaining("cannot rebuild the indexes") { () throws(SQLiteError) in
      for sql in droppedIndexes { try bench.connection.run(sql) }
    }
  }

  func reader(_ bench: Workbench) throws(DecantError) -> (connection: Connection, schema: String) {
    (bench.connection, "main")
  }

  var heldState: Fingerprint? {
    get throws(DecantError) {
      guard let bench else { return nil }
      return try explaining("cannot read “\(destination.identity.place)”") {
        () throws(SQLiteError) in try Fingerprint(of: "main", on: bench.connection)
      }
    }
  }

  func note(_ table: IDTableFile) {}

  func clear() {}

  func publish(_ bench: Workbench) throws(DecantError) {
    try checkIsThere(bench)
    try explaining("cannot commit to “\(destination.identity.place)”") { () throws(SQLiteError) in
      witness = try Witness(among: steps, on: bench.connection)
      isCommitting = true
      try bench.connection.run("COMMIT")
    }
    fileNames = nil
    // What the log holds goes into the file, so that the one file is the whole store. Should that not
    // succeed, the store is whole together with its log.
    _ = try? bench.connection.text("PRAGMA main.wal_checkpoint(TRUNCATE)")
    if lock.hasGone(bench.connection) { try checkIsThere(bench) }
  }

  private func checkIsThere(_ bench: Workbench) throws(DecantError) {
    hasMoved = lock.hasGone(bench.connection)
    try lock.checkIsThere(bench.connection)
  }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    // Closing the connection undoes its transaction, too, should this not be possible any more.
    try? bench?.connection.run("ROLLBACK")
    let wasOpen = bench != nil
    bench = nil
    // What is at the place now tells nothing, and the backup may be all that is left.
    var error = error
    if hasMoved, let backup { error.tell("the store as it was: \(backup)") }
    guard wasOpen, !hasMoved else { return error }
    let found = Aftermath.of(destination.path) { connection throws(SQLiteError) in
      try destinationHolds(witness, on: connection)
    }
    holdsCopy = isCommitting && found != .asItWas
    if found == .changed { return .unconfirmed(destination.identity.place, error) }
    // Rows that were never committed refer to nothing.
    if found == .asItWas || !isCommitting { fileNames?.removeMade() }
    if let backup {
      if found == .asItWas {
        // As the store is what it was, a copy of it is of no use; nor does it harm.
        try? Files.remove(backup)
      } else {
        error.tell("the store as it was: \(backup)")
      }
    }
    return error
  }

  /// Whether what was to be committed is there; to begin with, whether the store can be read.
  private func destinationHolds(_ witness: Witness?, on connection: Connection)
    throws(SQLiteError) -> Bool
  {
    _ = try connection.integer("SELECT count(*) FROM main.sqlite_schema")
    guard isCommitting else { return false }
    guard let witness else {
      throw SQLiteError(code: SQLiteError.internalCode, message: "no key tells what was copied")
    }
    return try witness.isThere(on: connection)
  }
}

/// The indexes of the tables that a copy writes to.
private struct IndexList {
  /// Those that hold no constraint, so that rows may be written without them.
  var plain: [(name: String, sql: String)] = []
  /// The rows of the tables, before the copy.
  var rowCount: Int64 = 0

  init(of tables: Set<String>, on connection: Connection) throws(SQLiteError) {
    for table in tables.sorted() {
      rowCount += try connection.integer("SELECT count(*) FROM main.\(table.sqlName)") ?? 0
      var indexes: [(String, String)] = []
      try connection.forEachRow(
        """
        SELECT s.name, s.sql FROM pragma_index_list(?1, 'main') AS l
        JOIN main.sqlite_schema AS s ON s.type = 'index' AND s.name = l.name
        WHERE l."unique" = 0 AND s.sql IS NOT NULL
        """,
        .text(table)
      ) { row in
        indexes.append((row.text(at: 0) ?? "", row.text(at: 1) ?? ""))
      }
      plain += indexes
    }
  }
}
