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
  let stop: ProgressCheck?
  let statements: ServerStatements
  let run: ServerRun
  private let circumstances: Circumstances
  private let batchSize: Int64
  /// Whether the schema is there, and is this process' own.
  var isThere = false
  /// Whether an earlier process began it.
  private(set) var continues = false
  var notes: [ReportNote] = []

  var schema: ServerSchema { record.schema }

  /// The number of bytes after which a batch ends.
  private static let batchBytes = 8 << 20

  /// Connects, and takes an unfinished copy over or removes it, as the options say.
  init(
    _ server: Server,
    _ record: StoreRecord,
    _ circumstances: Circumstances,
    _ options: CopyOptions,
    _ stop: ProgressCheck?
  ) throws(DecantError) {
    (self.server, self.record, self.circumstances, self.stop) = (server, record, circumstances, stop)
    batchSize = options.batchSize
    connection = try server.connect()
    if let stop { connection.isStopped = { stop.isStopped() } }
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

  /// Makes the tables and sends the rows of `scratch` to them that are not there yet, with keys and constraints after the
  /// rows.
  func fill(from scratch: Connection, highestKeys: [String: Int64]) throws(DecantError) {
    if !isThere { try create() }
    let (there, isComplete) = try server.explaining("cannot read the checkpoint") { () throws(PostgresError) in
      (try run.rows(), try run.isComplete())
    }
    if continues {
      let count = there.values.reduce(0, +)
      notes.append(ReportNote(.completed, "continued an interrupted copy, of which \(count.counted("row")) were there"))
    }
    var required: [String: [String]] = [:]
    for table in schema.tables {
      let transfer = RowTransfer(server: server, table: table, statements: statements)
      if !isComplete { try send(transfer, of: scratch, after: there[table.name] ?? 0) }
      required[table.name] = try transfer.columnsWithoutNull(in: scratch)
      try noteMissingValues(of: table, required[table.name] ?? [], in: scratch)
    }
    if !isComplete {
      try transaction("cannot complete the tables") { () throws(DecantError) in
        try complete(required, highestKeys, from: scratch)
        try run.setComplete()
      }
    }
    for table in schema.tables {
      try perform(["ANALYZE \(statements.qualified(table.name))"], "cannot analyze \(table.name)")
    }
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

  /// Sends the rows of a table after the first `count` ones, in batches.
  private func send(_ transfer: RowTransfer, of scratch: Connection, after count: Int64) throws(DecantError) {
    let sender = try RowSender(transfer, of: scratch, after: count, to: connection)
    var count = count
    while try sender.hasRows() {
      if stop?.isStopped() == true { throw DecantError(.interrupted, "the operation was interrupted") }
      try transaction("cannot write the table \(transfer.table.name)") { () throws(DecantError) in
        // The log keeps the order: a server that crashes loses the last batches with their checkpoints.
        try perform(["SET LOCAL synchronous_commit = off"], "cannot write the table \(transfer.table.name)")
        count += try sender.sendBatch(rowLimit: batchSize, byteLimit: ServerBuild.batchBytes)
        try run.record(transfer.table.name, rows: count)
      }
    }
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

  /// Reads all tables into `scratch` on a new connection.
  ///
  /// `sent` is the database from which they were sent.
  func read(into scratch: Connection, numberedAs sent: Connection) throws(DecantError) {
    let connection = try server.connect()
    if let stop { connection.isStopped = { [stop] in stop.isStopped() } }
    try ServerTables(server: server, schema: schema, statements: statements).fetch(
      into: scratch, numberedAs: sent, on: connection)
  }

  /// Ends the work; returns whether the tables stay, to be resumed.
  func abandon(toResume: Bool, after error: DecantError) -> Bool {
    guard isThere else { return false }
    isThere = false
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
