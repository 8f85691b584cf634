internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Publishing the tables.
extension ServerBuild {
  /// Moves the tables to their schema and enters the store, in one transaction; visible tables are already there.
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
      if run.isVisible {
        try complete(source: source, words.context)
      } else {
        try move(source: source, words.context)
      }
      let commit = ServerCommit(server: server, connection: connection, stop: stop, words: words)
      if let note = try commit.perform(&mayBeDone) { add(note) }
    } catch {
      // The server has already rolled back a lost connection.
      if !mayBeDone { _ = try? connection.run("ROLLBACK") }
      throw error
    }
    isThere = false
    // What is left of the run is removed by the next one if this fails.
    if run.isVisible { _ = try? run.drop() }
  }

  /// Enters the store, whose tables are visible, as complete.
  private func complete(source: String, _ context: String) throws(DecantError) {
    try run.record([], on: connection)
    try server.explaining(context) { () throws(PostgresError) in
      try record.write(server, source: source, on: connection)
    }
  }

  /// Returns the statements that give others the default privileges of the schema, which apply only to tables that are
  /// made there, not to those that are moved there.
  private func defaultGrants() throws(PostgresError) -> [String] {
    let rows = try connection.rows(
      """
      SELECT pg_catalog.format('GRANT %s ON %s %I.%I TO %s%s', a.privilege_type,
        CASE WHEN c.relkind = 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, n.nspname, c.relname,
        CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM pg_catalog.pg_default_acl AS d JOIN pg_catalog.pg_namespace AS n ON n.oid = d.defaclnamespace
      CROSS JOIN LATERAL pg_catalog.aclexplode(d.defaclacl) AS a
      JOIN pg_catalog.pg_class AS t ON t.relnamespace = n.oid AND t.relname = ANY ($2::pg_catalog.name[])
      JOIN pg_catalog.pg_class AS c ON d.defaclobjtype = 'r' AND c.oid = t.oid
        OR d.defaclobjtype = 'S' AND c.relkind = 'S' AND c.oid IN (
          SELECT s.objid FROM pg_catalog.pg_depend AS s
          WHERE s.refobjid = t.oid AND s.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            AND s.refclassid = s.classid)
      WHERE n.nspname = $1 AND a.grantee <> d.defaclrole
        AND d.defaclrole = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user)
      """,
      [server.schema, ServerNames.array(schema.tables.map(\.name))])
    return rows.compactMap { $0[0] }
  }

  private func move(source: String, _ context: String) throws(DecantError) {
    try run.dropTables()
    do throws(PostgresError) {
      try connection.run("CREATE SCHEMA IF NOT EXISTS \(ServerNames.quoted(server.schema))")
      for table in schema.tables { try connection.run(statements.move(table, to: server.schema)) }
      for sql in try defaultGrants() { try connection.run(sql) }
      try connection.run("DROP SCHEMA \(ServerNames.quoted(run.place))")
      try record.write(server, source: source, on: connection)
    } catch {
      // They were not there when the copy began.
      if error.isNameTaken { throw Server.nameTaken(error.message, server.place) }
      throw server.error(error, context)
    }
  }
}
