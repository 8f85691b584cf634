internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantPostgres
internal import DecantServerSchema
internal import DecantStore
internal import Synchronization

/// The record of an unfinished copy, in the schema in which its tables are built.
///
/// Its table `decant_run` holds the circumstances, and the token of the process that may continue: a process that
/// resumes the copy enters its own, so that one which only seemed dead cannot continue. A working process holds the
/// advisory lock of its token. `decant_checkpoint` holds the number of rows in each table, updated in their
/// transactions.
final class ServerRun {
  let server: Server
  let connection: PostgresConnection
  /// The schema.
  let place: String
  /// The schema of the tables: without atomic DDL they cannot be moved when they are complete.
  var tablesPlace: String { isVisible ? server.schema : place }
  /// Whether others can see the tables while they are filled.
  var isVisible: Bool { !server.abilities.has(.atomicDDL) }
  let token: Int64
  /// The token of this process after a lost connection, which may be lost after the token was entered.
  private let successor = Int64.random(in: 1...Int64.max)
  /// Whether another process has taken the run over.
  var isLost: Bool { lost.load(ordering: .relaxed) }
  /// Atomic, as two threads may detect it.
  private let lost = Atomic(false)

  /// The beginning of the names of schemas in which tables are built.
  static let prefix = "decant_build_"
  private var run: String { "\(ServerNames.quoted(place)).decant_run" }
  private var checkpoint: String { "\(ServerNames.quoted(place)).decant_checkpoint" }

  /// Completed work other than rows, as recorded in `decant_run`.
  enum Milestone {
    /// A table has its keys and indexes.
    case keys(table: String)
    /// An index was left out because values are too large for it.
    case noIndex(String)
    /// The tables also have their references, which are not checked.
    case references
    /// The references were checked.
    case complete

    /// The key of the record.
    var key: String {
      switch self {
      case .keys(let table): "keys of \(table)"
      case .noIndex(let name): "no index \(name)"
      case .references: "references"
      case .complete: "complete"
      }
    }
  }

  // MARK: Beginning and finding

  /// Names a new run, and locks its token; `last` is an earlier one of this process, which continues it.
  init(
    _ server: Server,
    _ connection: PostgresConnection,
    resuming place: String? = nil,
    after last: ServerRun? = nil
  ) throws(DecantError) {
    (self.server, self.connection) = (server, connection)
    token = last?.successor ?? Int64.random(in: 1...Int64.max)
    self.place = place ?? ServerRun.prefix + String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16)
    let key = String(token)
    try server.explaining("cannot lock the new tables") { () throws(PostgresError) in
      _ = try connection.run("SELECT pg_catalog.pg_advisory_lock($1)", [key])
    }
  }

  /// An unfinished copy to the schema of a server.
  struct LeftOver {
    let place: String
    fileprivate let token: String
    /// Whether its tables are in the schema, where others see them.
    let isVisible: Bool
  }

  /// Returns the unfinished copies of this role to the schema of `server`.
  static func leftOvers(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> [LeftOver] {
    try server.explaining("cannot look for unfinished copies") { () throws(PostgresError) in
      let names = try connection.rows(
        """
        SELECT n.nspname FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid
        WHERE n.nspname ~ '^decant_build_[0-9a-f]{16}$' AND c.relname = 'decant_run'
          AND pg_catalog.pg_has_role(n.nspowner, 'USAGE') ORDER BY n.oid
        """
      ).compactMap { $0[0] }
      var found: [LeftOver] = []
      for name in names {
        let row: [String?]?
        do throws(PostgresError) {
          row = try connection.rows(
            """
            SELECT max(value) FILTER (WHERE key = 'token'), max(value) FILTER (WHERE key = 'visible')
            FROM \(ServerNames.quoted(name)).decant_run
            HAVING max(value) FILTER (WHERE key = 'destination') = $1
            """, [server.schema]
          ).first
        } catch {
          // Another process may meanwhile have published or dropped it.
          guard error.isMissing else { throw error }
          row = nil
        }
        if let row, let token = row[0] {
          found.append(LeftOver(place: name, token: token, isVisible: row[1] != nil))
        }
      }
      return found
    }
  }

  /// The first number of the advisory lock of a process that makes tables; the second is a hash of the schema's name.
  private static let family = "1684366191"

  /// Locks the schema of `server` against other processes that would create tables in it, as long as `connection` is
  /// open; throws if one of them has locked it.
  static func claim(_ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    let isMine = try server.explaining("cannot lock the schema \(server.schema)") { () throws(PostgresError) in
      try takesLock("\(family), pg_catalog.hashtext($1)", server.schema, connection)
    }
    guard isMine else { throw isCopying(server) }
  }

  /// Removes an unfinished copy; throws if a process is working on it.
  static func remove(_ leftOver: LeftOver, _ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    let isRemoved = try server.explaining("cannot remove the leftovers of an interrupted copy") {
      () throws(PostgresError) in
      guard try takesLock("$1", leftOver.token, connection) else { return false }
      if leftOver.isVisible { try dropVisible(of: leftOver.place, server, connection) }
      try connection.run("DROP SCHEMA IF EXISTS \(ServerNames.quoted(leftOver.place)) CASCADE")
      try connection.run("SELECT pg_catalog.pg_advisory_unlock($1)", [leftOver.token])
      return true
    }
    guard isRemoved else { throw isCopying(server) }
  }

  /// Takes an advisory lock; returns whether it could.
  ///
  /// It waits for two seconds, as the server may not yet have noticed that a process has died.
  private static func takesLock(_ numbers: String, _ value: String, _ connection: PostgresConnection)
    throws(PostgresError) -> Bool
  {
    for attempt in 0..<20 {
      if attempt > 0 { Files.pause(milliseconds: 100) }
      if try connection.text("SELECT pg_catalog.pg_try_advisory_lock(\(numbers))", [value]) == "t" { return true }
    }
    return false
  }

  private static func isCopying(_ server: Server) -> DecantError {
    DecantError(
      .storeLocked,
      "another process is copying a store into the schema \(server.schema)",
      place: "\(server.place)",
      remedy: "wait for it; if it no longer runs, \(say: .resume) continues its copy",
      remedies: []
    )
  }

  /// Records a new run with its circumstances, in the transaction that creates the schema.
  func create(_ circumstances: Circumstances) throws(PostgresError) {
    try connection.run("CREATE SCHEMA \(ServerNames.quoted(place))")
    try connection.run("CREATE TABLE \(run) (key text PRIMARY KEY, value text NOT NULL)")
    try connection.run("CREATE TABLE \(checkpoint) (step text PRIMARY KEY, rows bigint NOT NULL)")
    var values = circumstances.values.merging(["destination": server.schema, "token": String(token)]) { $1 }
    if isVisible { values["visible"] = "yes" }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try connection.run("INSERT INTO \(run) VALUES ($1, $2)", [key, value])
    }
  }

  /// Takes over the run; throws if the circumstances differ, and leaves it unchanged.
  ///
  /// If this process began it as `last`, no other process may have taken it over since.
  func takeOver(_ circumstances: Circumstances, from last: ServerRun? = nil) throws(DecantError) {
    if let last {
      do throws(DecantError) {
        return try guarded(connection, having: [last.token, token]) { () throws(PostgresError) in try enterToken() }
      } catch {
        last.lost.store(isLost, ordering: .relaxed)
        throw error
      }
    }
    let differences = try server.explaining("cannot read the checkpoint") { () throws(PostgresError) in
      try circumstances.differences { key throws(PostgresError) in
        try connection.text("SELECT value FROM \(run) WHERE key = $1", [key])
      }
    }
    try circumstances.refuse(differences, place: server.place)
    try server.explaining("cannot take the unfinished copy over") { () throws(PostgresError) in try enterToken() }
  }

  private func enterToken() throws(PostgresError) {
    try connection.run("UPDATE \(run) SET value = $1 WHERE key = 'token'", [String(token)])
  }

  // MARK: Visible tables

  /// The beginning of the key with which a visible table is recorded; its value is the server's number of the table.
  private static let tableKey = "table "

  /// Records a visible table that was made, so that no other of the same name is ever dropped.
  func record(visible table: ServerSchema.Table) throws(DecantError) {
    let name = ServerStatements(place: tablesPlace).qualified(table.name)
    try guarded(connection) { () throws(PostgresError) in
      try connection.run(
        "INSERT INTO \(run) SELECT $1, $2::pg_catalog.regclass::pg_catalog.oid::text",
        [ServerRun.tableKey + table.name, name])
    }
  }

  /// Drops the visible tables of the run in the schema `place`, unless they were published; forgets the store.
  ///
  /// Throws if one of them does not have as many rows as were sent: others have written to it.
  private static func dropVisible(of place: String, _ server: Server, _ connection: PostgresConnection)
    throws(PostgresError)
  {
    guard try StoreRecord.isBuilding(server, in: place, on: connection) else { return }
    let found = try connection.rows(
      """
      SELECT c.relname, coalesce(s.rows, 0) FROM \(ServerNames.quoted(place)).decant_run AS r
      JOIN pg_catalog.pg_class AS c ON c.oid::text = r.value
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN \(ServerNames.quoted(place)).decant_checkpoint AS s ON s.step = c.relname
      WHERE n.nspname = $1 AND r.key = pg_catalog.concat($2::text, c.relname)
      """, [server.schema, tableKey])
    let statements = ServerStatements(place: server.schema)
    var tables: [String] = []
    for row in found {
      let name = row[0] ?? ""
      let count = try connection.text("SELECT count(*) FROM \(statements.qualified(name))")
      guard count == row[1] else {
        throw PostgresError(
          state: "55006",
          message:
            "\(server.schema).\(name) has \(count ?? "no") rows, and the copy wrote \(row[1] ?? "none"): others have "
            + "written to it, so drop or rename it yourself")
      }
      tables.append(statements.qualified(name))
    }
    // In one statement, as they refer to one another.
    if !tables.isEmpty { try connection.run("DROP TABLE \(tables.joined(separator: ", "))") }
    try StoreRecord.forget(server, in: place, on: connection)
  }

  // MARK: Checkpoint

  /// Returns the numbers of rows present, by table.
  func rows() throws(PostgresError) -> [String: Int64] {
    var rows: [String: Int64] = [:]
    for row in try connection.rows("SELECT step, rows FROM \(checkpoint)") {
      if let step = row[0] { rows[step] = row[1].flatMap { Int64($0) } }
    }
    return rows
  }

  /// Records the number of rows of a table, in the transaction of the rows.
  func record(_ step: String, rows: Int64) throws(DecantError) {
    try guarded(connection) { () throws(PostgresError) in
      try connection.run(
        """
        INSERT INTO \(checkpoint) VALUES ($1, $2::bigint)
        ON CONFLICT (step) DO UPDATE SET rows = excluded.rows
        """, [step, String(rows)])
    }
  }

  /// Returns all keys in the record, among them those of the milestones.
  func milestones() throws(PostgresError) -> Set<String> {
    Set(try connection.rows("SELECT key FROM \(run)").compactMap { $0[0] })
  }

  /// Records milestones, in the transaction of `connection` that reached them.
  func record(_ milestones: [Milestone], on connection: PostgresConnection) throws(DecantError) {
    try guarded(connection) { () throws(PostgresError) in
      for milestone in milestones { try connection.run("INSERT INTO \(run) VALUES ($1, 'yes')", [milestone.key]) }
    }
  }

  /// Drops the tables of the record, in the transaction that publishes the others.
  func dropTables() throws(DecantError) {
    try guarded(connection) { () throws(PostgresError) in try connection.run("DROP TABLE \(run), \(checkpoint)") }
  }

  /// Removes the schema with all its tables.
  func drop() throws(PostgresError) {
    if isVisible { try ServerRun.dropVisible(of: place, server, connection) }
    try connection.run("DROP SCHEMA IF EXISTS \(ServerNames.quoted(place)) CASCADE")
  }

  /// Runs `body` if the run still has the token of this process, which then cannot change until the transaction ends.
  private func guarded(
    _ connection: PostgresConnection,
    having tokens: [Int64]? = nil,
    _ body: () throws(PostgresError) -> Void
  ) throws(DecantError) {
    let isMine: Bool
    do throws(PostgresError) {
      isMine =
        try connection.run(
          "UPDATE \(run) SET value = value WHERE key = 'token' AND value = ANY ($1::pg_catalog.text[])",
          [ServerNames.array((tokens ?? [token]).map { String($0) })]) == 1
      if isMine { try body() }
    } catch {
      guard error.isMissing else { throw server.error(error, "cannot record the checkpoint") }
      lost.store(true, ordering: .relaxed)
      throw takenOver
    }
    guard !isMine else { return }
    lost.store(true, ordering: .relaxed)
    throw takenOver
  }

  private var takenOver: DecantError {
    DecantError(
      .storeLocked,
      "the copy was taken over by another process",
      place: server.place,
      remedy: "let that process finish it",
      remedies: []
    )
  }
}
