internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The tables of a store on a server that is to be changed: locked in one transaction, and read into a temporary
/// database, which the engine changes.
final class ExistingTables {
  let server: Server
  /// The connection with the transaction that locks, reads and changes the tables.
  let connection: PostgresConnection
  /// The record of a store that decant copied; `nil` for other tables.
  let record: StoreRecord?
  let schema: ServerSchema
  let catalog: ServerCatalog
  let keys: KeyRanges
  /// The database that the engine changes.
  let database: DatabaseFile
  /// The path of a copy in its original state.
  let before: String
  /// The folder for temporary files.
  let folder: ScratchFolder
  let notes: [ReportNote]
  /// The record of a complete run that was not dropped; it is when these tables are changed.
  let completed: BatchRun?

  /// What a change is about, which decides on the tables that it concerns.
  enum Subject {
    /// Rows of a store that are added or merged.
    case rows(of: any SourceStore)
    /// Rows of tables that are deleted, each with its key; and other tables that may refer to them.
    case tables(keys: [String: [String]], others: [String])

    /// Whether rows are deleted, whatever the options are.
    fileprivate var deletes: Bool { if case .tables = self { true } else { false } }
  }

  /// Locks the tables of the schema at `location` that a change concerns, and reads them.
  ///
  /// For a dry run they are only read.
  ///
  /// - Returns: `nil` if there are none.
  /// - Throws: `DecantError` of the family `.storeBusy` if a run other than `run` has not added all its rows yet.
  static func open(
    _ location: StoreLocation,
    for subject: Subject,
    _ options: CopyOptions,
    besides run: BatchRun? = nil
  ) throws(DecantError) -> ExistingTables? {
    var abilities: Set<ServerAbilities.Ability> = [.copyOut, .writtenRows, .deferrable]
    if options.commit == .batch { abilities.insert(.atomicDDL) }
    let (server, connection) = try Server.open(location, asking: abilities)
    let cancellation = Cancellation.current
    connection.isStopped = { cancellation?.isCancelled == true }
    let record = try StoreRecord.find(server, connection)
    let there = try ServerCatalog.tableNames(server, connection)
    let names = record.map { $0.schema.tables.map(\.name) } ?? there
    guard names.contains(where: there.contains) else { return nil }
    try ExistingTablesDestination.check(options, record)
    if options.commit == .batch { try ServerRights(server, connection).checkCanRecord(server.abilities) }
    if options.defersConstraints, options.commit == .batch { try BatchRun.checkIsAlone(server, connection) }
    let missing = names.filter { !there.contains($0) }
    guard missing.isEmpty else {
      throw DecantError(
        .modelsDiffer,
        "tables of the store in the schema \(server.schema) are missing: \(missing.joined(separator: ", "))",
        place: "\(server.place)",
        remedy: "restore them, or copy into another schema"
      )
    }
    let needed = try record == nil ? needed(names, ServerCatalog(server, connection), subject, options) : names
    return try ExistingTables(server, connection, record, needed, for: subject, options, besides: run)
  }

  /// Returns the tables, among those called `names`, that a change concerns: those that get or lose rows, those to which
  /// new rows refer, and those whose rows refer to rows that may be deleted or changed.
  ///
  /// A mapping may write to any table.
  private static func needed(
    _ names: [String],
    _ catalog: ServerCatalog,
    _ subject: Subject,
    _ options: CopyOptions
  ) -> [String] {
    var needed: Set<String>
    switch subject {
    case .tables(let keys, let others):
      needed = Set(names.filter { name in keys[name] != nil || others.contains { $0.isSameName(as: name) } })
      needed.formUnion(catalog.references.filter { keys[$0.target ?? ""] != nil }.map(\.table))
    case .rows(let source):
      guard options.mapping == nil, let source = source as? PlainSource else { return names }
      let given = Set(
        source.layout.relations.map(\.table.foldedName) + source.layout.linkRelations.map(\.table.foldedName))
      needed = Set(names.filter { given.contains($0.foldedName) })
      var work = Array(needed)
      while let table = work.popLast() {
        var others = catalog.references.filter { $0.table == table }.compactMap(\.target)
        if let merge = options.merge {
          others += catalog.actingReferences.filter { $0.target == table }.compactMap(\.name)
          if deletes(merge) {
            others += catalog.references.filter { $0.target == table }.map(\.table)
            let links = options.links.filter { $0.target.isSameName(as: table) }.map(\.property.entity.foldedName)
            others += names.filter { links.contains($0.foldedName) }
          }
        }
        for other in others where needed.insert(other).inserted { work.append(other) }
      }
    }
    // Without any, the error says what the source lacks.
    return needed.isEmpty ? names : names.filter(needed.contains)
  }

  /// Whether a merge may delete rows.
  private static func deletes(_ merge: MergeRules) -> Bool {
    merge.base != nil || merge.decisionsFile != nil
      || ([merge.rule] + merge.rules.values).contains { $0.policy == .replace }
  }

  private init(
    _ server: Server,
    _ connection: PostgresConnection,
    _ record: StoreRecord?,
    _ names: [String],
    for subject: Subject,
    _ options: CopyOptions,
    besides run: BatchRun?
  ) throws(DecantError) {
    (self.server, self.connection, self.record) = (server, connection, record)
    if options.isDryRun {
      try server.explaining("cannot read the tables") { () throws(PostgresError) in
        _ = try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      }
    } else {
      try ServerRights(server, connection).check(changing: names, deletes: options.merge != nil || subject.deletes)
      try TableLock(server, connection, names).take()
    }
    if let other = try BatchRun.find(server, connection), other.place != run?.place {
      guard other.isComplete else { throw try other.unfinished() }
      completed = other
    } else {
      completed = nil
    }
    var catalog = try ServerCatalog(server, connection)
    folder = try ScratchFolder()
    let path = "\(folder.path)/tables.sqlite"
    before = "\(folder.path)/before.sqlite"
    let staged = StagedTables(server, connection, path: path)
    var notes: [ReportNote] = []
    if let record {
      notes = try staged.make(record, catalog, toChange: true)
      schema = record.schema
      try server.explaining("cannot set the search path") { () throws(PostgresError) in try connection.useSearchPath() }
    } else {
      let made = try staged.makeOfCatalog(toChange: Set(names), links: ExistingTables.links(subject))
      (schema, notes) = (made.schema, made.notes)
      // The rows of a table of links are known by their ends, or as those that a run added were.
      for table in made.schema.tables {
        let columns = Set(table.columns.map(\.name))
        if catalog.tables[table.name]?.key.allSatisfy(columns.contains) == false {
          catalog.takeKey(of: table.name, where: columns.isSuperset)
        }
        if case .tables(let keys, _) = subject, let key = keys[table.name] {
          catalog.takeKey(of: table.name) { $0 == key }
        }
      }
      if let pair = made.alike.first {
        throw DecantError(
          .unsupportedContent,
          "\(pair.name) and \(pair.other) differ in case only: rows could get into the wrong one",
          place: "\(server.place)",
          remedy: "rename one of them on the server"
        )
      }
    }
    if case .rows = subject { notes += try ExistingTablesDestination.notes(onResuming: options, server) }
    self.notes = notes
    let (from, to) = (path, before)
    let cancellation = Cancellation.current
    try explaining { () throws(SystemError) in
      try Files.copy(from, to: to) { _ in cancellation?.isCancelled != true }
    }
    try ExistingTables.makeIndexes(record, path)
    database = try DatabaseFile.made(
      path, of: server.place, kind: PostgresKind.name, origin: [], notes: [], keeper: folder)
    keys = KeyRanges(server, connection)
    for (table, key) in try ExistingTables.knownKeys(record, schema, database, subject) {
      catalog.assume(key, of: table)
    }
    self.catalog = catalog
  }

  /// Returns the names of the source's tables whose rows are links.
  private static func links(_ subject: Subject) -> Set<String> {
    guard case .rows(let source) = subject, let source = source as? PlainSource else { return [] }
    return Set(source.layout.linkRelations.map(\.table.foldedName))
  }

  /// Returns the keys that tables have by what is known of them, by the names on the server.
  private static func knownKeys(
    _ record: StoreRecord?,
    _ schema: ServerSchema,
    _ database: DatabaseFile,
    _ subject: Subject
  ) throws(DecantError) -> [String: [String]] {
    if let record, record.tables == nil {
      return Dictionary(schema.tables.map { ($0.name, $0.key) }) { first, _ in first }
    }
    if case .tables(let keys, _) = subject { return keys }
    var facing: PlainSchema?
    if case .rows(let source as PlainSource) = subject { facing = source.file.schema }
    let tables = try PlainFile(database, options: CopyOptions(), facing: facing).schema
    var keys: [String: [String]] = [:]
    for table in tables.tables {
      guard let key = tables.key(of: table), key.isShown, let made = schema.table(of: table.name) else { continue }
      keys[made.name] = made.names(of: [key.column])
    }
    return keys
  }

  /// Creates the indexes for finding objects and links, and for rejecting duplicates, in a database of objects.
  private static func makeIndexes(_ record: StoreRecord?, _ path: String) throws(DecantError) {
    guard let record, record.tables == nil else { return }
    try explaining("cannot index the temporary tables") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .readWrite)
      for pragma in ["journal_mode = OFF", "synchronous = OFF"] { try connection.run("PRAGMA \(pragma)") }
      let statements = ObjectsStatements(record.changedObjects) { _ in "" }
      for sql in statements.uniqueIndexes + statements.indexes { try connection.run(sql) }
    }
  }

  /// Returns the tables as a store for reading.
  func source(_ options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard let record, record.tables == nil else {
      return PlainSource(
        try PlainFile(database, options: options), spellings: record == nil ? schema.spellings : [:])
    }
    return try ObjectsSource(
      PlainFile(database, options: CopyOptions()),
      model: record.model,
      form: record.changedForm
    )
  }

  /// Writes the owners that objects hold to the tables of links, in the temporary database.
  func writeOwners(on connection: Connection) throws(DecantError) {
    guard let record, record.tables == nil else { return }
    for owners in record.changedObjects.owners { try owners.write(on: connection) }
  }

  /// The foreign keys, with the names of the tables.
  var references: [ServerSchema.Reference] {
    catalog.references.compactMap { reference in
      reference.target.map { target in
        ServerSchema.Reference(
          name: "", table: reference.table, columns: reference.columns, target: target,
          targetColumns: reference.targetColumns, onDelete: "")
      }
    }
  }

  /// Returns links by the names in the source as references to the keys of their targets.
  func references(of links: [CopyOptions.Link]) -> [ServerSchema.Reference] {
    links.compactMap { link in
      guard let table = schema.table(of: link.property.entity), let target = schema.table(of: link.target),
        let key = catalog.tables[target.name]?.key, key.count == 1,
        let column = table.columns.first(where: { $0.own.isSameName(as: link.property.name) })
      else { return nil }
      return ServerSchema.Reference(
        name: "", table: table.name, columns: [column.name], target: target.name, targetColumns: key, onDelete: "")
    }
  }

  /// The foreign keys through which the server changes rows of tables that are not part of the change.
  var otherReferences: [ServerCatalog.ActingReference] {
    catalog.actingReferences.filter { reference in !schema.tables.contains { $0.name == reference.name } }
  }

  /// Returns the links of the rows of a plain database, with the names of the tables.
  func references(of source: any SourceStore) -> [ServerSchema.Reference] {
    guard source.model.isFromTables else { return [] }
    let layout = source.layout
    func reference(_ table: String, _ columns: [String], _ root: String, _ targetColumns: [String])
      -> ServerSchema.Reference?
    {
      guard let table = schema.table(of: table), let target = schema.table(of: root),
        let columns = table.names(of: columns), let targetColumns = target.names(of: targetColumns)
      else { return nil }
      return ServerSchema.Reference(
        name: "", table: table.name, columns: columns, target: target.name, targetColumns: targetColumns, onDelete: "")
    }
    func reference(_ table: String, _ column: String, to root: String) -> ServerSchema.Reference? {
      layout.relation(of: root)?.keyColumn.flatMap { reference(table, [column], root, [$0]) }
    }
    let columns = layout.relations.flatMap { relation in
      relation.columns.compactMap { column in
        column.targetRoot.flatMap { reference(relation.table, column.name, to: $0) }
      }
    }
    let ends = layout.linkRelations.flatMap { link in
      [(link.ownerColumn, link.ownerRoot), (link.targetColumn, link.targetRoot)].compactMap { column, root in
        reference(link.table, column, to: root)
      }
    }
    let values = (layout.nonIntegerKeys + layout.partialLinks).compactMap { link in
      reference(link.root, link.columns, link.targetRoot, link.targetColumns)
    }
    return columns + ends + values
  }

  /// Returns the columns of the keys of the objects of `layout`, by root entity.
  func keyColumns(of layout: Layout) -> [String: KeyRanges.Column] {
    var found: [String: KeyRanges.Column] = [:]
    for relation in layout.relations {
      guard let table = schema.table(of: relation.table), let facts = catalog.tables[table.name],
        facts.key.count == 1, let column = facts.columns[facts.key[0]]
      else { continue }
      let name = "\(table.name).\(facts.key[0])"
      found[relation.root] = KeyRanges.Column(name: name, type: column.base, sequence: column.sequence)
    }
    return found
  }
}
