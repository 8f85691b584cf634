internal import DecantBase
internal import DecantPostgres
internal import DecantServerSchema

/// The rights of a role in a database, checked before any row is read.
struct ServerRights {
  let server: Server
  let connection: PostgresConnection

  init(_ server: Server, _ connection: PostgresConnection) { (self.server, self.connection) = (server, connection) }

  /// Throws if tables of `schema` cannot be created: a right is missing, or they exist already.
  func check(_ schema: ServerSchema) throws(DecantError) {
    try checkWritable()
    let name = server.schema
    let row = try server.explaining("cannot ask for the rights of the role") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE'),
          (SELECT pg_catalog.has_schema_privilege(oid, 'CREATE') AND pg_catalog.has_schema_privilege(oid, 'USAGE')
            FROM pg_catalog.pg_namespace WHERE nspname = $1),
          (SELECT pg_catalog.has_schema_privilege(oid, 'USAGE')
            AND (pg_catalog.has_schema_privilege(oid, 'CREATE') OR pg_catalog.to_regclass('decant.store') IS NOT NULL)
            FROM pg_catalog.pg_namespace WHERE nspname = 'decant'),
          (SELECT pg_catalog.has_table_privilege(c.oid, 'SELECT') AND pg_catalog.has_table_privilege(c.oid, 'INSERT')
            AND pg_catalog.has_table_privilege(c.oid, 'UPDATE') FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = 'decant' AND c.relname = 'store')
        """,
        [name]
      ).first ?? []
    }
    let role = ServerNames.quoted(connection.user)
    let wanted: [(String?, String)] = [
      (row[0], "GRANT CREATE ON DATABASE \(ServerNames.quoted(connection.database)) TO \(role)"),
      (row[1] ?? "t", "GRANT CREATE, USAGE ON SCHEMA \(ServerNames.quoted(name)) TO \(role)"),
      (row[2] ?? "t", "GRANT USAGE ON SCHEMA decant TO \(role)"),
      (row[3] ?? "t", "GRANT SELECT, INSERT, UPDATE ON decant.store TO \(role)"),
    ]
    let missing = wanted.filter { $0.0 != "t" }.map(\.1)
    try refuse("create a store in the schema \(name)", without: missing)
    try checkIsFree(schema)
  }

  /// Throws if tables of the server's schema cannot be read: those with these names, or all if there are none.
  func checkReadable(_ names: [String]? = nil) throws(DecantError) {
    let missing = try server.explaining("cannot ask for the rights of the role") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT pg_catalog.format('GRANT USAGE ON SCHEMA %I TO %I', nspname, CURRENT_USER)
        FROM pg_catalog.pg_namespace WHERE nspname = $1 AND NOT pg_catalog.has_schema_privilege(oid, 'USAGE')
        UNION ALL SELECT CASE WHEN pg_catalog.bool_or(is_readable)
          THEN pg_catalog.format('GRANT SELECT ON %s TO %I',
            pg_catalog.string_agg(name, ', ' ORDER BY name) FILTER (WHERE NOT is_readable), CURRENT_USER)
          ELSE pg_catalog.format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', $1, CURRENT_USER) END
        FROM (
          SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name,
            pg_catalog.has_table_privilege(c.oid, 'SELECT') AS is_readable
          FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            AND ($2::pg_catalog.name[] IS NULL OR c.relname = ANY ($2::pg_catalog.name[]))
        ) AS t HAVING NOT pg_catalog.bool_and(is_readable)
        """,
        [server.schema, names.map { ServerNames.array($0) }]
      ).compactMap { $0[0] }
    }
    try refuse("read the tables of the schema \(server.schema)", without: missing)
  }

  /// Throws if statements are `missing` that give the role the right to do something.
  func refuse(
    _ work: DecantError.Text, without missing: [String], by owner: DecantError.Text = "the owner of the database"
  )
    throws(DecantError)
  {
    guard !missing.isEmpty else { return }
    throw DecantError(
      .accessDenied,
      "the role \(connection.user) may not \(work)",
      place: "\(server.place)",
      remedy: "\(owner) has to run: \(missing.joined(separator: "; "))",
      remedies: []
    )
  }

  /// Throws if the server allows only reading.
  func checkWritable() throws(DecantError) {
    let setting = try server.explaining("cannot ask for the rights of the role") { () throws(PostgresError) in
      try connection.text("SELECT pg_catalog.current_setting('transaction_read_only')")
    }
    guard setting != "on" else {
      throw DecantError(
        .accessDenied,
        "the server allows only reading: it is a standby, or default_transaction_read_only is set",
        place: "\(server.place)",
        remedy: "name the primary server, or have the setting changed for the role or the database",
        remedies: []
      )
    }
  }

  /// Throws if one of the tables exists, or something else with the name of a table, an index, a sequence or a type that
  /// would be made.
  func checkIsFree(_ schema: ServerSchema) throws(DecantError) {
    let found = try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT name, kind FROM (
          SELECT relname AS name, relkind::text AS kind, relnamespace AS place FROM pg_catalog.pg_class
          WHERE relname = ANY ($2::pg_catalog.name[])
          UNION ALL SELECT typname, 'c', typnamespace FROM pg_catalog.pg_type
          WHERE typname = ANY ($3::pg_catalog.name[])
        ) AS found JOIN pg_catalog.pg_namespace AS n ON n.oid = place
        WHERE n.nspname = $1 ORDER BY kind IN ('r', 'p') DESC, kind = 'c', name = ANY ($2::pg_catalog.name[]) DESC, name
        LIMIT 1
        """,
        [server.schema, ServerNames.array(schema.relationNames), ServerNames.array(schema.typeNames)]
      ).first
    }
    guard let name = found?[0], let letter = found?[1] else { return try checkHasNoStore() }
    if let kind = ServerRights.kinds[letter] {
      throw Server.nameTaken("the \(kind) \(server.schema).\(name) already exists", server.place)
    }
    let leftOvers = try ServerRun.leftOvers(server, connection)
    // It is probably of an interrupted copy, whose tables are removed before this is checked again.
    guard !leftOvers.contains(where: \.isVisible) else { return }
    throw Server.occupied("\(server.schema).\(name)", server.place, leftOvers.map { ServerNames.quoted($0.place) })
  }

  /// Throws if the schema has tables of a store whose record another copy would replace: they would lose their model.
  private func checkHasNoStore() throws(DecantError) {
    let context = "cannot read decant.store"
    let found = try server.explaining(context) { () throws(PostgresError) -> [String?]? in
      guard try connection.text("SELECT pg_catalog.to_regclass('decant.store')") != nil else { return nil }
      return try connection.rows(
        """
        SELECT s.source, c.relname FROM decant.store AS s JOIN pg_catalog.pg_namespace AS n ON n.nspname = s.schema
        JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
        WHERE s.schema = $1 AND pg_catalog.to_jsonb(s) ->> 'state' IS NULL AND (s.names -> 'tables' ? c.relname
          OR s.names -> 'plain' @> pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('table', c.relname)))
        ORDER BY c.relname LIMIT 1
        """, [server.schema]
      ).first
    }
    guard let found else { return }
    throw DecantError(
      .alreadyExists,
      "the schema \(server.schema) has the tables of another store, a copy of \(found[0] ?? "unknown origin"), such as "
        + "\(found[1] ?? ""): a schema has room for one store",
      place: "\(server.place)",
      remedy: "choose another schema, as in ?schema=NAME; or \(StoreRecord.forgetting(server))"
    )
  }

  /// What is no table, by the letter of the catalog.
  private static let kinds = [
    "v": "view", "m": "materialized view", "f": "foreign table", "i": "index", "I": "index", "S": "sequence",
    "c": "type",
  ]
}

extension Server {
  /// Returns the error for something other than a table that has the name of something to be made.
  static func nameTaken(_ found: String, _ place: String) -> DecantError {
    DecantError(
      .alreadyExists,
      "\(found): a copy makes something of that name",
      place: "\(place)",
      remedy: "choose another schema, as in ?schema=NAME, or rename it if nothing else needs it"
    )
  }

  /// Returns the error for a table that exists; `leftOvers` are the schemas of unfinished copies, quoted.
  static func occupied(_ name: String, _ place: String, _ leftOvers: [String] = []) -> DecantError {
    let drop = leftOvers.map { "DROP SCHEMA \($0) CASCADE" }.joined(separator: "; ")
    return DecantError(
      .alreadyExists,
      "\(name) already exists: a copy makes new tables",
      place: "\(place)",
      remedy:
        "\(say: .append) adds all objects to the existing tables, \(say: .merge, "skip") those that they do not "
        + "have; or choose another schema, as in ?schema=NAME"
        + "\(drop.isEmpty ? "" : "; this removes the tables that an unfinished copy left: \(drop)")"
    )
  }
}
