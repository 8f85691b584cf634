internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// A schema of a database on a PostgreSQL server, as specified by a location.
struct Server: Sendable {
  let parameters: PostgresParameters
  /// The PostgreSQL schema of the store's tables.
  let schema: String
  /// The name of the place in reports and errors, derived from the connection: it repeats nothing that the user typed.
  let place: String
  /// Notes about the connection.
  let notes: [ReportNote]
  /// What the server can do, as far as it was asked.
  let abilities: ServerAbilities

  /// Parses a location, without connecting; errors repeat nothing of it.
  static func parameters(of location: StoreLocation) throws(DecantError) -> PostgresParameters {
    let parameters: PostgresParameters
    do throws(PostgresParameters.Fault) {
      parameters = try PostgresParameters(location.place)
    } catch {
      switch error {
      case .password:
        throw DecantError(
          .invalidPlace,
          "a location of a database must not contain a password: every user of this machine can read it",
          remedy: "put the password into ~/.pgpass or a service file (PGSERVICE), or set PGPASSWORD"
        )
      case .schemas:
        throw DecantError(
          .invalidPlace,
          "the location of the database names more than one schema",
          remedy: "write schema=NAME once"
        )
      case .syntax:
        throw DecantError(
          .invalidPlace,
          "the location of the database cannot be parsed",
          remedy: "write postgres://USER@HOST:PORT/DATABASE?schema=NAME, or 'postgres:host=HOST dbname=DATABASE'"
        )
      case .library(let reason):
        throw DecantError(
          .systemFailed,
          "the client library of PostgreSQL, libpq, cannot be loaded",
          place: "\(reason)",
          remedy: "install it (Debian, Ubuntu: apt install libpq5; Fedora: dnf install libpq)"
        )
      }
    }
    if let schema = parameters.schema { try check(schema: schema) }
    return parameters
  }

  /// Throws for a schema that no server can have: it cuts longer names, and two places would be one.
  private static func check(schema: String) throws(DecantError) {
    guard schema.isEmpty || schema.utf8.count > ServerNames.limit || schema.contains("\0") else { return }
    throw DecantError(
      .invalidPlace,
      schema.isEmpty
        ? "the name of the schema is empty"
        : "the name of the schema has \(schema.utf8.count) bytes: PostgreSQL allows \(ServerNames.limit), none of them 0",
      remedy: "write schema=NAME with another name, or leave it out for the schema public"
    )
  }

  /// Throws if the schema of a location is one of the server's or of decant's own, in which no store is written.
  static func checkHoldsStores(_ location: StoreLocation) throws(DecantError) {
    guard let schema = try parameters(of: location).schema,
      ["information_schema", StoreRecord.place].contains(schema)
        || ["pg_", ServerRun.prefix, BatchRun.prefix].contains(where: schema.hasPrefix)
    else { return }
    throw DecantError(
      .invalidPlace,
      "no store is written into the schema \(schema): names that begin with pg_ and information_schema belong to the "
        + "server, decant and names that begin with \(ServerRun.prefix) or \(BatchRun.prefix) to decant",
      remedy: "name another schema, as in ?schema=NAME"
    )
  }

  /// Connects to the server of a location, and asks which of `abilities` it has.
  static func open(_ location: StoreLocation, asking abilities: Set<ServerAbilities.Ability> = [])
    throws(DecantError) -> (server: Server, connection: PostgresConnection)
  {
    let parameters = try parameters(of: location)
    let without = try ServerAbilities.switchedOff()
    let connection = try connect(parameters)
    let schema = parameters.schema ?? "public"
    let place = address(of: connection, schema)
    do throws(PostgresError) {
      connection.abilities = try ServerAbilities(connection, asking: abilities, without: without)
    } catch {
      throw self.error(error, "cannot ask what the server can do", place)
    }
    var notes: [ReportNote] = []
    if !connection.isEncrypted && !connection.isLocal {
      notes.append(
        ReportNote(
          .notEncrypted, "the connection to \(connection.host) is not encrypted",
          remedy: "sslmode=require refuses such connections"))
    }
    if let note = connection.abilities.note(of: abilities) { notes.append(note) }
    let server = Server(
      parameters: parameters, schema: schema, place: place, notes: notes, abilities: connection.abilities)
    return (server, connection)
  }

  /// Returns the address of a schema, as a user would write it: with the folder of a socket as a parameter.
  private static func address(of connection: PostgresConnection, _ schema: String) -> String {
    let (host, user, database) = (connection.host, connection.user.inAddress, connection.database.inAddress)
    let isSocket = host.hasPrefix("/") || host.hasPrefix("@")
    let port = isSocket && connection.port == "5432" ? "" : ":\(connection.port)"
    var parameters = isSocket ? ["host=\(host.inParameter)"] : []
    if schema != "public" { parameters.append("schema=\(schema.inAddress)") }
    return "postgres://\(user)@\(isSocket ? "" : host.inAddress)\(port)/\(database)"
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }

  /// Opens another connection.
  func connect() throws(DecantError) -> PostgresConnection {
    let connection = try Server.connect(parameters)
    connection.abilities = abilities
    return connection
  }

  /// Opens another connection; tries for half a minute, as a server that is restarting refuses connections.
  func connectAgain(_ stop: ProgressCheck?) throws(DecantError) -> PostgresConnection {
    for _ in 0..<60 where stop?.isStopped() != true {
      do throws(DecantError) { return try connect() } catch { Files.pause(milliseconds: 500) }
    }
    return try connect()
  }

  private static func connect(_ parameters: PostgresParameters) throws(DecantError) -> PostgresConnection {
    do throws(PostgresError) {
      return try PostgresConnection(parameters)
    } catch {
      // Before a session exists, libpq returns only a text.
      let isMissing = error.message.contains("database \"") && error.message.contains("does not exist")
      let remedy: DecantError.Text? =
        switch error {
        case _ where isMissing: "create the database, or name another one"
        case _ where error.isTimeout: "raise the time limit of the role, such as statement_timeout"
        case _ where error.message.contains("too many "):
          "end other sessions, or raise the limit of the role or the server: decant uses several at a time"
        case _ where error.state == nil:
          "check the host, the port, the role and its password in ~/.pgpass or the service file"
        case _ where error.isOfConnection: "\(.again) when the server answers"
        // The message says it all, as about a pooler.
        default: nil
        }
      throw DecantError(
        isMissing ? .storeNotFound : error.isTimeout ? .storeLocked : .systemFailed,
        "cannot connect to the database: \(error.message)",
        remedy: remedy,
        remedies: [],
        cause: error
      )
    }
  }

  /// Returns the characters of the database's encoding; `nil` if it has all, or it is not known which.
  func repertoire(_ connection: PostgresConnection) throws(DecantError) -> Repertoire? {
    try explaining("cannot read the encoding of the database") { () throws(PostgresError) in
      try connection.text("SHOW server_encoding").flatMap { Repertoire(ofServer: $0) }
    }
  }

  /// Returns the error to report for a failure on the server; `context` says what failed.
  func error(_ error: PostgresError, _ context: String, remedy: DecantError.Text? = nil) -> DecantError {
    Server.error(error, context, place, remedy: remedy)
  }

  private static func error(_ error: PostgresError, _ context: String, _ place: String, remedy: DecantError.Text? = nil)
    -> DecantError
  {
    let code: DecantError.Code
    var advice: DecantError.Text?
    switch error {
    case _ where error.isPermission:
      code = .accessDenied
      advice = "ask the owner of the database for the right"
    case _ where error.isFull:
      code = .diskFull
      advice = "the server has no space left: free some there, then \(.again)"
    case _ where error.state == "57014" && error.message.contains("user request"):
      return DecantError(.interrupted, "the operation was interrupted", place: "\(place)", cause: error)
    case _ where error.isTimeout:
      code = .storeLocked
      advice = "wait for the session that holds the lock, or raise the time limit of the role"
    case _ where error.isOutOfMemory:
      code = .databaseFailed
      advice =
        error.message.contains("out of shared memory")
        ? "raise max_locks_per_transaction on the server, as every table and index that is created takes a lock"
        : "free memory on the server, or lower its work_mem and maintenance_work_mem, then \(.again)"
    case _ where error.isUntranslatable:
      code = .constraintViolated
      advice = "use a database with the encoding UTF8, which has all characters"
    case _ where error.isOfConnection:
      code = .systemFailed
      advice = "\(.again) when the server answers"
    case _ where error.isTooLarge:
      code = .unsupportedContent
      advice = "leave the row out with \(option: .where)"
    case _ where error.isOfRow: code = .constraintViolated
    default: code = .databaseFailed
    }
    return DecantError(
      code,
      "\(context): \(Server.reason(error))",
      place: "\(place)",
      remedy: remedy ?? advice,
      remedies: [],
      cause: error
    )
  }

  /// Returns what the server says, with the name of the violated constraint, or with the sessions that hold the lock.
  static func reason(_ error: PostgresError) -> String {
    error.message + (error.constraint.map { " (\($0))" } ?? "") + (error.holders.map { "; it is held by \($0)" } ?? "")
  }

  /// Returns the error for a row of `table` that the server refuses as too large.
  func tooWide(_ table: ServerSchema.Table, _ error: PostgresError) -> DecantError {
    DecantError(
      .unsupportedContent,
      "cannot write the table \(table.name), which has \(Int64(table.columns.count).counted("column")): "
        + "\(Server.reason(error)); a row must fit on a page of the server, except for long texts and bytes",
      place: "\(place)",
      remedy: "leave out the rows with so many values with \(option: .where), or choose smaller types with "
        + "\(option: .type)",
      remedies: [],
      cause: error
    )
  }

  /// Returns the error to report for a failure on the server or in a temporary database.
  func explained(_ error: any Error, _ context: String) -> DecantError {
    switch error {
    case let error as DecantError: error
    case let error as PostgresError: self.error(error, context)
    case let error as SQLiteError: DecantError(context, cause: error)
    default: DecantError(.systemFailed, "\(context): \(error)")
    }
  }

  /// Runs `body`; reports an error of the server or of a temporary database with `context`.
  func explainingBoth<Result>(_ context: String, _ body: () throws -> Result) throws(DecantError) -> Result {
    do { return try body() } catch { throw explained(error, context) }
  }

  /// Runs `body`; reports an error of the server with `context`.
  func explaining<Result>(
    _ context: String,
    _ body: () throws(PostgresError) -> Result
  ) throws(DecantError) -> Result {
    do throws(PostgresError) { return try body() } catch { throw self.error(error, context) }
  }
}

extension String {
  /// The text, escaped as a part of an address.
  fileprivate var inAddress: String { escaped { _ in false } }

  /// The text, escaped as the value of a parameter of an address, which may contain a slash.
  fileprivate var inParameter: String { escaped { $0 == UInt8(ascii: "/") } }

  private func escaped(except isPlain: (UInt8) -> Bool) -> String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case _ where isPlain(byte), 48...57, 65...90, 97...122, 45, 46, 95, 126:
        text.append(Character(Unicode.Scalar(byte)))
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
