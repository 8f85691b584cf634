internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// How the tables get to their place.
extension ServerBuild {
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
      try run.dropTables()
      do throws(PostgresError) {
        try connection.run("CREATE SCHEMA IF NOT EXISTS \(ServerNames.quoted(server.schema))")
        for table in schema.tables { try connection.run(statements.move(table, to: server.schema)) }
        try connection.run("DROP SCHEMA \(ServerNames.quoted(run.place))")
        try record.write(server, source: source, build: run.place, on: connection)
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
    guard published == run.place else { throw error }
    notes.append(
      ReportNote(.completed, "the connection was lost while the tables were published; a new one found them there"))
  }
}
