internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// New tables in a PostgreSQL schema of their own, until they are published.
///
/// Their rows are committed in batches, each with its checkpoint: a copy that ended early can be resumed.
final class ServerBuild {
  let server: Server
  var record: StoreRecord
  let connection: PostgresConnection
  /// The sessions of this value's connections on the server.
  private var sessions: [PostgresConnection.Session] = []
  let stop: ProgressCheck?
  let statements: ServerStatements
  let run: ServerRun
  private let circumstances: Circumstances
  private let batchSize: Int64
  /// Whether the schema is there, and is this process' own.
  var isThere = false
  /// Whether an earlier process began it.
  private(set) var continues = false
  /// What is done beside the rows, when this process began.
  private var milestones: Set<String> = []
  /// The server's own work on the tables.
  private(set) var queue: ServerQueue?
  /// What sends the rows.
  private var sender: BatchSender?
  /// The tables that have all their rows.
  private var completed: Set<String> = []
  /// Whether the queue has all its work.
  private var isQueueComplete = false
  /// The indexes that the server cannot make, because a value is too large for them.
  var tooLarge: [ServerSchema.Index] = []
  private(set) var notes: [ReportNote] = []
  /// Whether this process began it, and lost a connection.
  private let isReconnected: Bool

  var schema: ServerSchema { record.schema }
  private var tables: ServerTables { ServerTables(server: server, schema: schema, statements: statements) }

  /// Connects, and takes an unfinished copy over or removes it, as the options say.
  ///
  /// After a lost connection `last` is what this process began. Its sessions may still hold locks: they are ended, and
  /// nothing but its own tables is taken up.
  init(
    _ server: Server,
    _ record: StoreRecord,
    _ circumstances: Circumstances,
    _ options: CopyOptions,
    _ stop: ProgressCheck?,
    continuing last: ServerBuild? = nil
  ) throws(DecantError) {
    (self.server, self.record, self.circumstances, self.stop) = (server, record, circumstances, stop)
    batchSize = options.batchSize
    (notes, isReconnected) = (last?.notes ?? [], last != nil)
    let connection = try server.connect()
    self.connection = connection
    if let stop { connection.isStopped = { stop.isStopped() } }
    sessions = [connection.session].compactMap(\.self)
    let lost = last?.leave() ?? []
    // If this attempt fails, the next one ends its session, too.
    last?.sessions += sessions
    try server.explaining("cannot end the lost sessions") { () throws(PostgresError) in try connection.end(lost) }
    let leftOvers = try ServerRun.leftOvers(server, connection)
    let place =
      if let last { last.isThere ? last.run.place : nil } else {
        options.leftOver == .resume ? leftOvers.last?.place : nil
      }
    if let place {
      let run = try ServerRun(server, connection, resuming: place, after: last?.run)
      try run.takeOver(circumstances, from: last?.run)
      self.run = run
      (isThere, continues) = (true, true)
    } else {
      for leftOver in leftOvers {
        try ServerRun.remove(leftOver, server, connection)
        notes.append(
          ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted copy: the schema \(leftOver.place)"))
      }
      run = try ServerRun(server, connection)
    }
    statements = ServerStatements(place: run.place)
  }

  /// Makes the tables, or reads how far an earlier process came.
  private func begin() throws(DecantError) -> (sender: BatchSender, queue: ServerQueue) {
    if let sender, let queue { return (sender, queue) }
    if !isThere { try create() }
    let (there, milestones) = try server.explaining("cannot read the checkpoint") { () throws(PostgresError) in
      (try run.rows(), try run.milestones())
    }
    self.milestones = milestones
    tooLarge = schema.indexes.filter { milestones.contains(ServerRun.Milestone.noIndex($0.name).key) }
    let queue = try ServerQueue(server, stop)
    sessions += [queue.connection.session].compactMap(\.self)
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

  /// Sends the rows of a table that `scratch` has by now, in the order of the key in which it is filled.
  ///
  /// A copy that continues sends them when all are there.
  func send(_ table: ServerSchema.Table, of scratch: Connection) throws(DecantError) {
    guard !continues else { return }
    let (sender, _) = try begin()
    try sender.sendWritten(table, of: scratch)
  }

  /// Sends what `scratch` has of a filled table and was not sent; the server then adds its keys and indexes, and goes on
  /// with that afterwards.
  func complete(_ table: ServerSchema.Table, of scratch: Connection, highestKey: Int64) throws(DecantError) {
    let (sender, queue) = try begin()
    guard completed.insert(table.name).inserted else { return }
    let hasKeys = milestones.contains(ServerRun.Milestone.keys(table: table.name).key)
    let required =
      try hasKeys ? table.columnsWithoutNull(in: scratch) : sender.complete(table, of: scratch)
    noteMissingValues(of: table, required)
    if !hasKeys { try addKeys(to: table, required, highest: highestKey, queue) }
  }

  /// Completes the tables: `settle` has to follow.
  func fill(from scratch: Connection, highestKeys: [String: Int64]) throws(DecantError) {
    _ = try begin()
    for table in schema.tables { try complete(table, of: scratch, highestKey: highestKeys[table.name] ?? 0) }
    if !isComplete { for reference in schema.references { try check(reference, in: scratch) } }
  }

  /// Whether the tables had their references when this process began.
  var isComplete: Bool { milestones.contains(ServerRun.Milestone.complete.key) }

  /// Waits for the keys, and has the server add references; meanwhile the tables can be read.
  func completeQueue() throws(DecantError) {
    guard let queue, !isQueueComplete else { return }
    isQueueComplete = true
    try queue.finish()
    noteLargeIndexes()
    if !isComplete { try addReferences(queue) }
  }

  /// Waits until the server has completed the tables.
  func settle() throws(DecantError) {
    try completeQueue()
    try queue?.finish()
  }

  private func create() throws(DecantError) {
    let context = "cannot create the tables"
    try transaction(context) { () throws(DecantError) in
      try server.explaining(context) { () throws(PostgresError) in try run.create(circumstances) }
      for table in schema.tables {
        try perform([statements.create(table)] + statements.storage(of: table), context)
      }
    }
    isThere = true
  }

  private func noteMissingValues(of table: ServerSchema.Table, _ required: [String]) {
    let lacking = table.columns.filter { $0.wantsValue && !required.contains($0.name) }
    guard !lacking.isEmpty else { return }
    let names = lacking.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
    note(.valuesMissing, "not NOT NULL, because some rows have no value although the model requires it: \(names)")
  }

  /// Adds a note, unless what was begun before a lost connection has it.
  func note(_ kind: ReportNote.Kind, _ message: DecantError.Text) { add(ReportNote(kind, message)) }

  /// Adds a note, unless it is there.
  func add(_ note: ReportNote) { if notes.allSatisfy({ $0 != note }) { notes.append(note) } }

  func perform(_ sql: [String], _ context: String) throws(DecantError) {
    try server.explaining(context) { () throws(PostgresError) in
      for statement in sql { try connection.run(statement) }
    }
  }

  func transaction(_ context: String, _ body: () throws(DecantError) -> Void) throws(DecantError) {
    try connection.transaction("BEGIN", body) { server.error($0, context) }
  }

  /// Whether the tables have the rows of `sent`, read on a new connection while the server adds references; false is no
  /// proof of a difference.
  func isEqual(to sent: Connection) throws(DecantError) -> Bool {
    try completeQueue()
    return try tables.areEqual(to: sent, on: connectToRead())
  }

  /// Reads all tables into `scratch` on a new connection.
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

  /// Leaves what is there to another value; returns the sessions that are not used any more.
  func leave() -> [PostgresConnection.Session] {
    sender?.wait()
    // What cannot be ended by its session is stopped by its connection, if that still works.
    if queue?.connection.session == nil { queue?.abandon() } else { queue?.forget() }
    return sessions
  }

  /// Ends the work; returns whether the tables stay, to be resumed.
  func abandon(toResume: Bool, after error: DecantError) -> Bool {
    sender?.wait()
    guard isThere else { return false }
    isThere = false
    queue?.abandon()
    // The process that took it over goes on.
    guard !run.isLost else { return false }
    let cause = error.cause as? PostgresError
    if toResume || cause?.isOfConnection == true || cause?.isFull == true { return true }
    connection.allowLastStatements()
    // The next run removes what cannot be removed now.
    _ = try? run.drop()
    return false
  }
}
