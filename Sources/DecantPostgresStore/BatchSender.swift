internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Sends rows of a temporary database to new tables, in batches that are committed with their checkpoints.
///
/// Another thread sends the rows that the caller's thread reads. It owns the connection and the record of the run until
/// `settle` or `wait` returns.
final class BatchSender {
  private let server: Server
  private let connection: PostgresConnection
  private let statements: ServerStatements
  private let run: ServerRun
  private let batchSize: Int64
  private let stop: ProgressCheck?
  /// Called before each batch, to end the copy if something else has failed.
  private let check: () throws(DecantError) -> Void
  private let work = OrderedWork("rows", limit: 8)
  /// The rows sent, by table.
  private var sent: [String: Sent] = [:]

  private struct Sent {
    /// The number of rows, including those that were already there.
    var count: Int64
    /// The highest key, if the table was sent while it was filled.
    var lastKey: Int64?
    /// The columns that were NULL in any of the rows sent.
    var withNull: Set<String> = []
    /// Whether an earlier process sent rows.
    var isContinued: Bool { earlier > 0 }
    let earlier: Int64

    init(after count: Int64) { (self.count, earlier) = (count, count) }
  }

  /// The number of bytes after which a batch ends.
  private static let batchBytes = 8 << 20

  /// Prepares to send rows to the tables of `run`, which already contain the numbers of rows in `there`.
  init(
    _ server: Server,
    _ connection: PostgresConnection,
    _ run: ServerRun,
    there: [String: Int64],
    batchSize: Int64,
    _ stop: ProgressCheck?,
    check: @escaping () throws(DecantError) -> Void
  ) {
    (self.server, self.connection, self.run) = (server, connection, run)
    (self.batchSize, self.stop, self.check) = (batchSize, stop, check)
    statements = ServerStatements(place: run.tablesPlace)
    sent = there.mapValues { Sent(after: $0) }
  }

  /// Sends those rows of a table that have not been sent yet, while the table is being filled in the order of its key.
  func sendWritten(_ table: ServerSchema.Table, of scratch: Connection) throws(DecantError) {
    guard let key = table.columns.first(where: { table.key == [$0.name] })?.own.sqlName else { return }
    let highest = try explaining("cannot read the table \(table.own)") { () throws(SQLiteError) in
      try scratch.integer("SELECT max(\(key)) FROM main.\(table.own.sqlName)")
    }
    let last = sent[table.name]?.lastKey
    guard let highest, last.map({ $0 < highest }) ?? true else { return }
    try send(table, of: scratch, where: last.map { "r.\(key) > \($0)" }, after: 0)
    sent[table.name]?.lastKey = highest
  }

  /// Sends the remaining rows of a filled table; returns the columns that should have a value, and have one in every
  /// row.
  func complete(_ table: ServerSchema.Table, of scratch: Connection) throws(DecantError) -> [String] {
    if sent[table.name]?.lastKey != nil {
      try sendWritten(table, of: scratch)
    } else {
      try send(table, of: scratch, after: sent[table.name]?.count ?? 0)
    }
    try settle()
    let sent = sent[table.name] ?? Sent(after: 0)
    if sent.lastKey != nil { try checkCount(sent, table, scratch) }
    guard !sent.isContinued else { return try table.columnsWithoutNull(in: scratch) }
    return table.columns.filter { $0.wantsValue && !sent.withNull.contains($0.name) }.map(\.name)
  }

  /// Throws unless a table that was sent while it was being filled has as many rows as were sent.
  private func checkCount(_ sent: Sent, _ table: ServerSchema.Table, _ scratch: Connection) throws(DecantError) {
    let count = try explaining("cannot read the table \(table.own)") { () throws(SQLiteError) in
      try scratch.integer("SELECT count(*) FROM main.\(table.own.sqlName)") ?? 0
    }
    guard count != sent.count else { return }
    throw DecantError(
      .systemFailed, "\(sent.count.counted("row")) of \(table.name) were sent, and there are \(count)")
  }

  /// Waits until all rows have been sent; throws any error of that.
  func settle() throws(DecantError) {
    try owning("cannot write the tables") { try work.finish() }
  }

  /// Waits until the connection is no longer used.
  func wait() { work.wait() }

  private func send(
    _ table: ServerSchema.Table,
    of scratch: Connection,
    where condition: String? = nil,
    after count: Int64
  ) throws(DecantError) {
    let transfer = RowTransfer(server: server, table: table, statements: statements)
    let context = "cannot write the table \(table.name)"
    var state = sent[table.name] ?? Sent(after: 0)
    let sender = try RowSender(
      transfer, of: scratch, where: condition, after: count, to: connection,
      perform: { [work, server] body in
        try work.add {
          do { try body() } catch let error as PostgresError {
            throw error.isTooLarge ? server.tooWide(table, error) : server.error(error, context)
          }
        }
      })
    try owning(context) {
      while try sender.hasRows() {
        if stop?.isStopped() == true { throw DecantError(.interrupted, "the operation was interrupted") }
        try check()
        try work.add { [server, connection] in
          try server.explaining(context) { () throws(PostgresError) in
            try connection.run("BEGIN")
            // The log keeps the order: a server crash loses only the last batches, with their checkpoints.
            try connection.run("SET LOCAL synchronous_commit = off")
          }
        }
        state.count += try sender.sendBatch(rowLimit: batchSize, byteLimit: BatchSender.batchBytes)
        try work.add { [server, connection, run, count = state.count] in
          try run.record(table.name, rows: count)
          try server.explaining(context) { () throws(PostgresError) in _ = try connection.run("COMMIT") }
        }
      }
    }
    state.withNull.formUnion(sender.columnsWithNull)
    sent[table.name] = state
  }

  /// Runs `body`; after an error, this thread owns the connection, which has no open transaction.
  ///
  /// If something else has failed before, that is the error: it may be the reason for this one.
  private func owning(_ context: String, _ body: () throws -> Void) throws(DecantError) {
    do { try body() } catch {
      work.wait()
      // The server has already rolled back a lost connection.
      if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
      try check()
      throw server.explained(error, context)
    }
  }
}
