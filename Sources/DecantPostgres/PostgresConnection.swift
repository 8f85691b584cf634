internal import CDecantPostgres
internal import DecantSystem

/// A connection to a PostgreSQL server, owned by one task.
package final class PostgresConnection {
  let handle: OpaquePointer
  /// Called from time to time while the server works; if it returns true, the statement is cancelled.
  package var isStopped: () -> Bool = { false }
  /// The time at which waiting for the running statement ends.
  private var end: ContinuousClock.Instant?
  /// The time at which a statement that is still running asks for which sessions it waits; `nil` if it has asked.
  private var inquiry: ContinuousClock.Instant?
  /// The waiting time after which a statement asks for which sessions it waits: before `lock_timeout` ends it.
  package var timeBeforeInquiry = Duration.seconds(8)
  /// The sessions for which the running statement waited.
  private var holders: String?
  /// What the server can do; everything, unless it was asked.
  package var abilities = ServerAbilities()
  /// The parameters, for asking on another connection.
  private let pairs: [(String, String)]
  /// Whether these are the last statements, each of which may take at most ten seconds.
  private var isEnding = false
  /// Whether the server failed to answer in time, so that no more requests are sent.
  private var isGivenUp = false
  /// The request to end the last statement, if there was one.
  private var cancellation: CancelRequest?

  /// The search path set by the role, the database or the user.
  private var sessionPath = ""

  /// The settings of every session, regardless of those of the role or the database.
  private static let settings = [
    "client_encoding=UTF8", "DateStyle=ISO", "TimeZone=UTC", "IntervalStyle=iso_8601", "extra_float_digits=3",
    "standard_conforming_strings=on", "search_path=pg_catalog", "bytea_output=hex", "lock_timeout=10s",
    // The catalog's texts of types and expressions are compared.
    "quote_all_identifiers=off",
    // Both sessions of a copy change the record of their run, one after the other.
    "default_transaction_isolation=read committed",
    // Rows hidden by a policy must cause an error, and not be missing silently.
    "row_security=off",
  ]

  /// Connects to the server and the database that `parameters` name; libpq completes them from its environment.
  package init(_ parameters: PostgresParameters) throws(PostgresError) {
    var pairs = parameters.pairs
    pairs.append(("client_encoding", "UTF8"))
    for (name, value) in [
      ("fallback_application_name", "decant"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
      ("tcp_user_timeout", "60000"),
    ] where !pairs.contains(where: { $0.0 == name }) {
      pairs.append((name, value))
    }
    self.pairs = pairs
    handle = try PostgresConnection.open(pairs)
    let process = PQbackendPID(handle)
    if try text("SELECT pg_catalog.pg_backend_pid()") != String(process) { try checkPooler(pairs) }
    let settings = PostgresConnection.settings.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let calls = settings.indices.map { "pg_catalog.set_config($\(2 * $0 + 1), $\(2 * $0 + 2), false)" }
    sessionPath =
      try text(
        "SELECT pg_catalog.current_setting('search_path'), \(calls.joined(separator: ", "))", settings.flatMap { $0 })
      ?? ""
    // One of two sessions is idle while rows are read; not every server has each of these settings.
    try run(
      """
      SELECT pg_catalog.set_config(name, CASE name WHEN 'array_nulls' THEN 'on' ELSE '0' END, false)
      FROM pg_catalog.pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'idle_session_timeout',
        'transaction_timeout', 'array_nulls')
      """)
    // Its text depends on the settings, and other sessions compare it.
    session = try text(
      "SELECT backend_start FROM pg_catalog.pg_stat_activity WHERE pid = pg_catalog.pg_backend_pid() AND pid = $1::int4",
      [String(process)]
    ).map { Session(process: process, start: $0) }
  }

  /// Makes a connection without settings, whose statements may take at most ten seconds each.
  private init(bare pairs: [(String, String)]) throws(PostgresError) {
    self.pairs = pairs
    handle = try PostgresConnection.open(pairs)
    isEnding = true
  }

  private static func open(_ pairs: [(String, String)]) throws(PostgresError) -> OpaquePointer {
    let names = CStrings(pairs.map(\.0))
    let values = CStrings(pairs.map(\.1))
    guard let handle = PQconnectdbParams(names.pointer, values.pointer, 0) else {
      throw PostgresError(state: nil, message: "out of memory")
    }
    decant_pq_silence(handle)
    guard PQstatus(handle) == CONNECTION_OK else {
      defer { PQfinish(handle) }
      throw PostgresError(handle, nil)
    }
    return handle
  }

  /// Refuses a pooler that gives a session to another client after each transaction.
  ///
  /// Settings would be lost, such as the one by which hidden rows are an error, and would stay in the sessions of other
  /// programs. A second connection sees whether it gets the session of this one, several times as others may be faster.
  private func checkPooler(_ pairs: [(String, String)]) throws(PostgresError) {
    for _ in 0..<5 {
      let mark = String(UInt64.random(in: 1...UInt64.max))
      try run("SELECT pg_catalog.set_config('decant.session', $1, false)", [mark])
      let seen: String?
      do throws(PostgresError) {
        let other = try PostgresConnection(bare: pairs)
        try other.run("BEGIN")
        seen = try other.text("SELECT pg_catalog.current_setting('decant.session', true)")
        if seen == mark { try other.run("SELECT pg_catalog.set_config('decant.session', '', false)") }
        try other.run("COMMIT")
      } catch {
        // A pool of one session that is kept has none for a second client.
        return
      }
      guard seen != mark else {
        throw PostgresError(
          state: "0A000",
          message:
            "the connection goes through a pooler that gives its sessions to other clients after each transaction, as "
            + "PgBouncer does with pool_mode = transaction; connect to the server itself, or to a pool of whole sessions"
        )
      }
    }
  }

  deinit {
    // A server that receives nothing does not receive the end of the session, either.
    if isGivenUp { PQsetnonblocking(handle, 1) }
    PQfinish(handle)
  }

  /// The server's process for a connection.
  package struct Session: Sendable {
    fileprivate let process: Int32
    /// Its start time according to the server: a later process may have the same number.
    fileprivate let start: String
  }

  /// The server's process for this connection; `nil` behind a connection pooler.
  package private(set) var session: Session?

  /// Ends sessions of the same role whose connections were lost, if the server has not noticed.
  package func end(_ sessions: [Session]) throws(PostgresError) {
    for session in sessions {
      try run(
        """
        SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
        WHERE pid = $1::pg_catalog.int4 AND backend_start::pg_catalog.text = $2
        """, [String(session.process), session.start])
    }
  }

  /// The role, host, port and database of the connection.
  package var user: String { String(cString: PQuser(handle)) }
  package var host: String { PQhost(handle).map { String(cString: $0) } ?? "" }
  package var port: String { PQport(handle).map { String(cString: $0) } ?? "" }
  package var database: String { String(cString: PQdb(handle)) }
  /// Whether the connection is encrypted.
  package var isEncrypted: Bool { PQsslInUse(handle) == 1 }
  /// Whether the server runs on this machine, behind a socket or a loopback address.
  package var isLocal: Bool {
    let address = PQhostaddr(handle).map { String(cString: $0) } ?? ""
    return host.hasPrefix("/") || host.hasPrefix("@") || address.hasPrefix("127.") || address == "::1"
  }

  /// Sets the search path of the session, by which functions of the database, such as triggers, resolve names.
  package func useSearchPath() throws(PostgresError) {
    try run("SELECT pg_catalog.set_config('search_path', $1, false)", [sessionPath])
  }

  /// Runs one statement to its end; returns the number of affected rows.
  @discardableResult
  package func run(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> Int64 {
    let result = try perform(sql, parameters)
    defer { PQclear(result) }
    return PQcmdTuples(result).flatMap { Int64(String(cString: $0)) } ?? 0
  }

  /// Returns the rows of a query as texts.
  package func rows(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> [[String?]] {
    let result = try perform(sql, parameters)
    defer { PQclear(result) }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  /// Returns the first column of the first row as text; `nil` if there is none.
  package func text(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> String? {
    try rows(sql, parameters).first?.first ?? nil
  }

  /// Runs several statements in one request, up to the first that fails; returns the first value of the last one's
  /// rows as text.
  func text(ofAll statements: [String]) throws(PostgresError) -> String? {
    try start()
    guard PQsendQuery(handle, statements.joined(separator: ";\n")) == 1 else { throw PostgresError(handle, nil) }
    var result = try lastResult()
    if PQresultStatus(result) == PGRES_COPY_OUT {
      PQclear(result)
      while !skipRows() { try receive() }
      result = try lastResult()
    }
    defer { PQclear(result) }
    guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
    return String(cString: PQgetvalue(result, 0, 0))
  }

  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
  package func transaction<Failure: Error>(
    _ begin: String = "BEGIN",
    _ body: () throws(Failure) -> Void,
    explaining: (PostgresError) -> Failure
  ) throws(Failure) {
    do throws(PostgresError) { try run(begin) } catch { throw explaining(error) }
    do throws(Failure) {
      try body()
    } catch {
      // The server has already rolled back a lost connection.
      _ = try? run("ROLLBACK")
      throw error
    }
    do throws(PostgresError) { try run("COMMIT") } catch { throw explaining(error) }
  }

  private func perform(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> OpaquePointer? {
    try start()
    let values = CStrings(parameters)
    guard
      PQsendQueryParams(handle, sql, Int32(clamping: parameters.count), nil, values.pointer, nil, nil, 0) == 1
    else { throw PostgresError(handle, nil) }
    return try lastResult()
  }

  /// Waits for the results of a request; returns the last one, which the caller clears.
  func lastResult() throws(PostgresError) -> OpaquePointer? {
    var last: OpaquePointer?
    var failure: PostgresError?
    while true {
      try wait()
      guard let result = PQgetResult(handle) else { break }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        PQclear(last)
        last = result
      case PGRES_COPY_IN, PGRES_COPY_OUT:
        PQclear(last)
        return result
      default:
        // The first error is the cause of all others.
        failure = failure ?? PostgresError(handle, result)
        if failure?.isLockTimeout == true { failure?.holders = holders }
        PQclear(result)
        if PQstatus(handle) == CONNECTION_BAD {
          PQclear(last)
          throw failure ?? PostgresError(handle, nil)
        }
      }
    }
    if let failure {
      PQclear(last)
      throw failure
    }
    return last
  }

  /// Allows the following statements to run although a stop was requested, each for at most ten seconds.
  package func allowLastStatements() {
    isStopped = { false }
    isEnding = true
  }

  /// Waits until a request to cancel the previous statement can no longer affect the next one.
  private func start() throws(PostgresError) {
    if let cancellation, !isGivenUp { isGivenUp = !cancellation.settle() }
    cancellation = nil
    guard !isGivenUp else { throw PostgresConnection.silence }
    end = isEnding ? .now + .seconds(10) : nil
    inquiry = isEnding ? nil : .now + timeBeforeInquiry
    holders = nil
  }

  private static let silence = PostgresError(state: "08006", message: "the server does not answer")

  /// Waits until the next result can be read.
  private func wait() throws(PostgresError) { while PQisBusy(handle) == 1 { try receive() } }

  /// Waits briefly for data from the server; a stop request cancels the statement.
  ///
  /// Throws if the server does not end a cancelled statement within ten seconds, as it may be unreachable.
  func receive() throws(PostgresError) {
    var poll = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    let count = DecantSystem.poll(&poll, 1, 200)
    if count > 0, PQconsumeInput(handle) == 0 { throw PostgresError(handle, nil) }
    guard count <= 0 else { return }
    if let time = inquiry, .now > time {
      inquiry = nil
      holders = session.flatMap { try? findHolders($0) }
    }
    if let end, .now > end {
      isGivenUp = true
      throw PostgresConnection.silence
    }
    guard end == nil, isStopped() else { return }
    end = .now + .seconds(10)
    cancel()
  }

  /// Asks on another connection for which sessions the running statement of `session` waits; `nil` for none.
  private func findHolders(_ session: Session) throws(PostgresError) -> String? {
    let limit = pairs.contains { $0.0 == "connect_timeout" } ? [] : [("connect_timeout", "5")]
    let names = try PostgresConnection(bare: pairs + limit).rows(
      """
      SELECT DISTINCT b.pid, coalesce(nullif(a.application_name, ''), a.backend_type), a.usename
      FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids($1::pg_catalog.int4)) AS b (pid)
      LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = b.pid ORDER BY b.pid LIMIT 4
      """, [String(session.process)]
    ).map { row in
      guard let pid = row[0], pid != "0" else { return "a prepared transaction" }
      let details = [row[1], row[2].map { "role \($0)" }].compactMap(\.self).joined(separator: ", ")
      return "process \(pid)\(details.isEmpty ? "" : " (\(details))")"
    }
    guard !names.isEmpty else { return nil }
    return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and others" : "")
  }

  /// Begins a COPY, after which the server must be in `state`; `refusal` is the error message if it is not.
  func beginCopy(_ sql: String, _ state: ExecStatusType, _ refusal: String) throws(PostgresError) {
    try start()
    guard PQsendQuery(handle, sql) == 1 else { throw PostgresError(handle, nil) }
    let result = try lastResult()
    defer { PQclear(result) }
    guard PQresultStatus(result) == state else { throw PostgresError(state: nil, message: refusal) }
  }

  /// Begins a query whose rows arrive one by one, with binary values.
  func beginRows(_ sql: String) throws(PostgresError) {
    try start()
    guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1, PQsetSingleRowMode(handle) == 1 else {
      throw PostgresError(handle, nil)
    }
  }

  /// Ends a running statement, even a COPY, without its results; gives up after ten seconds if there is no answer.
  func drain(cancelling: Bool = false) {
    let end = ContinuousClock.now + .seconds(10)
    if cancelling { cancel() }
    while !isGivenUp, PQflush(handle) >= 0 {
      if PQisBusy(handle) == 0 {
        guard let result = PQgetResult(handle) else { break }
        let status = PQresultStatus(result)
        PQclear(result)
        if status == PGRES_COPY_IN { PQputCopyEnd(handle, "stopped") }
        if status != PGRES_COPY_OUT || skipRows() { continue }
      }
      var poll = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      guard DecantSystem.poll(&poll, 1, 200) <= 0 || PQconsumeInput(handle) == 1 else { break }
      isGivenUp = .now > end
    }
    PQsetnonblocking(handle, 0)
  }

  /// Skips rows that have arrived; returns whether they have ended.
  private func skipRows() -> Bool {
    while true {
      var row: UnsafeMutablePointer<CChar>?
      let count = PQgetCopyData(handle, &row, 1)
      PQfreemem(row)
      if count <= 0 { return count < 0 }
    }
  }

  /// Whether a transaction is open that can be ended.
  package var isInTransaction: Bool {
    [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
  }

  /// Asks the server to end the running statement.
  private func cancel() {
    guard !isGivenUp, cancellation == nil, PQtransactionStatus(handle) == PQTRANS_ACTIVE else { return }
    cancellation = CancelRequest(handle)
  }
}

/// An array of C strings that ends with NULL.
private final class CStrings {
  private var copies: [UnsafeMutablePointer<CChar>?]
  let pointer: UnsafeMutablePointer<UnsafePointer<CChar>?>

  init(_ texts: [String?]) {
    copies = texts.map { $0.map { strdup($0) } ?? nil }
    pointer = .allocate(capacity: texts.count + 1)
    for (index, copy) in copies.enumerated() { (pointer + index).initialize(to: copy.map { UnsafePointer($0) }) }
    (pointer + texts.count).initialize(to: nil)
  }

  deinit {
    for copy in copies { free(copy) }
    pointer.deallocate()
  }
}
