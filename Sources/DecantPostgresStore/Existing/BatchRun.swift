internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// The record of a run that adds rows to existing tables batch by batch: a schema of its own with the rows, and the
/// statements that write them.
///
/// The transaction that changes the existing rows writes it. From then on neither the source nor a plan is needed: each
/// batch takes its rows from the record, and notes its end there in the same transaction. So each row arrives exactly
/// once, however often the run is interrupted. A working process holds the advisory lock of the schema that it changes.
final class BatchRun {
  let server: Server
  let connection: PostgresConnection
  /// The schema.
  let place: String
  private(set) var steps: [Step] = []
  private(set) var notes: [ReportNote] = []

  /// The beginning of the names of such schemas.
  static let prefix = "decant_batch_"
  private var about: String { qualified("decant_run") }
  private var progress: String { qualified("decant_step") }

  /// A statement that is run once or, for rows, in batches.
  struct Step {
    enum Kind: String {
      /// Adds rows.
      case rows
      /// Writes links of rows that exist by then.
      case links
      /// Creates or checks a constraint.
      case constraint
    }

    let kind: Kind
    /// The table that it changes.
    let table: String
    /// The statement; $1 and $2 are the positions of the first and the last row of a batch.
    let statement: String
    /// The query for the number of rows of a batch that the table has as they were sent; `nil` if they have no key.
    var proof: String?
    /// The query for the keys of these rows, as texts.
    var keys: String?
    let count: Int64
    fileprivate(set) var done: Int64 = 0
  }

  private init(_ server: Server, _ connection: PostgresConnection, _ place: String) {
    (self.server, self.connection, self.place) = (server, connection, place)
  }

  func qualified(_ name: String) -> String { ServerStatements(place: place).qualified(name) }

  // MARK: Beginning and finding

  /// Creates a record of changes to the schema of `server`, in the transaction of `connection`.
  static func create(_ values: [String: String], _ server: Server, _ connection: PostgresConnection)
    throws(DecantError) -> BatchRun
  {
    let place = prefix + String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16)
    let run = BatchRun(server, connection, place)
    try server.explaining("cannot record the rows") { () throws(PostgresError) in
      try connection.run("CREATE SCHEMA \(ServerNames.quoted(place))")
      // Every role may read a comment.
      try connection.run(
        "COMMENT ON SCHEMA \(ServerNames.quoted(place)) IS \(ServerNames.quoted(literal: server.schema))")
      try connection.run("CREATE TABLE \(run.about) (key text PRIMARY KEY, value text NOT NULL)")
      try connection.run(
        """
        CREATE TABLE \(run.progress) (number bigint PRIMARY KEY, kind text NOT NULL, name text NOT NULL,
          statement text NOT NULL, proof text, keys text, count bigint NOT NULL, done bigint NOT NULL DEFAULT 0)
        """)
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        try connection.run("INSERT INTO \(run.about) VALUES ($1, $2)", [key, value])
      }
    }
    return run
  }

  /// Adds a step, in the same transaction.
  func add(_ step: Step) throws(DecantError) {
    let number = String(steps.count)
    steps.append(step)
    try server.explaining("cannot record the rows") { () throws(PostgresError) in
      _ = try connection.run(
        "INSERT INTO \(progress) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [number, step.kind.rawValue, step.table, step.statement, step.proof, step.keys, String(step.count)])
    }
  }

  /// Returns the unfinished run that changes the schema of `server`; `nil` if there is none.
  ///
  /// - Throws: `DecantError` of the family `.storeBusy` if it is that of another role, whose statements are not run.
  static func find(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> BatchRun? {
    let context = "cannot look for an unfinished run"
    let found = try server.explaining(context) { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT n.nspname, o.rolname, n.nspowner = m.oid AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid AND c.relowner <> m.oid)
        FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_roles AS o ON o.oid = n.nspowner
        JOIN pg_catalog.pg_roles AS m ON m.rolname = current_user
        WHERE n.nspname ~ '^\(prefix)[0-9a-f]{16}$'
          AND pg_catalog.obj_description(n.oid, 'pg_namespace') = $1 ORDER BY n.oid
        """, [server.schema]
      ).first
    }
    guard let found, let place = found[0] else { return nil }
    guard found[2] == "t" else {
      throw DecantError(
        .storeLocked,
        "a run that adds rows to the schema \(server.schema) in batches was interrupted, or is at work: its record is "
          + "the schema \(place)",
        place: "\(server.place)",
        remedy: "connect as the role \(found[1] ?? "of its owner") to continue or undo it",
        remedies: []
      )
    }
    let run = BatchRun(server, connection, place)
    try run.read()
    return run
  }

  /// Reads the steps, and how far they got.
  private func read() throws(DecantError) {
    let rows = try server.explaining("cannot read the record of an unfinished run") { () throws(PostgresError) in
      try connection.rows("SELECT kind, name, statement, proof, keys, count, done FROM \(progress) ORDER BY number")
    }
    steps = rows.compactMap { row in
      guard let kind = row[0].flatMap({ Step.Kind(rawValue: $0) }), let name = row[1], let statement = row[2],
        let count = row[5].flatMap({ Int64($0) }), let done = row[6].flatMap({ Int64($0) })
      else { return nil }
      var step = Step(kind: kind, table: name, statement: statement, proof: row[3], keys: row[4], count: count)
      step.done = done
      return step
    }
  }

  /// Returns a value of the record.
  func value(_ key: String) throws(DecantError) -> String? {
    try server.explaining("cannot read the record of an unfinished run") { () throws(PostgresError) in
      try connection.text("SELECT value FROM \(about) WHERE key = $1", [key])
    }
  }

  /// Throws if another run changes tables of the database, or was interrupted.
  static func checkIsAlone(_ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    let other = try server.explaining("cannot look for other runs") { () throws(PostgresError) in
      try connection.text(
        """
        SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname ~ '^\(prefix)[0-9a-f]{16}$'
        UNION ALL SELECT 1 FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_database AS d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND l.classid::text = '\(TableLock.family)' AND l.granted
          AND d.datname = pg_catalog.current_database() AND l.pid <> pg_catalog.pg_backend_pid() LIMIT 1
        """)
    }
    guard other != nil else { return }
    throw DecantError(
      .storeLocked,
      "another run changes tables of this database, or was interrupted: without foreign keys it could add links that lead "
        + "nowhere",
      place: "\(server.place)",
      remedy: "wait for it, or complete it with \(say: .resume); or remove \(option: .deferConstraints)",
      remedies: []
    )
  }

  // MARK: Rows

  /// The number of rows that were added, and of those that are to be.
  var counts: (done: Int64, all: Int64) {
    steps.filter { $0.kind == .rows }.reduce((0, 0)) { ($0.0 + $1.done, $0.1 + $1.count) }
  }

  /// Writes what is left, each batch in a transaction of its own.
  func perform(batchSize: Int64, verifies: Bool) throws(DecantError) {
    for number in steps.indices {
      while steps[number].done < steps[number].count {
        guard !connection.isStopped() else { throw DecantError(.interrupted, "the operation was interrupted") }
        let last = min(steps[number].done + batchSize, steps[number].count)
        let missing = try repeating { () throws(DecantError) in
          var missing: Int64 = 0
          try connection.transaction { () throws(DecantError) in
            try write(steps[number], number, upTo: last, verifies, &missing)
          } explaining: { error in
            server.error(error, "cannot commit a batch")
          }
          return missing
        }
        steps[number].done = last
        guard missing > 0 else { continue }
        notes.append(
          ReportNote(
            .changedMeanwhile,
            "\(missing.counted("row")) of \(steps[number].table) did not get a link: other programs have deleted "
              + "\(missing == 1 ? "it" : "them") since, or given \(missing == 1 ? "it" : "them") another"))
      }
    }
  }

  /// Runs a transaction again if the server ends it because of others, at most ten times.
  private func repeating(_ body: () throws(DecantError) -> Int64) throws(DecantError) -> Int64 {
    for _ in 1..<10 {
      do throws(DecantError) { return try body() } catch {
        guard let state = (error.cause as? PostgresError)?.state, ["40001", "40P01"].contains(state) else {
          throw error
        }
        Files.pause(milliseconds: UInt32.random(in: 20...100))
      }
    }
    return try body()
  }

  /// Writes one batch of a step, and notes it, in an open transaction; adds to `missing` the links that were not written.
  private func write(_ step: Step, _ number: Int, upTo last: Int64, _ verifies: Bool, _ missing: inout Int64)
    throws(DecantError)
  {
    let isNext = try server.explaining("cannot note a batch") { () throws(PostgresError) in
      try connection.run(
        "UPDATE \(progress) SET done = $3::bigint WHERE number = $1::bigint AND done = $2::bigint",
        [String(number), String(step.done), String(last)])
    }
    guard isNext == 1 else {
      throw DecantError(
        .storeLocked, "another process continues this run", place: "\(server.place)", remedy: "let it finish",
        remedies: [])
    }
    let window = [String(step.done + 1), String(last)]
    let count = last - step.done
    switch step.kind {
    case .constraint:
      try TableLock(server, connection, []).take(by: step.statement, "cannot restore the foreign keys of \(step.table)")
    case .links:
      let written = try server.explaining("cannot write links of \(step.table)") { () throws(PostgresError) in
        try connection.run(step.statement, window)
      }
      missing += count - written
    case .rows:
      let remedy: DecantError.Text =
        "change what refuses them, such as a row that another program has added since, then \(.again(with: .resume))"
      let written: Int64
      do throws(PostgresError) { written = try connection.run(step.statement, window) } catch {
        throw server.error(
          error, "cannot add rows to \(step.table)", remedy: error.isOfRow ? remedy : nil)
      }
      var same = written
      if verifies, written == count, let proof = step.proof {
        let text = try server.explaining("cannot read the rows of \(step.table) again") { () throws(PostgresError) in
          try connection.text(proof, window)
        }
        same = text.flatMap { Int64($0) } ?? 0
      }
      guard same == count else {
        throw DecantError(
          .proofFailed,
          "\((count - same).counted("row")) of \(step.table) \(count - same == 1 ? "is" : "are") not on the server as "
            + "written: look for triggers and rules of this table",
          place: "\(server.place)",
          remedy: remedy
        )
      }
    }
  }

  // MARK: The end

  /// Drops the record, when everything about the run is complete, and lets other runs continue.
  func drop() throws(DecantError) {
    // A request to stop comes too late.
    connection.allowLastStatements()
    try server.explaining("cannot drop the schema \(place)") { () throws(PostgresError) in
      _ = try connection.run("DROP SCHEMA IF EXISTS \(ServerNames.quoted(place)) CASCADE")
    }
    try TableLock.release(server, connection)
  }

  /// Restores the constraints and drops the record, in the transaction that deletes the added rows.
  func discard() throws(DecantError) {
    for step in steps where step.kind == .constraint && step.done == 0 {
      try server.explaining("cannot restore the foreign keys of \(step.table)") { () throws(PostgresError) in
        _ = try connection.run(step.statement)
      }
    }
    try server.explaining("cannot drop the schema \(place)") { () throws(PostgresError) in
      _ = try connection.run("DROP SCHEMA \(ServerNames.quoted(place)) CASCADE")
    }
  }

  /// The error for another run that finds this one unfinished.
  func unfinished() throws(DecantError) -> DecantError {
    let source = try value("source").map { " of \($0)" } ?? ""
    let (done, all) = counts
    return DecantError(
      .storeLocked,
      "a run\(source) into the schema \(server.schema) was interrupted: \(done) of \(all.counted("row")) were added",
      place: "\(server.place)",
      remedy: "complete it by its own command with \(say: .resume), or undo it with "
        + "\(command: "rollback", app: "a rollback")"
        + "; after DROP SCHEMA \(place) CASCADE its rows stay, without links and foreign keys that it had still to write",
      remedies: []
    )
  }

  /// Returns the error that ended this run, with what is on the server.
  func told(_ error: DecantError) -> DecantError {
    var told = error
    let (done, all) = counts
    told.tell(
      "\(done) of \(all.counted("row")) were added, and stay; \(command: "rollback", app: "a rollback") deletes them")
    if told.advice == nil { told.advice = "\(.again(with: .resume)) to continue after the last batch" }
    told.canBeResumed()
    return told
  }
}
