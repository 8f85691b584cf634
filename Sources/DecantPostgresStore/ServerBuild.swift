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
  /// Whether the queue has all its work.
  private var isQueueComplete = false
  /// The indexes that the server cannot make, because a value is too large for them.
  var tooLarge: [ServerSchema.Index] = []
  var notes: [ReportNote] = []

  var schema: ServerSchema { record.schema }

  /// The number of bytes after which a batch ends.
  private static let batchBytes = 8 << 20

  /// Connects, and takes an unfinished copy over or removes it, as the options say.
  ///
  /// `lost` are sessions of this process without connections, which may still hold locks.
  init(
    _ server: Server,
    _ record: StoreRecord,
    _ circumstances: Circumstances,
    _ options: CopyOptions,
    _ stop: ProgressCheck?,
    ending lost: [PostgresConnection.Session] = []
  ) throws(DecantError) {
    (self.server, self.record, self.circumstances, self.stop) = (server, record, circumstances, stop)
    batchSize = options.batchSize
    let connection = try server.connect()
    self.connection = connection
    if let stop { connection.isStopped = { stop.isStopped() } }
    sessions = [connection.session].compactMap(\.self)
    try server.explaining("cannot end the lost sessions") { () throws(PostgresError) in try connection.end(lost) }
    let leftOvers = try ServerRun.leftOvers(server, connection)
    if options.leftOver == .resume, let last = leftOvers.last {
      let run = try ServerRun(server, connection, resuming: last.place)
      try run.takeOver(circumstances)
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

  /// Makes the tables and sends the rows of `scratch` to them that are not there yet.
  ///
  /// The server adds keys and indexes to a table as soon as it has its rows, and goes on with that afterwards: `settle` has
  /// to follow.
  func fill(from scratch: Connection, highestKeys: [String: Int64]) throws(DecantError) {
    if !isThere { try create() }
    let (there, milestones) = try server.explaining("cannot read the checkpoint") { () throws(PostgresError) in
      (try run.rows(), try run.milestones())
    }
    self.milestones = milestones
    tooLarge = schema.indexes.filter { milestones.contains(ServerRun.Milestone.noIndex($0.name).key) }
    let queue = try ServerQueue(server, stop)
    self.queue = queue
    sessions += [queue.connection.session].compactMap(\.self)
    if continues {
      let count = there.values.reduce(0, +)
      notes.append(ReportNote(.completed, "continued an interrupted copy, of which \(count.counted("row")) were there"))
    }
    for table in schema.tables {
      let transfer = RowTransfer(server: server, table: table, statements: statements)
      let hasKeys = milestones.contains(ServerRun.Milestone.keys(table: table.name).key)
      let count = there[table.name] ?? 0
      let sender = hasKeys ? nil : try send(transfer, of: scratch, after: count)
      // Of rows that were there, only the temporary database tells.
      let required =
        if let sender, count == 0 { sender.columnsWithoutNull } else { try transfer.columnsWithoutNull(in: scratch) }
      try noteMissingValues(of: table, required, in: scratch)
      if !hasKeys { try addKeys(to: table, required, highest: highestKeys[table.name] ?? 0, queue) }
    }
    if !isComplete { for reference in schema.references { try check(reference, in: scratch) } }
  }

  /// Whether the tables had their references when this process began.
  private var isComplete: Bool { milestones.contains(ServerRun.Milestone.complete.key) }

  /// Waits for the keys, and has the server add references and statistics; meanwhile the tables can be read.
  func completeQueue() throws(DecantError) {
    guard let queue, !isQueueComplete else { return }
    isQueueComplete = true
    try queue.finish()
    noteLargeIndexes()
    if !isComplete { try addReferences(queue) }
    for table in schema.tables {
      try queue.add(["ANALYZE \(statements.qualified(table.name))"], "cannot analyze \(table.name)")
    }
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

  /// Sends the rows of a table after the first `count` ones, in batches; returns the sender.
  private func send(_ transfer: RowTransfer, of scratch: Connection, after count: Int64) throws(DecantError)
    -> RowSender
  {
    let sender = try RowSender(transfer, of: scratch, after: count, to: connection)
    var count = count
    while try sender.hasRows() {
      if stop?.isStopped() == true { throw DecantError(.interrupted, "the operation was interrupted") }
      try queue?.proceed()
      try transaction("cannot write the table \(transfer.table.name)") { () throws(DecantError) in
        // The log keeps the order: a server that crashes loses the last batches with their checkpoints.
        try perform(["SET LOCAL synchronous_commit = off"], "cannot write the table \(transfer.table.name)")
        count += try sender.sendBatch(rowLimit: batchSize, byteLimit: ServerBuild.batchBytes)
        try run.record(transfer.table.name, rows: count)
      }
    }
    return sender
  }

  private func noteMissingValues(of table: ServerSchema.Table, _ required: [String], in scratch: Connection)
    throws(DecantError)
  {
    let lacking = table.columns.filter { $0.wantsValue && !required.contains($0.name) }
    guard !lacking.isEmpty else { return }
    let names = lacking.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
    notes.append(
      ReportNote(
        .valuesMissing, "not NOT NULL, because some rows have no value although the model requires it: \(names)"))
  }

  func perform(_ sql: [String], _ context: String) throws(DecantError) {
    try server.explaining(context) { () throws(PostgresError) in
      for statement in sql { try connection.run(statement) }
    }
  }

  func transaction(_ context: String, _ body: () throws(DecantError) -> Void) throws(DecantError) {
    try connection.transaction("BEGIN", body) { server.error($0, context) }
  }

  /// Whether the tables have the rows of `sent`, read on a new connection; false is no proof of a difference.
  func isEqual(to sent: Connection) throws(DecantError) -> Bool {
    let connection = try connectToRead()
    return try ServerTables(server: server, schema: schema, statements: statements)
      .areEqual(to: sent, on: connection) { () throws(DecantError) in try queue?.proceed() }
  }

  /// Reads all tables into `scratch` on a new connection.
  ///
  /// `sent` is the database from which they were sent.
  func read(into scratch: Connection, numberedAs sent: Connection) throws(DecantError) {
    let connection = try connectToRead()
    try ServerTables(server: server, schema: schema, statements: statements).fetch(
      into: scratch, numberedAs: sent, on: connection)
  }

  private func connectToRead() throws(DecantError) -> PostgresConnection {
    let connection = try server.connect()
    if let stop { connection.isStopped = { [stop] in stop.isStopped() } }
    sessions += [connection.session].compactMap(\.self)
    return connection
  }

  /// Leaves what is there to another value; returns the sessions that are not used any more.
  func leave() -> [PostgresConnection.Session] {
    // What cannot be ended by its session is stopped by its connection, if that still works.
    if queue?.connection.session == nil { queue?.abandon() } else { queue?.forget() }
    return sessions
  }

  /// Ends the work; returns whether the tables stay, to be resumed.
  func abandon(toResume: Bool, after error: DecantError) -> Bool {
    guard isThere else { return false }
    isThere = false
    queue?.abandon()
    // The process that took it over goes on.
    guard !run.isLost else { return false }
    let cause = error.cause as? PostgresError
    if toResume || cause?.isOfConnection == true || cause?.isFull == true { return true }
    connection.isStopped = { false }
    // The next run removes what cannot be removed now.
    _ = try? run.drop()
    return false
  }
}
