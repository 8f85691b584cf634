internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore
internal import Synchronization

/// New tables in a separate PostgreSQL schema, until they are published.
///
/// Their rows are committed in batches, each with its checkpoint: an interrupted copy can be resumed.
final class ServerBuild {
  let server: Server
  var record: StoreRecord
  let connection: PostgresConnection
  /// The sessions on the server of the connections that this value has opened.
  private var sessions: [PostgresConnection.Session] = []
  let stop: ProgressCheck?
  let statements: ServerStatements
  let run: ServerRun
  private let circumstances: Circumstances
  private let batchSize: Int64
  private let workerCount: Int
  /// Whether the schema exists and belongs to this process.
  var isThere = false
  /// Whether it was begun by an earlier process.
  private(set) var continues = false
  /// The recorded milestones, apart from rows, when this process began.
  private var milestones: Set<String> = []
  /// The queue of the server's own work on the tables.
  private(set) var queue: ServerQueue?
  /// The sender of the rows.
  private var sender: BatchSender?
  /// The tables that have all of their rows.
  private var completed: Set<String> = []
  /// Whether all work has been added to the queue, and whether it has been done.
  private var (isQueueComplete, isQueueDone) = (false, false)
  /// The indexes that the server cannot create, because a value is too large for them; several threads find them.
  let tooLarge = Mutex<[ServerSchema.Index]>([])
  private(set) var notes: [ReportNote] = []
  /// Whether this process began it, and lost the connection.
  private let isReconnected: Bool

  var schema: ServerSchema { record.schema }
  private var tables: ServerTables { ServerTables(server: server, schema: schema, statements: statements) }

  /// Connects, and takes over or removes an unfinished copy, depending on the options.
  ///
  /// After a lost connection, `last` is the earlier build of this process. Its sessions may still hold locks, so they
  /// are ended, and only its own tables are taken over.
  init(
    _ server: Server,
    _ record: StoreRecord,
    _ circumstances: Circumstances,
    _ options: CopyOptions,
    _ stop: ProgressCheck?,
    continuing last: ServerBuild? = nil
  ) throws(DecantError) {
    (self.server, self.record, self.circumstances, self.stop) = (server, record, circumstances, stop)
    (batchSize, workerCount) = (options.batchSize, options.workerCount)
    (notes, isReconnected) = (last?.notes ?? [], last != nil)
    let connection = try server.connect()
    self.connection = connection
    if let stop { connection.isStopped = { stop.isStopped() } }
    sessions = [connection.session].compactMap(\.self)
    let lost = last?.leave() ?? []
    // If this attempt fails, the next one ends its session, too.
    last?.sessions += sessions
    try server.explaining("cannot end the lost sessions") { () throws(PostgresError) in try connection.end(lost) }
    func find() throws(DecantError) -> (leftOvers: [ServerRun.LeftOver], place: String?) {
      let leftOvers = try ServerRun.leftOvers(server, connection)
      if let last { return (leftOvers, last.isThere ? last.run.place : nil) }
      let kept = server.abilities.has(.atomicDDL) ? leftOvers.filter { !$0.isVisible } : []
      return (leftOvers, options.leftOver == .resume ? kept.last?.place : nil)
    }
    var (leftOvers, place) = try find()
    // A resumed copy takes over one that seems to be dead, and may still have the lock.
    if last == nil, place == nil {
      try ServerRun.claim(server, connection)
      if options.leftOver == .resume, !leftOvers.isEmpty {
        notes.append(
          ReportNote(.startedOver, "started over: an interrupted copy whose tables are visible cannot be continued"))
      }
      for leftOver in try find().leftOvers where leftOver.isVisible {
        try ServerRun.remove(leftOver, server, connection)
        notes.append(.removed(leftOver))
      }
      // Another process may have begun or finished meanwhile.
      try ServerRights(server, connection).checkIsFree(record.schema)
      (leftOvers, place) = try find()
    }
    if let place {
      let run = try ServerRun(server, connection, resuming: place, after: last?.run)
      try run.takeOver(circumstances, from: last?.run)
      self.run = run
      (isThere, continues) = (true, true)
    } else {
      for leftOver in leftOvers {
        try ServerRun.remove(leftOver, server, connection)
        notes.append(.removed(leftOver))
      }
      run = try ServerRun(server, connection)
    }
    statements = ServerStatements(place: run.tablesPlace, server.abilities)
  }

  /// Creates the tables, or reads the progress of an earlier process.
  private func begin() throws(DecantError) -> (sender: BatchSender, queue: ServerQueue) {
    if let sender, let queue { return (sender, queue) }
    if !isThere { try create() }
    let (there, milestones) = try server.explaining("cannot read the checkpoint") { () throws(PostgresError) in
      (try run.rows(), try run.milestones())
    }
    self.milestones = milestones
    let leftOut = schema.indexes.filter { milestones.contains(ServerRun.Milestone.noIndex($0.name).key) }
    tooLarge.withLock { $0 = leftOut }
    let queue = try ServerQueue(server, count: workerCount, stop)
    sessions += queue.sessions.compactMap(\.self)
    // A lost session of the queue may hold the lock for which this one waits.
    connection.isStopped = { [stop] in queue.hasFailed || stop?.isStopped() == true }
    if continues, !isReconnected {
      let count = there.values.reduce(0, +)
      note(.completed, "continued an interrupted copy, of which \(count.counted("row")) were there")
    }
    let sender = BatchSender(server, connection, run, there: there, batchSize: batchSize, stop) {
      () throws(DecantError) in try queue.check()
    }
    (self.queue, self.sender) = (queue, sender)
    return (sender, queue)
  }

  /// Sends the rows that a table of `scratch` contains by now, in the order of the key in which it is being filled.
  ///
  /// A resumed copy sends them only when the table is complete.
  func send(_ table: ServerSchema.Table, of scratch: Connection) throws(DecantError) {
    guard !continues else { return }
    let (sender, _) = try begin()
    try sender.sendWritten(table, of: scratch)
  }

  /// Sends the remaining rows of a filled table of `scratch`; the server then adds the keys and indexes, which
  /// continues in the background.
  func complete(_ table: ServerSchema.Table, of scratch: Connection, highestKey: Int64) throws(DecantError) {
    let (sender, queue) = try begin()
    guard completed.insert(table.name).inserted else { return }
    let hasKeys = milestones.contains(ServerRun.Milestone.keys(table: table.name).key)
    let required =
      try hasKeys ? table.columnsWithoutNull(in: scratch) : sender.complete(table, of: scratch)
    noteMissingValues(of: table, required)
    if !hasKeys { try addKeys(to: table, required, highest: highestKey, queue) }
  }

  /// Completes the tables; `settle` must be called afterwards.
  func fill(from scratch: Connection, highestKeys: [String: Int64]) throws(DecantError) {
    _ = try begin()
    for table in schema.tables { try complete(table, of: scratch, highestKey: highestKeys[table.name] ?? 0) }
  }

  /// Whether the tables already had their references when this process began.
  var isComplete: Bool { milestones.contains(ServerRun.Milestone.complete.key) }

  /// Waits for the keys, and makes the server add references; the tables can be read meanwhile.
  func completeQueue() throws(DecantError) {
    guard let queue, !isQueueComplete else { return }
    isQueueComplete = true
    try queue.finish()
    noteLargeIndexes()
    guard !isComplete else { return }
    try addReferences(areThere: milestones.contains(ServerRun.Milestone.references.key), queue)
  }

  /// Waits until the server has completed the tables.
  func settle() throws(DecantError) {
    try completeQueue()
    try queue?.finish()
    guard !isComplete, !isQueueDone else { return }
    try transaction("cannot add the foreign keys") { () throws(DecantError) in
      // This commit forces all earlier rows to the server's disk.
      try perform(["SET LOCAL synchronous_commit = on"], "cannot add the foreign keys")
      try run.record([.complete], on: connection)
    }
    isQueueDone = true
  }

  private func create() throws(DecantError) {
    let context = "cannot create the tables"
    isThere = run.isVisible
    try changing(context) { () throws(DecantError) in
      try server.explaining(context) { () throws(PostgresError) in
        try run.create(circumstances)
        guard run.isVisible else { return }
        try connection.run("CREATE SCHEMA IF NOT EXISTS \(ServerNames.quoted(server.schema))")
        try record.write(server, source: "", building: run.place, on: connection)
      }
      for table in schema.tables {
        try perform([statements.create(table)], context)
        if run.isVisible { try run.record(visible: table) }
        try perform(statements.storage(of: table), context)
      }
    }
    isThere = true
  }

  private func noteMissingValues(of table: ServerSchema.Table, _ required: [String]) {
    let lacking = table.columns.filter { $0.wantsValue && !required.contains($0.name) }
    guard !lacking.isEmpty else { return }
    add(.missingValues(of: lacking.map { "\(table.name).\($0.name)" }))
  }

  /// Adds a note, unless it was already added before the connection was lost.
  func note(_ kind: ReportNote.Kind, _ message: DecantError.Text) { add(ReportNote(kind, message)) }

  /// Adds a note, unless it already exists.
  func add(_ note: ReportNote) { if notes.allSatisfy({ $0 != note }) { notes.append(note) } }

  func perform(_ sql: [String], _ context: String) throws(DecantError) {
    try server.explaining(context) { () throws(PostgresError) in
      for statement in sql { try connection.run(statement) }
    }
  }

  func transaction(_ context: String, _ body: () throws(DecantError) -> Void) throws(DecantError) {
    try connection.transaction("BEGIN", body) { server.error($0, context) }
  }

  /// Runs `body`, which makes or changes tables: in a transaction if that makes a difference.
  func changing(_ context: String, _ body: () throws(DecantError) -> Void) throws(DecantError) {
    try run.isVisible ? body() : transaction(context, body)
  }

  /// Whether the tables can be compared with `sent`, from which they were filled.
  func canCompare(with sent: Connection) throws(DecantError) -> Bool { try tables.canCompare(with: sent) }

  /// Begins to complete the queue and then to compare the tables with `sent`, on a separate thread and connection.
  ///
  /// The thread owns this value and `sent` until its result is known.
  func comparison(with sent: Connection) -> LaterResult<Bool, DecantError> {
    LaterResult("comparison") { [self] end throws(DecantError) in
      try completeQueue()
      let connection = try connectToRead()
      connection.isStopped = { [stop] in end.isCancelled || stop?.isStopped() == true }
      return try tables.areEqual(to: sent, areNew: true, on: connection)
    }
  }

  /// Stops the work of the queue, so that a comparison ends soon.
  func stopQueue() { queue?.forget() }

  /// Reads all tables into `scratch` on a separate connection.
  ///
  /// `sent` is the database from which they were sent.
  func read(into scratch: Connection, numberedAs sent: Connection) throws(DecantError) {
    try tables.fetch(into: scratch, numberedAs: sent, on: connectToRead())
  }

  private func connectToRead() throws(DecantError) -> PostgresConnection {
    let connection = try server.connect()
    if let stop { connection.isStopped = { [stop] in stop.isStopped() } }
    sessions += [connection.session].compactMap(\.self)
    return connection
  }

  /// Hands the tables over to another value; returns the sessions that are no longer used.
  func leave() -> [PostgresConnection.Session] {
    sender?.wait()
    // Work whose session cannot be ended is stopped on its own connection, if that still works.
    if queue?.sessions.contains(where: { $0 == nil }) == true { queue?.abandon() } else { queue?.forget() }
    return sessions
  }

  /// Ends the work; returns whether the tables are kept for resuming.
  func abandon(toResume: Bool, after error: DecantError) -> Bool {
    sender?.wait()
    guard isThere else { return false }
    isThere = false
    queue?.abandon()
    // The process that has taken it over continues.
    guard !run.isLost else { return false }
    let cause = error.cause as? PostgresError
    if !run.isVisible, toResume || cause?.isOfConnection == true || cause?.isFull == true { return true }
    connection.allowLastStatements()
    // The next run removes the tables if this fails.
    _ = try? run.drop()
    return false
  }
}

extension ReportNote {
  fileprivate static func removed(_ leftOver: ServerRun.LeftOver) -> ReportNote {
    ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted copy: the schema \(leftOver.place)")
  }
}
