internal import DecantBase
internal import DecantPostgres
internal import DecantStore

/// A lock that prevents others from writing to tables, until the end of the transaction.
struct TableLock {
  private let server: Server
  private let connection: PostgresConnection
  private let names: [String]

  init(_ server: Server, _ connection: PostgresConnection, _ names: [String]) {
    (self.server, self.connection, self.names) = (server, connection, names)
  }

  /// The first number of the advisory locks of runs that change tables; the second is that of the schema.
  static let family = "1684366190"
  /// The maximum total waiting time for the lock, in seconds.
  static let limit = 10.0

  /// Begins the transaction and takes the lock.
  ///
  /// Runs of decant wait for each other before they request the tables. All later writers have to wait behind a waiting
  /// request, which may also be part of a deadlock with an app that writes to the tables in another order; the server
  /// would then end either of them. So a request waits for only a fifth of a second and is repeated: an app's session
  /// checks for deadlocks only after a whole second.
  func take() throws(DecantError) {
    let list = names.map { "\(ServerNames.quoted(server.schema)).\(ServerNames.quoted($0))" }.joined(separator: ", ")
    let context = "cannot lock the tables"
    try keepAsking(
      "LOCK TABLE \(list) IN SHARE ROW EXCLUSIVE MODE", context, endingWith: "ROLLBACK"
    ) { () throws(DecantError) in
      try run("BEGIN", context)
      try waitForOthers()
    }
  }

  /// Runs a statement of the transaction that takes a lock, waiting for it in the same way.
  func take(by sql: String, _ context: String) throws(DecantError) {
    try run("SAVEPOINT decant_lock", context)
    try keepAsking(sql, context, endingWith: "ROLLBACK TO SAVEPOINT decant_lock") { () throws(DecantError) in }
    try run("RELEASE SAVEPOINT decant_lock", context)
  }

  /// Takes the lock against other runs of decant until it is released or the connection ends, and not only until the end
  /// of the transaction; waits for them.
  static func hold(_ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    try TableLock(server, connection, []).waitForOthers(by: "pg_try_advisory_lock")
  }

  /// Releases the lock that `hold` took.
  static func release(_ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    try server.explaining("cannot let other runs continue") { () throws(PostgresError) in
      _ = try connection.run(
        "SELECT pg_catalog.pg_advisory_unlock(\(family), oid::integer) FROM pg_catalog.pg_namespace WHERE nspname = $1",
        [server.schema])
    }
  }

  private func run(_ sql: String, _ context: String) throws(DecantError) {
    try server.explaining(context) { () throws(PostgresError) in _ = try connection.run(sql) }
  }

  /// Runs a request until it is granted; `prepare` comes before each attempt, and the statement `end` after a refused
  /// one.
  private func keepAsking(
    _ request: String,
    _ context: String,
    endingWith end: String,
    prepare: () throws(DecantError) -> Void
  ) throws(DecantError) {
    var waited = 0.0
    while true {
      try prepare()
      let start = ContinuousClock.now
      do throws(PostgresError) {
        // The last request waits long enough for asking who holds the lock.
        let isLast = waited > TableLock.limit - 0.8
        try connection.run("SET LOCAL lock_timeout = '\(isLast ? 800 : 200)ms'")
        connection.timeBeforeInquiry = .milliseconds(isLast ? 100 : 8_000)
        defer { connection.timeBeforeInquiry = .seconds(8) }
        try connection.run(request)
        try connection.run("SET LOCAL lock_timeout = '10s'")
        return
      } catch {
        let time = (ContinuousClock.now - start).components
        waited += Double(time.seconds) + Double(time.attoseconds) / 1e18
        guard error.state == "40P01" || error.state == "55P03", waited < TableLock.limit else {
          throw server.error(error, context)
        }
        try checkStop()
        try run(end, context)
        // A random pause avoids collisions with others that do the same.
        Files.pause(milliseconds: UInt32.random(in: 20...100))
      }
    }
  }

  private func waitForOthers(by function: String = "pg_try_advisory_xact_lock") throws(DecantError) {
    let start = ContinuousClock.now
    while true {
      let isFree = try server.explaining("cannot wait for other runs") { () throws(PostgresError) in
        try connection.text(
          """
          SELECT pg_catalog.\(function)(\(TableLock.family), oid::integer)
          FROM pg_catalog.pg_namespace WHERE nspname = $1
          """,
          [server.schema]
        )
      }
      if isFree == "t" { return }
      try checkStop()
      if ContinuousClock.now - start > .seconds(TableLock.limit) { try checkIsShort() }
      Files.pause(milliseconds: 100)
    }
  }

  /// Throws if the lock is held by a run that adds rows in batches, and not until the end of a transaction.
  private func checkIsShort() throws(DecantError) {
    let holder = try server.explaining("cannot look for other runs") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT l.pid, nullif(a.application_name, '') FROM pg_catalog.pg_locks AS l
        JOIN pg_catalog.pg_database AS d ON d.oid = l.database AND d.datname = pg_catalog.current_database()
        JOIN pg_catalog.pg_namespace AS n ON n.nspname = $1 AND n.oid = l.objid
        LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.classid::text = '\(TableLock.family)' AND l.granted AND EXISTS (
          SELECT FROM pg_catalog.pg_namespace AS b WHERE b.nspname ~ '^\(BatchRun.prefix)[0-9a-f]{16}$'
            AND pg_catalog.obj_description(b.oid, 'pg_namespace') = $1)
        """, [server.schema]
      ).first
    }
    guard let holder else { return }
    let name = holder[1].map { " (\($0))" } ?? ""
    throw DecantError(
      .storeLocked,
      "the session \(holder[0] ?? "")\(name) is adding rows to the schema \(server.schema) in batches",
      place: "\(server.place)",
      remedy:
        "wait for it; if its process is gone, end the session with SELECT pg_terminate_backend(\(holder[0] ?? ""))",
      remedies: []
    )
  }

  private func checkStop() throws(DecantError) {
    guard !connection.isStopped() else { throw DecantError(.interrupted, "the operation was interrupted") }
  }
}
