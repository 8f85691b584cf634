internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// Publishing the tables.
extension ServerBuild {
  /// Moves the tables to their schema and enters the store, in one transaction.
  func publish(source: String) throws(DecantError) {
    let words = ServerCommit.Words(
      context: "cannot publish the tables",
      done: "the tables were published",
      remedy: "copy again when the server answers: the copy is refused if the tables exist"
    )
    try settle()
    try perform(["BEGIN", "SET LOCAL synchronous_commit = on"], words.context)
    var mayBeDone = false
    do throws(DecantError) {
      try move(source: source, words.context)
      let commit = ServerCommit(server: server, connection: connection, stop: stop, words: words)
      if let note = try commit.perform(&mayBeDone) { add(note) }
    } catch {
      // The server has already rolled back a lost connection.
      if !mayBeDone { _ = try? connection.run("ROLLBACK") }
      throw error
    }
    isThere = false
  }

  private func move(source: String, _ context: String) throws(DecantError) {
    try run.dropTables()
    do throws(PostgresError) {
      try connection.run("CREATE SCHEMA IF NOT EXISTS \(ServerNames.quoted(server.schema))")
      for table in schema.tables { try connection.run(statements.move(table, to: server.schema)) }
      try connection.run("DROP SCHEMA \(ServerNames.quoted(run.place))")
      try record.write(server, source: source, on: connection)
    } catch {
      // They were not there when the copy began.
      if error.isNameTaken { throw Server.nameTaken(error.message, server.place) }
      throw server.error(error, context)
    }
  }
}
