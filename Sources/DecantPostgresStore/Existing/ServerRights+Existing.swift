internal import DecantBase
internal import DecantPostgres

extension ServerRights {
  /// Throws if the role may not change the tables called `names`; `deletes` is whether rows may be deleted.
  func check(changing names: [String], deletes: Bool) throws(DecantError) {
    try checkWritable()
    let wanted = ["SELECT", "INSERT", "UPDATE"] + (deletes ? ["DELETE"] : [])
    let rights = wanted.map { "pg_catalog.has_table_privilege(c.oid, '\($0)')" }.joined(separator: " AND ")
    let context = "cannot ask for the rights of the role"
    let found = try server.explaining(context) { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT c.relname, \(rights) FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = ANY ($2::pg_catalog.name[]) AND c.relkind IN ('r', 'p') ORDER BY 1
        """,
        [server.schema, ServerNames.array(names)]
      )
    }
    let sequences = try server.explaining(context) { () throws(PostgresError) in
      try connection.text(
        """
        SELECT pg_catalog.bool_and(pg_catalog.has_sequence_privilege(c.oid, 'USAGE')
          AND pg_catalog.has_sequence_privilege(c.oid, 'SELECT'))
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind = 'S' AND EXISTS (
          SELECT 1 FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_class AS t ON t.oid = d.refobjid
          WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND t.relnamespace = n.oid AND n.nspname = $1
          AND t.relname = ANY ($2::pg_catalog.name[]))
        """,
        [server.schema, ServerNames.array(names)]
      )
    }
    let temporary = try server.explaining(context) { () throws(PostgresError) in
      try connection.text(
        "SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY')")
    }
    let (role, schema) = (ServerNames.quoted(connection.user), ServerNames.quoted(server.schema))
    let tables = found.filter { $0[1] != "t" }.compactMap { $0[0] }
    var missing: [String] = []
    if !tables.isEmpty {
      missing.append(
        "GRANT \(wanted.joined(separator: ", ")) ON "
          + tables.map { "\(schema).\(ServerNames.quoted($0))" }.joined(separator: ", ") + " TO \(role)")
    }
    if sequences == "f" { missing.append("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role)") }
    if temporary != "t" {
      missing.append("GRANT TEMPORARY ON DATABASE \(ServerNames.quoted(connection.database)) TO \(role)")
    }
    try refuse("change the tables in the schema \(server.schema)", without: missing, by: "the owner of the tables")
  }

  /// Throws if a run in batches cannot be recorded on the server, in a schema of its own.
  func checkCanRecord(_ abilities: ServerAbilities) throws(DecantError) {
    guard abilities.has(.atomicDDL) else {
      throw DecantError(
        .unsuitableOption,
        "the server does not make tables in a transaction, so that batches cannot be recorded: \(option: .commit, "batch")",
        remedy: "remove it"
      )
    }
    let mayCreate = try server.explaining("cannot ask for the rights of the role") { () throws(PostgresError) in
      try connection.text("SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')")
    }
    let (role, database) = (ServerNames.quoted(connection.user), ServerNames.quoted(connection.database))
    try refuse(
      "record rows that are added in batches, in a schema of their own",
      without: mayCreate == "t" ? [] : ["GRANT CREATE ON DATABASE \(database) TO \(role)"])
  }
}
