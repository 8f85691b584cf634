internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// A writer that fills a temporary database, sends its rows to tables in a PostgreSQL schema that nobody knows, reads
/// them back for the proof, and publishes the tables in one transaction.
final class PostgresWriter: CopyWriter {
  private let destination: PostgresDestination
  private let source: any SourceStore
  private let folder: ScratchFolder
  /// The writer of the temporary database.
  private let rows: any CopyWriter
  private let options: CopyOptions
  private var build: ServerBuild?
  private var record: StoreRecord
  private var stop: ProgressCheck?
  /// The virtual tables that are left out.
  private let leftOut: [String]
  private(set) var holdsCopy = false

  private var server: Server { destination.server }
  var notes: [ReportNote] { build?.notes ?? [] }
  var isResumable: Bool { build.map { $0.isThere && !$0.run.isLost } ?? false }
  var continuesEarlierWork: Bool { build?.continues ?? false }

  init(_ destination: PostgresDestination, from source: any SourceStore, _ options: CopyOptions) throws(DecantError) {
    (self.destination, self.source, self.options, record) = (destination, source, options, destination.record)
    leftOut = options.leftOutTables
    let folder = try ScratchFolder()
    self.folder = folder
    // What is resumed is on the server; the temporary database is filled again, with the same rows.
    var filling = options
    filling.leftOver = .startOver
    rows = try StoreFile(path: "\(folder.path)/rows.db")
      .makeWriter(for: destination, from: source, filling) { _, _ in true }
  }

  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError) -> (
    session: CopySession, fingerprint: Fingerprint
  ) {
    self.stop = stop
    let opened = try rows.open(source, stop)
    try limitCaches(of: opened.session)
    record.template = try StoreTemplateFile.make(
      of: source,
      leavingOut: leftOut,
      in: folder,
      fingerprint: opened.fingerprint
    )
    return opened
  }

  private func limitCaches(of session: CopySession) throws(DecantError) {
    try explaining("cannot set the caches") { () throws(SQLiteError) in try session.connection.takeCachesForOrder() }
  }

  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)? {
    let circumstances = Circumstances([
      "plan": planning.planHash, "source": planning.fingerprint.description, "tables": record.layoutText,
    ])
    build = try ServerBuild(server, record, circumstances, options, stop)
    return try rows.begin(planning, on: session)
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?
  { try rows.copyFiles(planning, from: source, on: session) }

  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) {
    let highest = try planning.highestKeys().merging(destination.highestNumbers(session)) { max($0, $1) }
    try rows.finish(planning, on: session)
    guard let build else { return }
    var keys: [String: Int64] = [:]
    for table in record.schema.tables where table.isIdentity {
      let root = destination.layout.relations.first { $0.table.isSameName(as: table.own) }?.root
      keys[table.name] = root.flatMap { highest[$0] } ?? 0
    }
    build.record.template = record.template
    try build.fill(from: session.connection, highestKeys: keys)
  }

  /// Reads the tables on a new connection to the server.
  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String) {
    let path = "\(folder.path)/proof.db"
    let schema = "result"
    guard let build else { return (session.connection, "main") }
    let encoding = try explaining("cannot read the temporary database") { () throws(SQLiteError) in
      try session.connection.text("PRAGMA main.encoding")
    }
    let scratch = try ScratchTables.make(at: path, encoding: encoding ?? "UTF-8") { connection throws(DecantError) in
      try explaining("cannot read the tables") { () throws(SQLiteError) in
        guard let place = rows.workPlace else { return }
        try connection.attach(DatabaseFile.uri(of: place, "mode=ro"), as: "template")
      }
      try destination.make(.tables, on: connection, source: "template")
    }
    try build.read(into: scratch, numberedAs: session.connection)
    try explaining("cannot read the rows again") { () throws(SQLiteError) in
      try session.connection.attach(DatabaseFile.uri(of: path, "mode=ro"), as: schema)
    }
    try limitCaches(of: session)
    return (session.connection, schema)
  }

  var heldState: Fingerprint? { nil }

  func note(idTable file: String) throws(DecantError) {}

  func publish(_ session: CopySession) throws(DecantError) {
    try build?.publish(source: Files.name(of: source.identity.place))
    holdsCopy = true
  }

  func clear() { _ = rows.abandon(toResume: false, after: DecantError(.interrupted, "done")) }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    var error = rows.abandon(toResume: false, after: error)
    if build?.abandon(toResume: toResume, after: error) == true {
      error.canBeResumed()
      let isFull = (error.cause as? PostgresError)?.isFull == true
      let moment: DecantError.Text =
        isFull ? "the server has no space left: free some there, then " : "when the server answers, "
      if !toResume { error.advice = "\(moment)\(.again(with: .resume)) to continue after the last batch" }
    }
    return error
  }
}
