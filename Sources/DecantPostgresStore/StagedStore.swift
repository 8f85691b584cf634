internal import DecantBase
internal import DecantCopy
internal import DecantCoreData
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// A store of a database on a server that was read into a temporary database, which is an ordinary store.
struct StagedStore {
  private let server: Server
  /// The record of a store that decant copied; `nil` for other tables.
  private let record: StoreRecord?
  private let folder: ScratchFolder
  private let path: String
  private let notes: [ReportNote]
  /// Problems of the tables that the temporary database does not have.
  private let problems: [StoreProblem]
  /// The rules of the tables that rows break.
  private let broken: BrokenRules
  /// The spellings of values in tables that decant did not create.
  private let spellings: [Property: ValueSpelling]
  /// The size of the tables with their indexes.
  private let byteCount: Int64

  private init(
    _ server: Server,
    _ connection: PostgresConnection,
    record: StoreRecord? = nil,
    tables: ServerSchema,
    folder: ScratchFolder,
    path: String,
    notes: [ReportNote] = [],
    problems: [StoreProblem] = [],
    broken: BrokenRules? = nil
  ) throws(DecantError) {
    spellings = record == nil ? tables.spellings : [:]
    (self.server, self.record, self.folder, self.path) = (server, record, folder, path)
    self.broken = broken ?? BrokenRules(of: server)
    (self.notes, self.problems) = (server.notes + notes + self.broken.notes, problems + self.broken.problems)
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
    let (server, connection) = try Server.open(location, asking: [.copyOut])
    let cancellation = Cancellation.current
    connection.isStopped = { cancellation?.isCancelled == true }
    let record = try StoreRecord.find(server, connection)
    try ServerRights(server, connection).checkReadable(record.map { ($0.tables ?? $0.schema).tables.map(\.name) })
    guard let record else { return try catalog(server, connection) }
    let folder = try ScratchFolder()
    let catalog = try ServerCatalog(server, connection)
    var problems = try SequenceCheck(server, connection).problems(of: record.schema.tables, record, catalog)
    if let tables = record.tables {
      let path = "\(folder.path)/store.sqlite"
      let broken = BrokenRules(of: server, isRestored: true)
      let notes = try StagedTables(server, connection, path: path, recordingIn: broken).make(record, catalog)
      return try StagedStore(
        server, connection, record: record, tables: tables, folder: folder, path: path, notes: notes,
        problems: problems, broken: broken)
    }
    let tables = record.schema
    let rows = "\(folder.path)/rows.db"
    var notes = try StagedTables(server, connection, path: rows).make(record, catalog)
    guard let template = record.template else {
      return try StagedStore(
        server, connection, record: record, tables: tables, folder: folder, path: rows, notes: notes, problems: problems
      )
    }
    let path = "\(folder.path)/store.sqlite"
    try StagedTables.write(template, to: path, needing: ["Z_PRIMARYKEY", "Z_METADATA"], server)
    let dangling = try FilledTemplate(path: path, rows: rows, record: record, place: server.place, folder: folder)
      .fill()
    problems += dangling
    let lost = dangling.reduce(0) { $0 + ($1.count ?? 0) }
    if lost > 0 {
      let targets = lost == 1 ? "leads to a row that does not exist" : "lead to rows that do not exist"
      notes.append(ReportNote(.linksEmpty, "\(lost.counted("link")) in the database \(targets)"))
    }
    return try StagedStore(
      server, connection, record: record, tables: tables, folder: folder, path: path, notes: notes, problems: problems)
  }

  /// Reads tables that decant did not create.
  private static func catalog(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> StagedStore {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/store.sqlite"
    let broken = BrokenRules(of: server)
    let catalog = try StagedTables(server, connection, path: path, recordingIn: broken).makeOfCatalog()
    let problems = try SequenceCheck(server, connection)
      .problems(of: catalog.schema.tables, nil, ServerCatalog(server, connection))
    let renamed = try StoreRecord.noteOfOtherSchema(server, connection)
    return try StagedStore(
      server, connection, tables: catalog.schema, folder: folder, path: path,
      notes: renamed + catalog.notes + catalog.left, problems: problems, broken: broken)
  }

  private func database() throws(DecantError) -> DatabaseFile {
    try DatabaseFile.made(
      path,
      of: server.place,
      kind: PostgresKind.name,
      origin: [],
      byteCount: byteCount,
      notes: notes,
      keeper: folder,
      isFinal: true,
      isOnServer: true
    )
  }

  private func plain(facing other: FacingStore?, _ options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard options.mapping == nil, let other, let model = try other.model(options) else {
      return PlainSource(
        try PlainFile(database(), options: options), problems: problems, spellings: spellings
      ) { [broken] tables in broken.refusal(in: tables) }
    }
    return try ObjectsSource(PlainFile(database(), options: options), model: model)
  }

  /// Returns the store, for copying to `other` or comparing with it.
  func source(facing other: FacingStore?, options: CopyOptions) throws(DecantError) -> any SourceStore {
    if !options.readsPartly, let error = broken.refusal() { throw error }
    guard let record, record.tables == nil else { return try plain(facing: other, options) }
    guard record.template != nil else {
      return try ObjectsSource(
        PlainFile(database(), options: options),
        model: record.model,
        form: record.form.objects,
        problems: problems
      )
    }
    try CoreDataKind.checkOptions(options, StoreLocation(place: server.place))
    return CoreDataSource(
      try CoreDataFile(database(), model: options.model, fallback: record.model),
      uuid: record.uuid,
      isReadWithoutFiles: true,
      problems: problems,
      isInMicroseconds: record.form.roundsDates
    )
  }
}
