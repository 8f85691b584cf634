internal import SQLite

/// A store that is changed: in one transaction, everything or nothing.
final class ExistingStoreSite: CopySite {
  private let lock: DestinationLock
  private let options: CopyOptions
  private var bench: Workbench?
  private var droppedIndexes: [String] = []
  private var files: ExternalFiles?
  private(set) var notes: [String] = []

  private var destination: any DestinationStore { lock.destination }

  var isResumable: Bool { false }

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
      notes.append("the store as it was: \(try lock.makeBackup(connection))")
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
    let files = ExternalFiles.between(source, destination, on: bench)
    self.files = files
    return try files?.copy(in: destination.layout, above: planning.counters)
  }

  func finish(_ planning: Planning, on bench: Workbench) throws(DecantError) {
    let counters = try planning.highestKeys()
    let newKeys = try planning.newKeys()
    try destination.handOut(counters, on: bench.connection)
    try destination.finish(
      on: bench.connection,
      source: Workbench.source,
      newKeys: newKeys
    )
    try explaining("cannot rebuild the indexes") { () throws(SQLiteError) in
      for sql in droppedIndexes { try bench.connection.run(sql) }
    }
  }

  func reader(_ bench: Workbench) throws(DecantError) -> (connection: Connection, schema: String) {
    (bench.connection, "main")
  }

  func publish(_ bench: Workbench) throws(DecantError) {
    try explaining("cannot commit to “\(destination.identity.place)”") { () throws(SQLiteError) in
      try bench.connection.run("COMMIT")
    }
    files = nil
    // What the log holds goes into the file, so that the one file is the whole store. Should that not
    // succeed, the store is whole together with its log.
    _ = try? bench.connection.text("PRAGMA main.wal_checkpoint(TRUNCATE)")
  }

  func abandon(toResume: Bool) {
    files?.remove()
    files = nil
    // Closing the connection undoes its transaction, too, should this not be possible any more.
    try? bench?.connection.run("ROLLBACK")
    bench = nil
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
