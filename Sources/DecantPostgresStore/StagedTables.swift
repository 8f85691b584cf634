internal import DecantBase
internal import DecantPlain
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore
internal import DecantSystem

/// A temporary database with the tables of a schema on a server, filled with their rows.
struct StagedTables {
  private let server: Server
  private let connection: PostgresConnection
  private let path: String
  private let broken: BrokenRules?

  /// Describes the database at `path`, which must not exist yet.
  ///
  /// Rows that a plain database refuses are left out and recorded in `broken`; without it, they are an error.
  init(_ server: Server, _ connection: PostgresConnection, path: String, recordingIn broken: BrokenRules? = nil) {
    (self.server, self.connection, self.path, self.broken) = (server, connection, path, broken)
  }

  /// Creates the tables of a store that decant copied: those of a plain database as they were, or those of the server,
  /// in the form for changing them if `toChange`.
  ///
  /// Returns notes about differences from the tables on the server.
  func make(_ record: StoreRecord, _ catalog: ServerCatalog, toChange: Bool = false) throws(DecantError) -> [ReportNote]
  {
    let notes = try record.check(catalog, server)
    if var tables = record.tables, let template = record.template {
      for index in tables.tables.indices {
        tables.tables[index].key = catalog.tables[tables.tables[index].name]?.key ?? []
      }
      try StagedTables.write(template, to: path, needing: tables.tables.map(\.own), server)
      return try notes
        + FilledDatabase(path: path, server: server, schema: tables, broken: broken)
        .fill(on: connection).notes
    }
    let objects = toChange ? record.changedObjects : record.objects
    let scratch = try ScratchTables.make(at: path) { connection throws(DecantError) in
      try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
        for sql in ObjectsStatements(temporary: objects).tables { try connection.run(sql) }
      }
    }
    let tables = ServerTables(
      server: server, schema: record.schema, statements: ServerStatements(place: server.schema))
    let rounded = try tables.fetch(into: scratch, on: connection)
    for owners in objects.owners { try owners.read(on: scratch, place: server.place, home: server.schema) }
    // Each object of a Core Data store has one owner, too.
    if !toChange, record.template != nil {
      for owners in record.changedObjects.owners {
        try owners.check(on: scratch, place: server.place, home: server.schema)
      }
    }
    return notes + rounded.notes
  }

  /// Creates the tables of a schema without a copied store; returns their schema.
  ///
  /// If `changed` is given, only the tables with these names are created, for changing them.
  /// Of those called `links`, the rows may be read as links only.
  func makeOfCatalog(toChange changed: Set<String>? = nil, links: Set<String> = []) throws(DecantError) -> CatalogSchema
  {
    let catalog = try CatalogSchema(server, connection, toChange: changed, links: links)
    guard !catalog.schema.tables.isEmpty else {
      throw DecantError(
        .storeNotFound,
        "the schema \(server.schema) has no tables",
        place: server.place,
        remedy: "name another schema, as in ?schema=NAME" + (try filledSchemas())
      )
    }
    let made = try ScratchTables.make(at: path, pageSize: 4_096) { connection throws(DecantError) in
      try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
        for sql in catalog.statements { try connection.run(sql) }
      }
    }
    withExtendedLifetime(made) {}
    // Indexes and triggers may call functions that depend on it.
    try server.explaining("cannot set the search path") { () throws(PostgresError) in try connection.useSearchPath() }
    try FilledDatabase(path: path, server: server, schema: catalog.schema, broken: broken).fill(on: connection)
    return catalog
  }

  /// Returns the schemas that contain tables, as the end of a sentence; empty if there are none.
  private func filledSchemas() throws(DecantError) -> String {
    let names = try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT DISTINCT n.nspname FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^(pg_|decant_build_|decant_batch_)'
          AND n.nspname NOT IN ('information_schema', 'decant') ORDER BY 1 LIMIT 11
        """
      ).compactMap { $0[0] }
    }
    guard !names.isEmpty else { return "" }
    return "; there are tables in " + ServerNames.list(names)
  }

  /// Writes a template to a new file, which must be a database with `tables`.
  static func write(_ bytes: [UInt8], to path: String, needing tables: [String], _ server: Server) throws(DecantError) {
    try write(bytes, to: path)
    let missing: String?
    do throws(SQLiteError) {
      let connection = try Connection(path, mode: .readOnly)
      var there: Set<String> = []
      try connection.forEachRow("SELECT name FROM sqlite_schema") { row in
        there.insert((row.text(at: 0) ?? "").foldedName)
      }
      missing = tables.first { !there.contains($0.foldedName) }
    } catch {
      throw StoreRecord.damage(server, "its metadata is not a database", error)
    }
    if let missing { throw StoreRecord.damage(server, "its metadata lacks the table \(missing)") }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(DecantError) {
    let descriptor = DecantSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    var failure: SystemError?
    bytes.withUnsafeBytes { bytes in
      do throws(SystemError) { try Files.write(bytes, to: descriptor, of: path) } catch { failure = error }
    }
    if let failure { throw DecantError(failure) }
  }
}
