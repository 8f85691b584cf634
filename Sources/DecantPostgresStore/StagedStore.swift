internal import DecantBase
internal import DecantCopy
internal import DecantCoreData
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore
internal import DecantSystem

/// A store of a database on a server that was read into a temporary database, which is an ordinary store.
struct StagedStore {
  private let server: Server
  /// The record of a store that decant copied; `nil` for other tables.
  private let record: StoreRecord?
  private let folder: ScratchFolder
  private let path: String
  private let notes: [ReportNote]
  /// The size of the tables with their indexes.
  private let byteCount: Int64

  private init(
    _ server: Server,
    _ connection: PostgresConnection,
    record: StoreRecord? = nil,
    tables: ServerSchema,
    folder: ScratchFolder,
    path: String,
    notes: [ReportNote] = []
  ) throws(DecantError) {
    (self.server, self.record, self.folder, self.path) = (server, record, folder, path)
    self.notes = server.notes + notes
    byteCount = try server.explaining("cannot read the size of the tables") { () throws(PostgresError) in
      try connection.text(
        """
        SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(c.oid))
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind = 'r' AND (c.relispartition OR c.relname = ANY ($2::pg_catalog.name[]))
        """,
        [server.schema, ServerNames.array(tables.tables.map(\.name))]
      ).flatMap { Int64($0) } ?? 0
    }
  }

  /// Reads the store at `location`, in one state.
  static func open(_ location: StoreLocation) throws(DecantError) -> StagedStore {
    let (server, connection) = try Server.open(location)
    let cancellation = Cancellation.current
    connection.isStopped = { cancellation?.isCancelled == true }
    guard let record = try StoreRecord.find(server, connection) else { return try catalog(server, connection) }
    let folder = try ScratchFolder()
    if let tables = record.tables, let template = record.template {
      let path = "\(folder.path)/store.sqlite"
      try write(template, to: path)
      try FilledDatabase(path: path, server: server, schema: tables).fill(on: connection)
      return try StagedStore(server, connection, record: record, tables: tables, folder: folder, path: path)
    }
    let tables = record.schema
    let rows = "\(folder.path)/rows.db"
    let objects = record.objects
    let scratch = try ScratchTables.make(at: rows) { connection throws(DecantError) in
      try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
        for sql in ObjectsStatements(objects, declaring: { _ in "" }).tables { try connection.run(sql) }
      }
    }
    try ServerTables(server: server, schema: tables, statements: ServerStatements(place: server.schema))
      .fetch(into: scratch, on: connection)
    guard let template = record.template else {
      return try StagedStore(server, connection, record: record, tables: tables, folder: folder, path: rows)
    }
    let path = "\(folder.path)/store.sqlite"
    try write(template, to: path)
    let notes = try FilledTemplate(path: path, rows: rows, record: record, place: server.place, folder: folder).fill()
    return try StagedStore(
      server, connection, record: record, tables: tables, folder: folder, path: path, notes: notes)
  }

  /// Reads tables that decant did not make.
  private static func catalog(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> StagedStore {
    let catalog = try CatalogSchema(server, connection)
    guard !catalog.schema.tables.isEmpty else {
      throw DecantError(
        .storeNotFound,
        "the schema \(server.schema) has no tables",
        place: server.place,
        remedy: "name another schema, as in ?schema=NAME"
      )
    }
    let folder = try ScratchFolder()
    let path = "\(folder.path)/store.sqlite"
    let made = try ScratchTables.make(at: path) { connection throws(DecantError) in
      try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
        for sql in catalog.statements { try connection.run(sql) }
      }
    }
    withExtendedLifetime(made) {}
    try FilledDatabase(path: path, server: server, schema: catalog.schema).fill(on: connection)
    return try StagedStore(
      server, connection, tables: catalog.schema, folder: folder, path: path, notes: catalog.notes)
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

  private func database() throws(DecantError) -> DatabaseFile {
    try DatabaseFile.made(
      path,
      of: server.place,
      kind: PostgresKind.name,
      origin: [],
      byteCount: byteCount,
      notes: notes,
      keeper: folder
    )
  }

  private func plain(facing other: FacingStore?, _ options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard options.mapping == nil, let other, let model = try other.model(options) else {
      return PlainSource(try PlainFile(database(), options: options))
    }
    return try ObjectsSource(PlainFile(database(), options: options), model: model)
  }

  /// Returns the store, to be copied to `other` or compared with it.
  func source(facing other: FacingStore?, options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard let record, record.tables == nil else { return try plain(facing: other, options) }
    guard record.template != nil else {
      return try ObjectsSource(
        PlainFile(database(), options: options),
        model: record.model,
        form: record.form.objects
      )
    }
    return try CoreDataKind().source(in: database(), uuid: record.uuid, fallback: record.model, options: options)
  }
}
