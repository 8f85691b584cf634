internal import DecantArchive
internal import DecantBase
internal import DecantPlan
internal import DecantPostgres
internal import DecantServerSchema
internal import DecantStore

/// The table `decant.merged` of a database: the sources that were merged into the tables of a schema.
///
/// A row is written in the transaction of the merge. It agrees only with the same tables: one that was truncated,
/// restored or created again has another number, or another file on the server.
struct MergedSources: MergeRecord {
  private let server: Server
  private let connection: PostgresConnection
  /// Whether the table exists; only a dry run does not create it.
  private let exists: Bool
  private let tables: String

  private static let name = "\(StoreRecord.place).merged"

  /// Opens the record of the tables at `location`, and creates it unless this is a dry run.
  init(_ location: StoreLocation, isDryRun: Bool) throws(DecantError) {
    let (server, connection) = try Server.open(location)
    (self.server, self.connection) = (server, connection)
    var exists = try MergedSources.isWritable(server, connection)
    if !exists, !isDryRun {
      try ServerRights(server, connection).checkWritable()
      try MergedSources.create(server, connection)
      exists = true
    }
    self.exists = exists
    tables = try MergedSources.state(server, connection, StoreRecord.find(server, connection))
  }

  func date(of source: MergedSource) throws(DecantError) -> String? {
    guard exists else { return nil }
    // A store that was moved is the same one; several files may be copies of one store.
    let row = try server.explaining("cannot read \(MergedSources.name)") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT content = $4 AND rules = $5 AND tables = $6,
          pg_catalog.to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        FROM \(MergedSources.name) WHERE schema = $1 AND (source = $2 OR uuid = $3)
        ORDER BY source = $2 DESC, at DESC LIMIT 1
        """,
        [server.schema, source.place, source.uuid, source.content.hash, source.rules, tables]
      ).first
    }
    return row?[0] == "t" ? row?[1] : nil
  }

  // MARK: In the transaction of a change

  /// Records a source as merged into `tables`, in the transaction that has locked them.
  static func enter(_ source: MergedSource, into tables: ExistingTables) throws(DecantError) {
    let (server, connection) = (tables.server, tables.connection)
    let state = try state(server, connection, tables.record)
    try server.explaining("cannot write \(name)") { () throws(PostgresError) in
      _ = try connection.run(
        """
        INSERT INTO \(name) (schema, source, uuid, content, rules, tables) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (schema, source) DO UPDATE SET uuid = excluded.uuid, content = excluded.content,
          rules = excluded.rules, tables = excluded.tables, at = excluded.at
        """,
        [server.schema, source.place, source.uuid, source.content.hash, source.rules, state]
      )
    }
  }

  /// Forgets a source whose objects were added to `tables` without a record of it, if the role may.
  static func forget(_ source: StoreIdentity, in tables: ExistingTables) throws(DecantError) {
    try forget(MergedSource.place(of: source), source.uuid, tables.server, tables.connection)
  }

  /// Forgets the source that is recorded by a place or an identifier.
  static func forget(_ place: String, _ uuid: String?, _ server: Server, _ connection: PostgresConnection)
    throws(DecantError)
  {
    guard try rights(server, connection) == .granted else { return }
    try server.explaining("cannot write \(name)") { () throws(PostgresError) in
      _ = try connection.run(
        "DELETE FROM \(name) WHERE schema = $1 AND (source = $2 OR uuid = $3)", [server.schema, place, uuid])
    }
  }

  /// Forgets all sources of `tables`, of which rows were deleted that any of them may contain.
  static func forgetAll(in tables: ExistingTables) throws(DecantError) {
    guard try isWritable(tables.server, tables.connection, mayCreate: false) else { return }
    try tables.server.explaining("cannot write \(name)") { () throws(PostgresError) in
      _ = try tables.connection.run("DELETE FROM \(name) WHERE schema = $1", [tables.server.schema])
    }
  }

  // MARK: The table

  private enum Rights: Equatable {
    case granted
    /// There is no table; `missing` is what its creation needs.
    case noTable(missing: String?)
    case refused(missing: String)
  }

  private static func rights(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> Rights {
    let wanted = ["SELECT", "INSERT", "UPDATE", "DELETE"]
    let found = try server.explaining("cannot ask for the rights of the role") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE'), n.oid IS NOT NULL,
          pg_catalog.has_schema_privilege(n.oid, 'USAGE'), pg_catalog.has_schema_privilege(n.oid, 'CREATE'),
          c.oid IS NOT NULL,
          \(wanted.map { "pg_catalog.has_table_privilege(c.oid, '\($0)')" }.joined(separator: " AND "))
        FROM (SELECT) AS o LEFT JOIN pg_catalog.pg_namespace AS n ON n.nspname = '\(StoreRecord.place)'
        LEFT JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = 'merged'
        """
      )
    }
    let has = (found.first ?? []).map { $0 == "t" }
    guard has.count == 6 else { return .noTable(missing: nil) }
    let (role, place) = (ServerNames.quoted(connection.user), StoreRecord.place)
    guard has[1] else {
      return .noTable(
        missing: has[0] ? nil : "GRANT CREATE ON DATABASE \(ServerNames.quoted(connection.database)) TO \(role)")
    }
    guard has[4] else {
      return .noTable(missing: has[2] && has[3] ? nil : "GRANT CREATE, USAGE ON SCHEMA \(place) TO \(role)")
    }
    let missing =
      (has[2] ? [] : ["GRANT USAGE ON SCHEMA \(place) TO \(role)"])
      + (has[5] ? [] : ["GRANT \(wanted.joined(separator: ", ")) ON \(name) TO \(role)"])
    return missing.isEmpty ? .granted : .refused(missing: missing.joined(separator: "; "))
  }

  /// Returns whether the table exists; throws if the role may not write it, or not create it.
  private static func isWritable(_ server: Server, _ connection: PostgresConnection, mayCreate: Bool = true)
    throws(DecantError) -> Bool
  {
    let rights = try rights(server, connection)
    var missing: [String] = []
    switch rights {
    case .granted: break
    case .noTable(let lacking): if mayCreate { missing = [lacking].compactMap(\.self) }
    case .refused(let lacking): missing = [lacking]
    }
    try ServerRights(server, connection)
      .refuse("write \(name), the record of the sources that were merged", without: missing)
    return rights == .granted
  }

  /// Creates the table, in a transaction of its own: two runs may do so at the same time.
  private static func create(_ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    for attempt in 1...5 {
      do throws(PostgresError) {
        // Even if the schema exists, the server would demand the right to create it.
        let schema = try connection.text(
          "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", [StoreRecord.place])
        if schema == nil { try connection.run("CREATE SCHEMA IF NOT EXISTS \(StoreRecord.place)") }
        try connection.run(
          """
          CREATE TABLE IF NOT EXISTS \(name) (
            schema text NOT NULL, source text NOT NULL, uuid text, content text NOT NULL, rules text NOT NULL,
            tables text NOT NULL, at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
            PRIMARY KEY (schema, source))
          """)
        return
      } catch {
        guard attempt < 5, ["23505", "42P06", "42P07"].contains(error.state) else {
          throw server.error(error, "cannot create \(name)")
        }
      }
    }
  }

  /// Returns a hash of what identifies the tables of a schema: the numbers that the server gave them and their files,
  /// their columns and unique indexes, and what decant knows of the store.
  ///
  /// Only catalogs are read: the server's functions that return definitions wait for locks of the tables.
  private static func state(_ server: Server, _ connection: PostgresConnection, _ record: StoreRecord?)
    throws(DecantError) -> String
  {
    guard let hash = ContentHash() else { throw DecantError(.systemFailed, "not enough memory") }
    let names = record.map { ServerNames.array($0.schema.tables.map(\.name)) }
    let rows = try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(
        """
        WITH RECURSIVE t (oid, file) AS (
          SELECT c.oid, c.relfilenode FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND ($2::pg_catalog.name[] IS NULL OR c.relname = ANY ($2::pg_catalog.name[]))
          UNION SELECT c.oid, c.relfilenode FROM t JOIN pg_catalog.pg_inherits AS i ON i.inhparent = t.oid
          JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
        )
        SELECT t.oid, t.file, (
          SELECT pg_catalog.string_agg(a.attname || ' ' || a.atttypid, ',' ORDER BY a.attnum)
          FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
        ), (
          SELECT pg_catalog.string_agg(d.text, ',' ORDER BY d.text) FROM pg_catalog.pg_index AS i, LATERAL (
            SELECT pg_catalog.concat_ws(' ', i.indkey::text, i.indexprs::text, i.indpred::text)
          ) AS d (text) WHERE i.indrelid = t.oid AND i.indisunique
        ) FROM t ORDER BY t.oid
        """,
        [server.schema, names]
      )
    }
    for row in rows { hash.update(row.map { $0 ?? "-" }.joined(separator: " ") + "\n") }
    if let record { hash.update(ArchiveModel.text(of: record.model) + record.layoutText) }
    return hash.text
  }
}
