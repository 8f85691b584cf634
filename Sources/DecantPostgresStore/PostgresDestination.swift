internal import DecantPlain
internal import DecantPostgres
internal import DecantBase
internal import DecantPlan
internal import DecantServerSchema
internal import DecantStore
internal import DecantSQLite

/// New tables in a PostgreSQL database for the objects of a store.
///
/// The engine fills a temporary database with the same tables, whose columns accept only values that the server
/// accepts; `PostgresWriter` sends its rows.
struct PostgresDestination: DestinationStore {
  let about: DestinationDescription
  let server: Server
  let record: StoreRecord
  /// How the temporary database is made.
  private let form: Form

  private enum Form {
    /// By these statements.
    case objects(ObjectsStatements)
    /// As a copy of a plain database.
    case plain(PlainDestination)
  }

  /// Plans new tables at `location` for the objects of `source`.
  init(_ location: StoreLocation, for source: any SourceStore, options: CopyOptions) throws(DecantError) {
    if let gap = source.modelGap { throw gap }
    try PostgresDestination.check(options)
    let (server, connection) = try Server.open(location, asking: Set(ServerAbilities.Ability.allCases))
    var record = StoreRecord(
      kind: source.identity.kind,
      uuid: source.identity.uuid,
      model: source.model,
      form: ServerForm(exactDates: options.keepsExactDates, names: options.tableNames)
    )
    var rounded: Int64 = 0
    var about: DestinationDescription
    var notes = server.notes
    if let source = source as? PlainSource {
      // Virtual tables are not sent, so their shadow tables are not copied, either.
      var ordinary = options
      ordinary.onError = .reject
      var plain = PlainDestination(new: server.place, like: source, options: ordinary)
      let made = try PlainServerSchema(source, options)
      for table in made.schema.tables {
        plain.lastColumns[table.own.foldedName] = Set(table.streamedColumns.map(\.own.foldedName))
      }
      if let wide = made.wideTable { try server.check(wide, connection) }
      record.tables = made.schema
      form = .plain(plain)
      about = plain.about
      about.canAdoptPages = false
      about.layout.encode(made.encodings)
      notes += made.notes
    } else if source.model.isFromTables {
      throw DecantError(
        .unsupportedKind, "“\(source.identity.place)” has no model, and is not a database whose tables could be copied")
    } else {
      try RowLimit(of: source).check(options)
      record.form.types = try ColumnChoices.types(options, for: source, record.form)
      let objects = record.objects
      form = .objects(ObjectsStatements(temporary: objects))
      rounded = try DateRange(of: source, record.form).check(options)
      about = DestinationDescription(
        StoreIdentity(kind: PostgresKind.name, place: server.place),
        at: .own(PostgresPlace(server: server)),
        isNew: true,
        model: source.model,
        layout: objects.layout
      )
      about.requiredEncoding = "UTF-8"
    }
    try ServerRights(server, connection).check(record.schema)
    self.server = server
    self.record = record
    about.identity = StoreIdentity(kind: PostgresKind.name, place: server.place, terms: source.identity.terms)
    about.place = .own(PostgresPlace(server: server))
    about.layout.limitTexts(to: try server.repertoire(connection))
    about.notes = notes + PostgresDestination.notes(source, record.schema)
    about.creation = ServerStatements(place: server.schema, server.abilities).creation(of: record.schema)
    if rounded > 0 {
      about.notes.append(
        ReportNote(
          .datesRounded, "\(rounded.counted("date")) \(rounded == 1 ? "is" : "are") rounded to microseconds",
          remedy: "\(say: .exactDates) keeps them as numbers"))
    }
    self.about = about
  }

  /// Throws for options that do not apply to a server.
  private static func check(_ options: CopyOptions) throws(DecantError) {
    let unfit: [(Bool, DecantError.Text)] = [
      (options.keepsBackup, "\(option: .backup) concerns files: pg_dump makes a backup of a database"),
      (options.template != nil, "\(option: .template) gives the Core Data store or model to create a store from"),
      (options.isUnversioned, "\(option: .unversioned) applies to a new Core Data store"),
      (options.keepsMetadata, "sync metadata is not copied to a server: \(option: .keepMetadata)"),
    ]
    if let first = unfit.first(where: \.0) {
      throw DecantError(.unsuitableOption, first.1, remedy: "remove it")
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
      let names = quoted.map { ServerNames.quoted($0) }.joined(separator: ", ")
      notes.append(ReportNote(.quotedNames, "quote these names in SQL: \(names)"))
    }
    return notes
  }

  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] { [:] }

  /// Returns the highest keys that were ever assigned in the source, a plain database, by root.
  func highestNumbers(_ session: CopySession) throws(DecantError) -> [String: Int64] {
    guard case .plain(let plain) = form else { return [:] }
    let reader = session.connection.reader(of: CopySession.source)
    return try plain.counters(in: CopySession.source, on: reader)
  }

  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {}

  func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    guard case .tables = part else { return }
    guard case .objects(let statements) = form else {
      if case .plain(let plain) = form { try plain.make(.tables, on: connection, source: source) }
      return
    }
    try explaining("cannot create the temporary tables") { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        for sql in statements.tables { try connection.run(sql) }
        // Duplicates are rejected row by row, while the names of the objects are still known.
        for sql in statements.uniqueIndexes { try connection.run(sql) }
      }
    }
  }
}

extension Server {
  /// Throws if no row of a table, which is described as in `PlainServerSchema`, fits on a page of the server.
  fileprivate func check(
    _ wide: (name: String, columnCount: Int, byteCount: Int64),
    _ connection: PostgresConnection
  ) throws(DecantError) {
    let pageSize = try explaining("cannot ask for the size of pages") { () throws(PostgresError) in
      try connection.text("SELECT pg_catalog.current_setting('block_size')")
    }
    guard pageSize == "8192" else { return }
    throw DecantError(
      .unsupportedContent,
      "the rows of \(wide.name), which has \(Int64(wide.columnCount).counted("column")), take at least "
        + "\(wide.byteCount) bytes each; a row of PostgreSQL can have at most \(PlainServerSchema.rowLimit)",
      place: "\(place)",
      remedy: "choose smaller types with \(option: .type), or use \(say: .leaveOut, wide.name) to exclude the table"
    )
  }
}

extension Layout {
  /// Limits all texts to the characters of a server's encoding, if that lacks any.
  mutating func limitTexts(to repertoire: Repertoire?) {
    guard let repertoire else { return }
    for relation in relations.indices {
      for column in relations[relation].columns.indices {
        let encoding = relations[relation].columns[column].encoding
        let isText =
          switch encoding {
          case .strict(.text), .converted(.text, _): true
          case .spelled(let spelling): [.text, .bpchar, .jsonb, .asked].contains(spelling.kind)
          default: false
          }
        if isText { relations[relation].columns[column].encoding = .limited(encoding, repertoire) }
      }
    }
  }

  /// Sets the encodings of columns, which may reject values.
  mutating func encode(_ encodings: [Property: ValueEncoding]) {
    for relation in relations.indices {
      for column in relations[relation].columns.indices where !relations[relation].columns[column].isGenerated {
        let name = Property(relations[relation].table, relations[relation].columns[column].name)
        if let encoding = encodings[name] { relations[relation].columns[column].encoding = encoding }
      }
    }
  }
}
