internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// A writer that fills a temporary database, sends its rows to tables in a temporary PostgreSQL schema, reads them back
/// for verification, and publishes the tables in one transaction.
final class PostgresWriter: CopyWriter {
  private let destination: PostgresDestination
  private let source: any SourceStore
  private let folder: ScratchFolder
  /// The writer of the temporary database.
  private let rows: any CopyWriter
  private let options: CopyOptions
  private var build: ServerBuild?
  private var record: StoreRecord
  private var circumstances = Circumstances([:])
  /// The highest assigned key of each table.
  private var highestKeys: [String: Int64] = [:]
  /// The tables whose rows are sent while they are being written, which one step does in the order of their keys.
  private var sentEarly: [String: ServerSchema.Table] = [:]
  /// The remaining time for attempts to restore a lost connection.
  private var patience: Duration
  /// The number of times that a lost connection was restored.
  private var reconnectionCount: Int64 = 0
  private var stop: ProgressCheck?
  /// The virtual tables that are left out.
  private let leftOut: [String]
  private(set) var holdsCopy = false
  /// The comparison of the tables with the rows that were sent, until its result is known.
  private var comparison: LaterResult<Bool, DecantError>?
  /// The rows that are read for verification.
  private var read: (connection: Connection, schema: String)?

  private var server: Server { destination.server }
  var notes: [ReportNote] {
    let lost = ReportNote(.completed, "the connection was lost and restored \(reconnectionCount.counted("time"))")
    return (reconnectionCount > 0 ? [lost] : []) + (build?.notes ?? [])
  }
  var isResumable: Bool { build.map { $0.isThere && !$0.run.isLost && !$0.run.isVisible } ?? false }
  var continuesEarlierWork: Bool { build?.continues ?? false }
  let isTemporary = true

  init(_ destination: PostgresDestination, from source: any SourceStore, _ options: CopyOptions) throws(DecantError) {
    (self.destination, self.source, self.options, record) = (destination, source, options, destination.record)
    leftOut = options.leftOutTables
    patience = options.reconnectionTime
    let folder = try ScratchFolder()
    self.folder = folder
    // A resumed copy has its state on the server; the temporary database is filled again, with the same rows.
    var filling = options
    filling.leftOver = .startOver
    filling.fillsTemporary = true
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
      opened.session,
      opened.fingerprint
    )
    return opened
  }

  private func limitCaches(of session: CopySession) throws(DecantError) {
    try explaining("cannot set the caches") { () throws(SQLiteError) in try session.connection.takeCachesForOrder() }
  }

  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)? {
    circumstances = Circumstances([
      "plan": planning.planHash, "source": planning.fingerprint.description, "tables": record.layoutText,
    ])
    do throws(DecantError) {
      build = try ServerBuild(server, record, circumstances, options, stop)
    } catch {
      // The server could be reached before the copy was planned.
      guard canReconnect(after: error) else { throw error }
      try takeUp(nil, after: error)
    }
    let checkpoint = try rows.begin(planning, on: session)
    let highest = try planning.highestKeys().merging(destination.highestNumbers(session)) { max($0, $1) }
    for table in record.schema.tables where table.isIdentity {
      let root = destination.layout.relations.first { $0.table.isSameName(as: table.own) }?.root
      highestKeys[table.name] = root.flatMap { highest[$0] } ?? 0
      let steps = planning.steps.filter { $0.table.isSameName(as: table.own) }
      if steps.count == 1, case .objects = steps[0].kind { sentEarly[steps[0].table] = table }
    }
    return checkpoint
  }

  func proceed(after step: CopyStep, isDone: Bool, on session: CopySession) throws(DecantError) {
    guard let table = sentEarly[step.table], let build else { return }
    do throws(DecantError) {
      try build.send(table, of: session.connection)
      if isDone {
        try build.complete(table, of: session.connection, highestKey: highestKeys[table.name] ?? 0)
      }
    } catch {
      // The rows written so far are sent later, with the others.
      guard canReconnect(after: error) else { throw error }
      try takeUp(build, after: error)
    }
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?
  {
    record.template = try StoreTemplateFile.complete(in: folder, with: source, session) ?? record.template
    return try rows.copyFiles(planning, from: source, on: session)
  }

  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) {
    try rows.finish(planning, on: session)
    build?.record.template = record.template
    try withTables(fillingFrom: session.connection, isFilled: false) { _ in }
  }

  /// Runs `body` with the tables, after filling them if necessary.
  ///
  /// If the connection is lost, the copy continues after its last batch, as with `--resume`, and `body` runs again.
  private func withTables<Result>(
    fillingFrom scratch: Connection,
    isFilled: Bool,
    _ body: (ServerBuild) throws(DecantError) -> Result
  ) throws(DecantError) -> Result {
    var isFilled = isFilled
    while true {
      guard let build else { throw DecantError(.systemFailed, "the copy has not begun") }
      do throws(DecantError) {
        if !isFilled { try build.fill(from: scratch, highestKeys: highestKeys) }
        isFilled = true
        return try body(build)
      } catch {
        if (error.cause as? PostgresError)?.isOfLink == true { try build.checkReferences(in: scratch) }
        guard canReconnect(after: error) else { throw error }
        try takeUp(build, after: error)
        isFilled = false
      }
    }
  }

  private func canReconnect(after error: DecantError) -> Bool {
    (error.cause as? PostgresError)?.isOfConnection == true && patience > .zero && server.abilities.has(.atomicDDL)
  }

  /// Reconnects within the time that the user allows, and continues an earlier attempt, if there was one.
  private func takeUp(_ last: ServerBuild?, after error: DecantError) throws(DecantError) {
    let clock = ContinuousClock()
    while patience > .zero, stop?.isStopped() != true {
      let start = clock.now
      defer { patience -= clock.now - start }
      do throws(DecantError) {
        let next = try ServerBuild(server, last?.record ?? record, circumstances, options, stop, continuing: last)
        build = next
        reconnectionCount += 1
        return
      } catch {
        guard (error.cause as? PostgresError)?.isOfConnection == true else { throw error }
        Files.pause(milliseconds: 500)
      }
    }
    throw error
  }

  /// Begins to wait for the keys and to read the tables on a separate connection, while the caller reads the rows that
  /// were sent, for verification.
  ///
  /// If the tables cannot be compared with these, or differ from them, they are read into another temporary database,
  /// in order to name the objects that differ.
  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String) {
    if let read { return read }
    let result = try withTables(fillingFrom: session.connection, isFilled: true) {
      build throws(DecantError) -> (connection: Connection, schema: String) in
      // Without a proof nobody waits for a comparison.
      guard options.verifies else { return try rows.reader(session) }
      if try build.canCompare(with: session.connection) {
        comparison = try beginComparison(build, session)
        return try rows.reader(session)
      }
      let result = try readBack(build, session)
      try build.settle()
      return result
    }
    read = result
    return result
  }

  func isAsRead(_ session: CopySession) throws(DecantError) -> Bool {
    guard comparison != nil else { return true }
    let found = try withTables(fillingFrom: session.connection, isFilled: true) {
      build throws(DecantError) -> (connection: Connection, schema: String)? in
      // After a lost connection, the tables are compared again.
      let running = if let comparison { comparison } else { try beginComparison(build, session) }
      comparison = nil
      let found = try running.get() ? nil : readBack(build, session)
      try build.settle()
      return found
    }
    guard let found else { return true }
    read = found
    return false
  }

  private func beginComparison(_ build: ServerBuild, _ session: CopySession)
    throws(DecantError) -> LaterResult<Bool, DecantError>
  {
    let sent = try rows.reader(session).connection
    try explaining("cannot set the caches") { () throws(SQLiteError) in try sent.takeCachesForOrder() }
    return build.comparison(with: sent)
  }

  private func readBack(_ build: ServerBuild, _ session: CopySession) throws(DecantError) -> (
    connection: Connection, schema: String
  ) {
    let (path, schema) = ("\(folder.path)/proof.db", "result")
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

  func note(idTable file: String, partial _: String) throws(DecantError) {}

  func publish(_ session: CopySession) throws(DecantError) {
    guard try isAsRead(session) else {
      throw DecantError(.proofFailed, "the tables have other rows than were sent", place: server.place)
    }
    let provenCount = reconnectionCount
    try withTables(fillingFrom: session.connection, isFilled: true) { build throws(DecantError) in
      // Complete tables are on disk. Others may have lost verified rows in a server crash, and received them again.
      if reconnectionCount > provenCount, read != nil, !build.isComplete {
        guard try build.canCompare(with: session.connection), try beginComparison(build, session).get() else {
          throw DecantError(.proofFailed, "the tables have other rows than were sent", place: server.place)
        }
      }
      try build.publish(source: Files.name(of: source.identity.place))
    }
    holdsCopy = true
  }

  func clear() { _ = rows.abandon(toResume: false, after: DecantError(.interrupted, "done")) }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    // The tables cannot be dropped while they are read.
    if comparison != nil { build?.stopQueue() }
    comparison = nil
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
