internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// New tables in a PostgreSQL schema of their own, until they are published.
///
/// A session that builds holds an advisory lock with the schema's number; a schema whose lock is free was left by a
/// killed process.
final class ServerBuild {
  private let server: Server
  private let record: StoreRecord
  private let schema: ServerSchema
  private let connection: PostgresConnection
  private let stop: ProgressCheck?
  private let statements: ServerStatements
  private var isThere = false
  private(set) var notes: [ReportNote] = []

  private static let prefix = "decant_build_"

  init(_ server: Server, _ record: StoreRecord, _ stop: ProgressCheck?) throws(DecantError) {
    (self.server, self.record, schema, self.stop) = (server, record, record.schema, stop)
    connection = try server.connect()
    if let stop { connection.isStopped = { stop.isStopped() } }
    let number = UInt64.random(in: 0...UInt64.max)
    let digits = String(number, radix: 16)
    let name = ServerBuild.prefix + String(repeating: "0", count: 16 - digits.count) + digits
    statements = ServerStatements(place: name)
    try server.explaining("cannot lock the new tables") { () throws(PostgresError) in
      _ = try connection.run("SELECT pg_catalog.pg_advisory_lock($1)", [String(Int64(bitPattern: number))])
    }
    try removeLeftovers()
  }

  /// Removes the schemas of this role that killed processes left.
  private func removeLeftovers() throws(DecantError) {
    let names = try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname ~ '^decant_build_[0-9a-f]{16}$'
        AND pg_catalog.pg_has_role(nspowner, 'USAGE')
        """
      ).compactMap { $0[0] }
    }
    for name in names {
      guard let number = UInt64(name.dropFirst(ServerBuild.prefix.count), radix: 16) else { continue }
      let key = String(Int64(bitPattern: number))
      try server.explaining("cannot remove the leftovers of an interrupted copy") { () throws(PostgresError) in
        guard try connection.text("SELECT pg_catalog.pg_try_advisory_lock($1)", [key]) == "t" else { return }
        try connection.run("DROP SCHEMA IF EXISTS \(ServerNames.quoted(name)) CASCADE")
        try connection.run("SELECT pg_catalog.pg_advisory_unlock($1)", [key])
        notes.append(
          ReportNote(.leftoversRemoved, "removed the leftovers of an interrupted copy: the schema \(name)"))
      }
    }
  }

  /// Makes the tables and sends the rows of `scratch` to them, with keys and constraints after the rows.
  ///
  /// All of it is one transaction: a process that is killed meanwhile leaves nothing.
  func fill(from scratch: Connection, highestKeys: [String: Int64]) throws(DecantError) {
    let context = "cannot create the tables"
    try connection.transaction { () throws(DecantError) in
      try run(["CREATE SCHEMA \(ServerNames.quoted(statements.place))"], context)
      var required: [String: [String]] = [:]
      for table in schema.tables {
        try run([statements.create(table)] + statements.storage(of: table), context)
        let transfer = RowTransfer(server: server, table: table, statements: statements)
        let rows = try RowSender(transfer, of: scratch, after: 0, to: connection).sendBatch()
        let complete = try transfer.columnsWithoutNull(in: scratch)
        required[table.name] = complete
        let lacking = table.columns.filter { $0.wantsValue && !complete.contains($0.name) }
        if !lacking.isEmpty, rows > 0 {
          let names = lacking.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
          notes.append(
            ReportNote(
              .valuesMissing, "not NOT NULL, because some rows have no value although the model requires it: \(names)"))
        }
      }
      for table in schema.tables {
        try run(statements.finish(table, required: required[table.name] ?? []), "cannot add the keys of \(table.name)")
        if let sql = statements.setSequence(of: table, highest: highestKeys[table.name] ?? 0) {
          try run([sql], "cannot set the sequence of \(table.name)")
        }
      }
      let tooLarge = try createIndexes()
      for reference in schema.references {
        try check(reference, in: scratch)
        guard !tooLarge.contains(where: { $0.isKey(of: reference) }) else { continue }
        try run([statements.create(reference)], "cannot add the foreign key \(reference.name)")
      }
    } explaining: { error in
      server.error(error, context)
    }
    isThere = true
    for table in schema.tables {
      try run(["ANALYZE \(statements.qualified(table.name))"], "cannot analyze \(table.name)")
    }
  }

  /// Makes the indexes; returns those that the server cannot make, because a value is too large for them.
  private func createIndexes() throws(DecantError) -> [ServerSchema.Index] {
    var tooLarge: [ServerSchema.Index] = []
    for index in schema.indexes {
      try server.explaining("cannot create the index \(index.name)") { () throws(PostgresError) in
        try connection.run("SAVEPOINT decant_index")
        do throws(PostgresError) {
          try connection.run(statements.create(index))
        } catch {
          guard error.isTooLarge else { throw error }
          try connection.run("ROLLBACK TO SAVEPOINT decant_index")
          tooLarge.append(index)
        }
        try connection.run("RELEASE SAVEPOINT decant_index")
      }
    }
    if !tooLarge.isEmpty {
      let names = tooLarge.map { "\($0.table) (\($0.columns.joined(separator: ", ")))" }.joined(separator: "; ")
      notes.append(
        ReportNote(
          .schemaNotCopied,
          "not made, because values are larger than an index of the server takes: the indexes on \(names)"))
    }
    return tooLarge
  }

  /// Throws if rows lead nowhere, which SQLite does not refuse; names the first of them.
  private func check(_ reference: ServerSchema.Reference, in scratch: Connection) throws(DecantError) {
    guard let table = schema.tables.first(where: { $0.name == reference.table }), table.origin != nil,
      let target = schema.tables.first(where: { $0.name == reference.target })
    else { return }
    func own(_ name: String, of table: ServerSchema.Table) -> String {
      (table.columns.first { $0.name == name }?.own ?? name).sqlName
    }
    let columns = reference.columns.map { "r.\(own($0, of: table))" }
    let targets = reference.targetColumns.map { "t.\(own($0, of: target))" }
    let conditions =
      columns.map { "\($0) IS NOT NULL" } + [
        """
        NOT EXISTS (SELECT 1 FROM main.\(target.own.sqlName) AS t
        WHERE \(zip(columns, targets).map { "\($0) = \($1)" }.joined(separator: " AND ")))
        """
      ]
    let rows = "FROM main.\(table.own.sqlName) AS r WHERE \(conditions.joined(separator: " AND "))"
    let found = try explaining("cannot check the links of \(table.own)") { () throws(SQLiteError) in
      try scratch.integer("SELECT count(*) \(rows)") ?? 0
    }
    guard found > 0 else { return }
    throw DecantError(
      .linkBroken,
      "\(found.counted("row")) of \(table.own) lead nowhere: \(reference.columns.joined(separator: ", ")) has no row in "
        + "\(target.own), so the server would refuse the foreign key",
      place: server.place,
      remedy: "nothing was published: correct these rows in a copy of the database"
    )
  }

  private func run(_ sql: [String], _ context: String) throws(DecantError) {
    try server.explaining(context) { () throws(PostgresError) in
      for statement in sql { try connection.run(statement) }
    }
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

  /// Moves the tables to their schema and enters the store, in one transaction.
  func publish(source: String) throws(DecantError) {
    let context = "cannot publish the tables"
    var lost: PostgresError?
    do throws(DecantError) {
      try publish(source: source, context) { lost = $0 }
    } catch {
      guard lost != nil else { throw error }
      try askWhetherPublished(after: error)
    }
    isThere = false
  }

  /// Publishes the tables; `losing` gets the error of a commit whose answer did not arrive.
  private func publish(source: String, _ context: String, losing: (PostgresError) -> Void) throws(DecantError) {
    try connection.transaction { () throws(DecantError) in
      do throws(PostgresError) {
        try connection.run("CREATE SCHEMA IF NOT EXISTS \(ServerNames.quoted(server.schema))")
        for table in schema.tables { try connection.run(statements.move(table, to: server.schema)) }
        try connection.run("DROP SCHEMA \(ServerNames.quoted(statements.place))")
        try record.write(server, source: source, build: statements.place, on: connection)
      } catch {
        if error.state == "42P07" { throw Server.occupied("a table or an index of the same name", server.place) }
        throw server.error(error, context)
      }
    } explaining: { error in
      if error.isOfConnection { losing(error) }
      return server.error(error, context)
    }
  }

  /// Asks by a new connection whether a transaction was committed whose answer did not arrive.
  ///
  /// - Throws: `error` if it was not; another one if the server does not answer.
  private func askWhetherPublished(after error: DecantError) throws(DecantError) {
    let published: String?
    do throws(DecantError) {
      let asking = try server.connectAgain(stop)
      // The server may still be at work for the lost connection.
      try server.explaining("cannot ask for the lost session") { () throws(PostgresError) in
        for _ in 0..<100 {
          let session = try asking.text(
            "SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid = $1 AND state IS DISTINCT FROM 'idle'",
            [String(connection.processNumber)]
          )
          guard session != nil else { break }
          try asking.run("SELECT pg_catalog.pg_sleep(0.1)")
        }
      }
      published = try StoreRecord.build(in: server, asking)
    } catch {
      throw DecantError(
        .systemFailed,
        "the connection was lost while the tables were published, and it is not known whether they are there",
        place: server.place,
        remedy: "copy again when the server answers: the copy is refused if the tables are there",
        cause: error
      )
    }
    guard published == statements.place else { throw error }
    notes.append(
      ReportNote(.completed, "the connection was lost while the tables were published; a new one found them there"))
  }

  /// Removes the tables, unless they are published.
  func abandon() {
    guard isThere else { return }
    connection.isStopped = { false }
    // The next run removes what cannot be removed now.
    _ = try? connection.run("DROP SCHEMA IF EXISTS \(ServerNames.quoted(statements.place)) CASCADE")
  }
}

extension ServerSchema.Index {
  /// Whether `reference` leads to the columns of this index.
  fileprivate func isKey(of reference: ServerSchema.Reference) -> Bool {
    isUnique && table == reference.target && Set(columns) == Set(reference.targetColumns)
  }
}
