internal import DecantBase
internal import DecantJSON
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
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
  var steps: [Step] = []
  /// Whether every row is there and only files and the record are left.
  private(set) var isComplete = false
  var notes: [ReportNote] = []

  /// The beginning of the names of such schemas.
  static let prefix = "decant_batch_"
  /// The form of the record, the key of that form, and the key that only a complete run has.
  private static let (form, formKey, completeKey) = ("2", "form", "complete")
  private var about: String { qualified("decant_run") }
  var progress: String { qualified("decant_step") }

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
    /// The statement; for rows and links it ends with a condition, to which that for the rows `u` of a batch is added.
    let statement: String
    /// The column with the numbers of the rows `u`, from 1; `nil` for a constraint.
    var position: String?
    /// The rows `u` of the record, each with the row `t` of the table that has its key, as the content of a FROM clause;
    /// `nil` if the table has no key.
    var pairs: String?
    /// The condition that `t` has the values that were sent.
    var isSame: String?
    /// For links: the copied values of `t` that must stay as they are, as a text; `nil` if there are none.
    var others: String?
    /// The queries for rows `u` that another program has added since; empty if such rows are an error.
    var matches: [String] = []
    /// The columns of the key of the table.
    var key: [String] = []
    /// For links of existing rows: each column, and its former value.
    var former: [[String]] = []
    let count: Int64
    var done: Int64 = 0
    /// The number of those among them that others have added.
    var matched: Int64 = 0

    /// Returns the condition that the row `u` is one of those from `first` to `last`.
    func isIn(_ first: Int64, _ last: Int64) -> String {
      "u.\(ServerNames.quoted(position ?? "")) BETWEEN \(first) AND \(last)"
    }
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
        CREATE TABLE \(run.progress) (number bigint PRIMARY KEY, kind text NOT NULL, name text NOT NULL, relation oid,
          statement text NOT NULL, position text, pairs text, is_same text, others text, matches text NOT NULL, key text NOT NULL,
          former text NOT NULL, count bigint NOT NULL, done bigint NOT NULL DEFAULT 0, matched bigint NOT NULL DEFAULT 0)
        """)
      for (key, value) in (values.merging([formKey: form]) { $1 }).sorted(by: { $0.key < $1.key }) {
        try connection.run("INSERT INTO \(run.about) VALUES ($1, $2)", [key, value])
      }
      try connection.run(
        "INSERT INTO \(run.about) VALUES ($1, pg_catalog.current_setting('search_path'))", [searchPath])
    }
    return run
  }

  /// The key of the search path with which the statements were written.
  private static let searchPath = "search path"

  /// Adds a step, in the same transaction.
  func add(_ step: Step) throws(DecantError) {
    let number = String(steps.count)
    steps.append(step)
    try server.explaining("cannot record the rows") { () throws(PostgresError) in
      _ = try connection.run(
        "INSERT INTO \(progress) VALUES ($1, $2, $3, $4::pg_catalog.regclass, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        [
          number, step.kind.rawValue, step.table,
          ServerStatements(place: server.schema).qualified(step.table), step.statement, step.position, step.pairs,
          step.isSame, step.others,
          BatchRun.list(step.matches).text, BatchRun.list(step.key).text,
          JSONValue.array(step.former.map { BatchRun.list($0) }).text, String(step.count),
        ])
    }
  }

  /// Returns the run that changes the schema of `server` and whose record is there, unfinished or just completed; `nil`
  /// if there is none.
  ///
  /// - Throws: `DecantError` of the family `.storeBusy` if it is that of another role, whose statements are not run; of
  ///   the code `.damaged` if the record cannot be read.
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
    guard try value(BatchRun.formKey) == BatchRun.form else {
      throw damaged("was written by another version of decant: use that one to complete or undo the run")
    }
    isComplete = try value(BatchRun.completeKey) != nil
    let rows = try server.explaining("cannot read the record of an unfinished run") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT number, kind, name, statement, position, pairs, is_same, count, done, matched, matches, key, former, others
        FROM \(progress) ORDER BY number
        """)
    }
    steps = try rows.enumerated().map { index, row throws(DecantError) in
      guard row[0] == String(index), let kind = row[1].flatMap({ Step.Kind(rawValue: $0) }), let name = row[2],
        let statement = row[3], kind == .constraint || row[4] != nil, let count = row[7].flatMap({ Int64($0) }),
        let done = row[8].flatMap({ Int64($0) }), 0...count ~= done, let matched = row[9].flatMap({ Int64($0) }),
        let matches = BatchRun.names(row[10]), let key = BatchRun.names(row[11]),
        let former = BatchRun.lists(row[12])
      else { throw damaged("cannot be read: its step \(index) is not valid") }
      var step = Step(
        kind: kind, table: name, statement: statement, position: row[4], pairs: row[5], isSame: row[6],
        others: row[13], matches: matches, key: key, former: former, count: count)
      (step.done, step.matched) = (done, matched)
      return step
    }
  }

  /// Returns the error for a record that cannot be used; `what` continues a sentence about it.
  func damaged(_ what: String) -> DecantError {
    DecantError(
      .damaged,
      "the record \(place) of a run into the schema \(server.schema) \(what)",
      place: "\(server.place)",
      remedy: "nothing was changed; a backup of the database may have it whole"
    )
  }

  /// Returns a value of the record.
  func value(_ key: String) throws(DecantError) -> String? {
    try server.explaining("cannot read the record of an unfinished run") { () throws(PostgresError) in
      try connection.text("SELECT value FROM \(about) WHERE key = $1", [key])
    }
  }

  /// Sets the search path with which the statements were written, and throws if they are about other tables by now.
  func prepareToContinue() throws(DecantError) {
    let path = try value(BatchRun.searchPath)
    let other = try server.explaining("cannot read the record of an unfinished run") { () throws(PostgresError) in
      try connection.run("SELECT pg_catalog.set_config('search_path', $1, false)", [path ?? ""])
      return try connection.rows(
        """
        SELECT name FROM \(progress) WHERE relation IS DISTINCT FROM pg_catalog.to_regclass(
          pg_catalog.quote_ident($1) || '.' || pg_catalog.quote_ident(name))::pg_catalog.oid LIMIT 1
        """, [server.schema]
      ).first?[0]
    }
    guard let other else { return }
    throw DecantError(
      .modelsDiffer,
      "the table \(other) is another one than when the run began, or is gone",
      place: "\(server.place)",
      remedy:
        "give the former table its name again; or delete the rows of the run by hand, and then the record with DROP SCHEMA "
        + "\(place) CASCADE, which also has links and foreign keys that are still to be written"
    )
  }

  /// Throws if a run other than `run` changes tables of the database, or was interrupted.
  static func checkIsAlone(_ server: Server, _ connection: PostgresConnection, besides run: BatchRun? = nil)
    throws(DecantError)
  {
    let other = try server.explaining("cannot look for other runs") { () throws(PostgresError) in
      try connection.text(
        """
        SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname ~ '^\(prefix)[0-9a-f]{16}$' AND nspname <> $1
        UNION ALL SELECT 1 FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_database AS d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND l.classid::text = '\(TableLock.family)' AND l.granted
          AND d.datname = pg_catalog.current_database() AND l.pid <> pg_catalog.pg_backend_pid() LIMIT 1
        """, [run?.place ?? ""])
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

  // MARK: The end

  /// Records that all rows are there, in the last transaction.
  func markComplete() throws(DecantError) {
    try server.explaining("cannot end the run") { () throws(PostgresError) in
      _ = try connection.run("INSERT INTO \(about) VALUES ($1, '')", [BatchRun.completeKey])
    }
    isComplete = true
  }

  /// Advances sequences beyond the numbers of the rows: others may have set them back.
  func advanceSequences() throws(DecantError) {
    let (catalog, keys) = (try ServerCatalog(server, connection), KeyRanges(server, connection))
    for (number, step) in steps.enumerated() where step.kind == .rows {
      let rows = recordTable(number)
      let columns = try types(of: rows)
      for (name, column) in catalog.tables[step.table]?.columns ?? [:] where columns[name] != nil {
        guard let sequence = column.sequence else { continue }
        let highest = try server.explaining("cannot read the record") { () throws(PostgresError) in
          try connection.text(
            "SELECT max(u.\(ServerNames.quoted(name))) FROM \(rows) AS u WHERE u.\(ServerNames.quoted(name)) <= \(sequence.limit)"
          )
        }
        if let highest = highest.flatMap({ Int64($0) }) { try keys.advance(sequence, beyond: highest) }
      }
    }
  }

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
        + "\(command: "rollback", app: "a rollback")",
      remedies: []
    )
  }

  /// Returns the error that ended this run, with what is on the server.
  func withProgress(_ error: DecantError) -> DecantError {
    var error = error
    let (done, all) = counts
    error.tell(
      isComplete
        ? "all of \(all.counted("row")) are there"
        : "\(done) of \(all.counted("row")) were added, and stay; \(command: "rollback", app: "a rollback") deletes them"
    )
    if !error.remedies.contains(.resume) {
      error.advice =
        (error.cause as? PostgresError)?.isOfConnection == true
        ? "\(.again(with: .resume)) when the server answers, to continue after the last batch"
        : error.advice.map { "\($0), then \(.again(with: .resume))" }
          ?? "\(.again(with: .resume)) to continue after the last batch"
    }
    error.canBeResumed()
    return error
  }
}
