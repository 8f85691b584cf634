internal import DecantPlain
internal import DecantPostgres
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// New tables in a PostgreSQL database for the objects of a store.
///
/// The engine fills a temporary database with the same tables, whose columns accept only values that the server takes;
/// `PostgresWriter` sends its rows.
struct PostgresDestination: DestinationStore {
  let about: DestinationDescription
  let server: Server
  let record: StoreRecord
  private let statements: ObjectsStatements

  /// Plans new tables at `location` for the objects of `source`.
  init(_ location: StoreLocation, for source: any SourceStore, options: CopyOptions) throws(DecantError) {
    if let gap = source.modelGap { throw gap }
    try PostgresDestination.check(options)
    guard !source.model.isFromTables else {
      throw DecantError(.unsupportedKind, "a plain database cannot be copied to PostgreSQL yet")
    }
    let (server, connection) = try Server.open(location)
    let record = StoreRecord(
      kind: source.identity.kind,
      uuid: source.identity.uuid,
      model: source.model,
      exactDates: options.keepsExactDates
    )
    try ServerRights(server, connection).check(record.schema)
    let objects = record.objects
    self.server = server
    self.record = record
    statements = ObjectsStatements(objects) { _ in "" }
    let rounded = record.exactDates ? 0 : try DateRange(of: source).check()
    var about = DestinationDescription(
      StoreIdentity(kind: PostgresKind.name, place: server.place),
      at: .own(PostgresPlace(server: server)),
      isNew: true,
      model: source.model,
      layout: objects.layout
    )
    about.requiredEncoding = "UTF-8"
    about.notes = server.notes + PostgresDestination.notes(source, record.schema)
    if rounded > 0 {
      about.notes.append(
        ReportNote(
          .datesRounded, "\(rounded.counted("date")) \(rounded == 1 ? "is" : "are") rounded to microseconds",
          remedy: "\(say: .exactDates) keeps them as numbers"))
    }
    self.about = about
  }

  /// Throws for options that have no meaning for a server.
  private static func check(_ options: CopyOptions) throws(DecantError) {
    let unfit: [(Bool, DecantError.Text)] = [
      (options.keepsBackup, "\(option: .backup) concerns files: pg_dump makes a backup of a database"),
      (options.template != nil, "\(option: .template) gives the Core Data store or model to create a store from"),
      (options.isUnversioned, "\(option: .unversioned) applies to a new Core Data store"),
      (options.keepsMetadata, "sync metadata is not copied to a server: \(option: .keepMetadata)"),
      (options.appends, "objects cannot be added to tables on a server yet: \(option: .append)"),
      (options.leftOver == .resume, "a copy to a server is one transaction and starts over: \(option: .resume)"),
    ]
    if let first = unfit.first(where: \.0) {
      throw DecantError(.unsuitableOption, first.1, remedy: "remove it")
    }
    guard options.merge == nil else {
      throw DecantError(
        .unsupportedKind,
        "objects cannot be merged into tables on a server yet",
        remedy: "merge the stores into a file, then copy that file to the server"
      )
    }
  }

  private static func notes(_ source: any SourceStore, _ schema: ServerSchema) -> [ReportNote] {
    var notes: [ReportNote] = []
    let left = source.extras.syncMetadata
    if !left.isEmpty { notes.append(ReportNote(.syncMetadataNotCopied, "not copied: \(left.joined(separator: ", "))")) }
    var quoted: [String] = []
    for name in schema.tables.flatMap({ [$0.name] + $0.columns.map(\.name) })
    where ServerNames.needsQuotes(name) && !quoted.contains(name) {
      quoted.append(name)
    }
    if !quoted.isEmpty {
      let names = quoted.prefix(20).map { ServerNames.quoted($0) }.joined(separator: ", ")
      notes.append(
        ReportNote(.quotedNames, "quote these names in SQL: \(names)\(quoted.count > 20 ? ", …" : "")"))
    }
    return notes
  }

  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] { [:] }

  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {}

  func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    guard case .tables = part else { return }
    try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        for sql in statements.tables { try connection.run(sql) }
        // Duplicates are rejected row by row, while the object still has a name.
        for sql in statements.uniqueIndexes { try connection.run(sql) }
      }
    }
  }
}
