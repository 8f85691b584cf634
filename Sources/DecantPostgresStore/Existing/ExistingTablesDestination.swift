internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Existing tables on a server, to which objects are added or with whose objects others are merged.
///
/// The engine changes a temporary database with their rows like any store; `ExistingTablesWriter` makes the same
/// changes on the server.
struct ExistingTablesDestination: DestinationStore {
  let about: DestinationDescription
  let tables: ExistingTables
  /// The temporary database.
  private let rows: any DestinationStore

  init(_ tables: ExistingTables, at location: StoreLocation, for source: any SourceStore, options: CopyOptions)
    throws(DecantError)
  {
    guard source.identity.place != tables.server.place else {
      throw DecantError(
        .sameFile, "“\(tables.server.place)” is the source itself", remedy: "use another destination")
    }
    self.tables = tables
    rows = try ExistingTablesDestination.rows(tables, for: source, options)
    var about = rows.about
    about.identity = StoreIdentity(
      kind: PostgresKind.name,
      place: tables.server.place,
      uuid: tables.record?.uuid,
      terms: rows.identity.terms
    )
    if let made = tables.record == nil ? tables.schema : tables.record?.tables {
      about.layout.encode(ExistingTablesDestination.encodings(made, about.layout))
    }
    about.layout.limitTexts(to: try tables.server.repertoire(tables.connection))
    for index in about.layout.relations.indices where tables.record == nil {
      guard let table = tables.schema.table(of: about.layout.relations[index].table),
        let facts = tables.catalog.tables[table.name]
      else { continue }
      // A sequence counts.
      if facts.key.contains(where: { facts.columns[$0]?.sequence != nil }) {
        about.layout.relations[index].keyMayBeData = false
      }
    }
    about.place = .own(ExistingTablesPlace(tables: tables, location: location))
    let triggers = tables.schema.tables.flatMap { table in
      (tables.catalog.tables[table.name]?.triggers ?? []).map { "\($0) of \(table.name)" }
    }
    // The triggers of a SQLite database that was copied to the server do not exist there.
    about.firesTriggers = false
    about.notes =
      tables.server.notes + about.notes.filter { $0.kind != .triggersNotRun && $0.kind != .triggersRun } + tables.notes
    if !triggers.isEmpty {
      about.notes.append(
        ReportNote(
          .triggersRun, "triggers of the server run for rows that are written: \(triggers.joined(separator: ", "))"))
    }
    let others = Set(tables.otherReferences.map(\.table)).sorted()
    if options.isDryRun, options.merge != nil, !others.isEmpty {
      about.notes.append(
        ReportNote(
          .mergeRefused,
          "the merge will be refused if the server would also delete or change rows of \(others.joined(separator: ", "))"
        ))
    }
    self.about = about
    try tables.keys.read(tables.keyColumns(of: about.layout), sequences: !options.isDryRun)
  }

  private static func rows(_ tables: ExistingTables, for source: any SourceStore, _ options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    var options = options
    options.firesTriggers = false
    if let record = tables.record, record.tables == nil {
      return try ObjectsDestination(
        existing: PlainFile(tables.database, options: CopyOptions()),
        of: record.model,
        record.changedForm,
        for: source,
        options: options
      )
    }
    if options.mapping != nil {
      return try PlainDestination(
        existing: PlainFile(tables.database, options: CopyOptions()), for: nil, options: options)
    }
    guard let source = source as? PlainSource else {
      throw DecantError(
        .modelsDiffer,
        "“\(source.identity.place)” has a model, but the tables in the schema \(tables.server.schema) were not made from one",
        place: "\(tables.server.place)",
        remedy: "copy into another schema, as in ?schema=NAME, or map the objects to the tables with \(say: .mapping)"
      )
    }
    try source.checkLeftOut(options, of: "tables that exist")
    // SQLite does not distinguish names that differ only in case.
    let spelling = options.takesOtherSpelling ? source.file : nil
    return try PlainDestination(
      existing: PlainFile(
        tables.database, options: options, spelledLike: spelling, facing: source.file.schema, isDestination: true),
      for: source,
      options: options
    )
  }

  /// Returns the encodings by which columns of a plain database reject values that the server's columns cannot hold.
  private static func encodings(_ tables: ServerSchema, _ layout: Layout) -> [Property: ValueEncoding] {
    var encodings: [Property: ValueEncoding] = [:]
    for relation in layout.relations {
      guard let table = tables.table(of: relation.table) else { continue }
      for column in relation.columns {
        guard case .attribute = column.columnRole,
          let made = table.columns.first(where: { $0.own.isSameName(as: column.name) })
        else { continue }
        let type = made.type.strictType
        encodings[Property(relation.table, column.name)] =
          made.spelling.map { .spelled($0) } ?? made.form.map { .converted(type, $0) } ?? .strict(type)
      }
    }
    return encodings
  }

  /// Throws for options that have no meaning for tables on a server; `record` is that of their store.
  static func check(_ options: CopyOptions, _ record: StoreRecord?) throws(DecantError) {
    let unfit: [(Bool, DecantError.Text)] = [
      (options.keepsBackup, "\(option: .backup) concerns files: pg_dump makes a backup of a database"),
      (options.template != nil, "\(option: .template) gives the Core Data store or model to create a store from"),
      (options.isUnversioned, "\(option: .unversioned) applies to a new Core Data store"),
      (options.keepsMetadata, "sync metadata is not copied to a server: \(option: .keepMetadata)"),
      (
        options.leftOver == .resume && options.commit == .run,
        "a change of tables on a server is one transaction and starts over: \(option: .resume)"
      ),
      (
        options.commit == .batch && options.merge?.tombstoneFile != nil,
        "a history of merges is written for one transaction: \(option: .tombstones) with \(option: .commit, "batch")"
      ),
      (
        options.keepsExactDates && record?.form.exactDates != true,
        "the date columns already exist, and are not numbers: \(option: .exactDates) applies to new tables"
      ),
    ]
    if let option = options.columnOption, option != .exactDates {
      throw DecantError(
        .unsuitableOption, "the tables already exist: \(option: option) applies to new tables only", remedy: "remove it"
      )
    }
    guard let first = unfit.first(where: \.0) else { return }
    throw DecantError(.unsuitableOption, first.1, remedy: "remove it")
  }

  /// Returns a note if nothing was interrupted; throws if the objects may have been added already.
  static func notes(onResuming options: CopyOptions, _ server: Server) throws(DecantError) -> [ReportNote] {
    guard options.leftOver == .resume else { return [] }
    guard !options.matchesObjects(isNew: false) else {
      return [ReportNote(.nothingToResume, "nothing to resume: this is a new run")]
    }
    throw DecantError(
      .nothingToResume,
      "there is nothing to resume: no unfinished run changes the schema \(server.schema)",
      place: "the run is either complete or was never started",
      remedy:
        "check with \(command: "verify", app: "a verification") whether the tables hold the objects; without \(option: .resume), all of them are added again"
    )
  }

  // MARK: Keys

  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    var counters = try rows.counters(in: schema, on: connection)
    for (root, taken) in tables.keys.taken where taken > counters[root] ?? 0 { counters[root] = taken }
    return counters
  }

  /// Returns `nil` if a sequence assigns the keys: an app may have taken a free one.
  func takenKeys(of root: String, in schema: String) -> [String]? {
    tables.keys.hasSequence(root) ? nil : rows.takenKeys(of: root, in: schema)
  }

  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    try rows.allocate(counters, on: connection)
  }

  func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String? { tables.record?.uuid }

  // MARK: The temporary database

  func prepare(_ connection: Connection) throws(DecantError) { try rows.prepare(connection) }

  func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    try rows.make(part, on: connection, source: source)
  }

  func checkRoom(for count: Int64, in schema: String, on connection: Connection) throws(DecantError) {
    try rows.checkRoom(for: count, in: schema, on: connection)
  }

  func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError) {
    try rows.finish(on: connection, source: source, written: written)
    try tables.writeOwners(on: connection)
  }
}
