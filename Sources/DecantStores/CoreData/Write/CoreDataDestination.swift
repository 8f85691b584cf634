package import Decant
internal import PropertyList
package import SQLite

/// A Core Data store to write into: one that is there, or a new one in the likeness of the source or
/// of what else the user named.
package struct CoreDataDestination: DestinationStore {
  package let identity: StoreIdentity
  package let model: Model
  package let layout: Layout
  package let isNew: Bool
  package let path: String
  package let notes: [String]
  private let numbers: [String: Int64]
  let metadata: StoreMetadata
  private let keepsSediment: Bool
  /// What a new store is made after, where that is not the source.
  private let pattern: StorePattern?
  /// The rows of `Z_PRIMARYKEY` that a store made after a pattern begins with.
  let entries: [Bookkeeping.Entry]
  /// Whether the source is a Core Data store, so that its tables mean the same as the new store's.
  let isSourceCoreData: Bool

  /// A store that is there.
  ///
  /// What `source` holds beside objects and links is its own and stays there. One that CloudKit mirrors
  /// is refused unless `writesMirrored` is true.
  package init(
    existing file: CoreDataFile,
    for source: CoreDataSource?,
    writesMirrored: Bool = false
  ) throws(DecantError) {
    let isMirrored = file.columns.keys.contains { Sediment.Kind(table: $0) == .cloudKit }
    guard !isMirrored || writesMirrored else {
      throw DecantError(
        .failed,
        "“\(file.database.path)” is mirrored by CloudKit: what is added to it may never be sent",
        place: "tables ANSCK…",
        remedy:
          "copy both stores into a new one, which leaves the mirror behind, or say --force to "
          + "add to it all the same"
      )
    }
    if let gap = file.modelGap { throw gap }
    let own = try CoreDataSource(file)
    identity = own.identity
    model = own.model
    // What is neither object nor link stays where it is.
    layout = Layout(relations: own.layout.relations, linkRelations: own.layout.linkRelations)
    isNew = false
    isSourceCoreData = source != nil
    path = file.database.path
    numbers = file.numbers
    metadata = StoreMetadata(file.metadata, uuid: file.uuid, keepsSediment: true)
    keepsSediment = true
    (pattern, entries) = (nil, [])
    let history = HistoryEntry.tables.filter { file.tableKinds[$0] != nil }
    let hasHistory = history == HistoryEntry.tables
    var notes: [String] = []
    if hasHistory {
      notes.append(
        "the store keeps persistent history: what is copied is entered there, by “\(HistoryEntry.author)”"
      )
    }
    if let table = history.first, !hasHistory {
      notes.append(
        "the store's persistent history is not whole, there is \(table) alone: nothing is entered there"
      )
    }
    if isMirrored {
      notes.append(
        hasHistory
          ? "the store is mirrored by CloudKit: whether the mirror takes what was added from persistent "
            + "history and sends it could not be tried"
          : "the store is mirrored by CloudKit and keeps no persistent history: what was added is "
            + "hardly ever sent"
      )
    }
    let others = source?.otherTables ?? []
    if !others.isEmpty {
      notes.append(
        "not copied, as a store that is added to keeps its own tables: \(others.joined(separator: ", "))"
      )
    }
    self.notes = notes
  }

  /// A new store at `path`, made after `source`.
  package init(new path: String, like source: CoreDataSource, keepsSediment: Bool) {
    self.path = path
    self.keepsSediment = keepsSediment
    metadata = StoreMetadata(
      source.file.metadata,
      uuid: StoreMetadata.newUUID(),
      keepsSediment: keepsSediment
    )
    identity = StoreIdentity(kind: "coredata", place: path, uuid: metadata.uuid)
    model = source.model
    var layout = source.layout
    if !keepsSediment { layout.plainTables.removeAll(where: \.isSediment) }
    self.layout = layout
    isSourceCoreData = true
    numbers = source.file.numbers
    (pattern, entries) = (nil, [])
    isNew = true
    let left = keepsSediment ? [] : Sediment.names(in: source.file)
    notes =
      left.isEmpty
      ? [] : ["left behind: \(left.joined(separator: ", ")); --keep-metadata takes them along"]
  }

  /// A new store at `path` for the objects of `source`, made after `pattern`.
  ///
  /// Without a source the objects come from a store of another kind, which has nothing else to give.
  init(new path: String, for source: CoreDataSource?, after pattern: StorePattern)
    throws(DecantError)
  {
    self.path = path
    self.pattern = pattern
    keepsSediment = false
    isSourceCoreData = source != nil
    let own = source?.file.metadata.filter { !CoreDataSource.frameworkKeys.contains($0.key) } ?? [:]
    metadata = StoreMetadata(
      pattern.metadata.merging(own) { first, _ in first },
      uuid: StoreMetadata.newUUID(),
      keepsSediment: false
    )
    identity = StoreIdentity(kind: "coredata", place: path, uuid: metadata.uuid)
    (model, numbers) = (pattern.model, pattern.numbers)
    layout = pattern.layout(with: try source.map(pattern.ownTables) ?? [])
    entries = CoreDataDestination.entries(after: pattern, for: source)
    notes = CoreDataDestination.notes(after: pattern, for: source)
    isNew = true
  }

  package var externalStorage: (any ExternalStorage)? { CoreDataExternalStorage(store: path) }

  /// Where the template is the source itself, its pages are the new store's.
  package var canAdoptPages: Bool { isNew && pattern == nil }

  package func counters(in schema: String, on connection: Connection) throws(DecantError)
    -> [String: Int64]
  {
    try explaining("cannot read the counters of “\(path)”") { () throws(SQLiteError) in
      var counters: [String: Int64] = [:]
      for relation in layout.relations {
        // The counter itself may lag behind: a real store was seen with 0 and keys up to 8.
        let handedOut = try connection.integer(
          "SELECT Z_MAX FROM \(schema.sqlName).Z_PRIMARYKEY WHERE Z_ENT = ?1",
          .integer(numbers[relation.root] ?? 0)
        )
        let highest = try connection.integer(
          "SELECT max(Z_PK) FROM \(schema.sqlName).\(relation.table.sqlName)"
        )
        counters[relation.root] = max(handedOut ?? 0, highest ?? 0)
      }
      // A link that dangles must not find an object at its end one day: its key is spoken for, too.
      for (table, column, root) in keyColumns {
        let highest = try connection.integer(
          """
          SELECT \(column.sqlName) FROM \(schema.sqlName).\(table.sqlName)
          WHERE typeof(\(column.sqlName)) = 'integer' ORDER BY \(column.sqlName) DESC LIMIT 1
          """
        )
        counters[root] = max(counters[root] ?? 0, highest ?? 0)
      }
      return counters
    }
  }

  /// Every column that holds keys of another table's objects, and the root entity of those.
  private var keyColumns: [(table: String, column: String, root: String)] {
    let links = layout.relations.flatMap { relation in
      relation.columns.compactMap { column in
        column.targetRoot.map { (relation.table, column.name, $0) }
      }
    }
    let joins = layout.linkRelations.flatMap { links in
      [
        (links.table, links.ownerColumn, links.ownerRoot),
        (links.table, links.targetColumn, links.targetRoot),
      ]
    }
    return links + joins
  }

  package func objectCounts(in schema: String, on connection: Connection) throws(DecantError)
    -> [String: Int64]
  {
    try explaining("cannot count the objects of “\(path)”") { () throws(SQLiteError) in
      var counts: [String: Int64] = [:]
      for relation in layout.relations {
        let table = "\(schema.sqlName).\(relation.table.sqlName)"
        try connection.forEachRow("SELECT Z_ENT, count(*) FROM \(table) GROUP BY Z_ENT") { row in
          let entity = relation.entities.first { $0.code == row.integer(at: 0) }
          counts[entity?.name ?? relation.root, default: 0] += row.integer(at: 1)
        }
      }
      return counts
    }
  }

  package func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String? {
    try explaining("cannot read the identifier of “\(path)”") { () throws(SQLiteError) in
      try connection.text("SELECT Z_UUID FROM \(schema.sqlName).Z_METADATA")
    }
  }

  package func prepare(_ connection: Connection) throws(DecantError) {
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try PrivateFunctions.register(on: connection)
    }
  }

  package func createTables(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot make the tables of “\(path)”") { () throws(SQLiteError) in
      if let pattern { return try createTables(after: pattern, on: connection, source: source) }
      for pragma in ["auto_vacuum", "user_version", "application_id"] {
        let value = try connection.integer("PRAGMA \(source.sqlName).\(pragma)") ?? 0
        try connection.run("PRAGMA main.\(pragma) = \(value)")
      }
      let template = try template(source, connection)
      try template.checkSearchTables(of: layout)
      try connection.transaction { () throws(SQLiteError) in
        for table in template.tables { try connection.run(table.sql) }
        try connection.run(
          "INSERT INTO main.Z_PRIMARYKEY SELECT * FROM \(source.sqlName).Z_PRIMARYKEY"
            + (keepsSediment ? "" : " WHERE NOT (\(Sediment.counterCondition))")
        )
        try metadata.write(on: connection)
        try copyBooks(of: template, from: source, on: connection)
      }
    }
  }

  /// Copies the cached model, and how far the app's own counters are.
  private func copyBooks(
    of template: StoreTemplate,
    from source: String,
    on connection: Connection
  ) throws(SQLiteError) {
    if template.tables.contains(where: { $0.name == "Z_MODELCACHE" }) {
      try connection.run(
        "INSERT INTO main.Z_MODELCACHE SELECT * FROM \(source.sqlName).Z_MODELCACHE"
      )
    }
    try copySequences(from: source, on: connection)
  }

  /// Notes where tables of the app's that count their keys by themselves have got to.
  func copySequences(from source: String, on connection: Connection) throws(SQLiteError) {
    for schema in [source, "main"] {
      let sequence =
        "SELECT count(*) FROM \(schema.sqlName).sqlite_schema WHERE name = 'sqlite_sequence'"
      guard try connection.integer(sequence) == 1 else { return }
    }
    let names = layout.plainTables.map(\.name.sqlText).joined(separator: ", ")
    try connection.run("DELETE FROM main.sqlite_sequence")
    try connection.run(
      """
      INSERT INTO main.sqlite_sequence SELECT * FROM \(source.sqlName).sqlite_sequence
      WHERE name IN (\(names))
      """
    )
  }

  package func adoptPages(on connection: Connection) throws(DecantError) -> Bool {
    try explaining("cannot rewrite the metadata of “\(path)”") { () throws(SQLiteError) in
      var isDirty = metadata.isReduced
      try metadata.write(on: connection)
      guard !keepsSediment else { return isDirty }
      var tables: [String] = []
      try connection.forEachRow("SELECT name FROM main.sqlite_schema WHERE type = 'table'") { row in
        tables.append(row.text(at: 0) ?? "")
      }
      for table in tables where Sediment.isTable(table) {
        try connection.run("DROP TABLE main.\(table.sqlName)")
        isDirty = true
      }
      try connection.run("DELETE FROM main.Z_PRIMARYKEY WHERE \(Sediment.counterCondition)")
      return isDirty || connection.changeCount > 0
    }
  }

  package func handOut(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    try explaining("cannot write the counters of “\(path)”") { () throws(SQLiteError) in
      for (root, counter) in counters {
        try connection.run(
          "UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(coalesce(Z_MAX, 0), ?1) WHERE Z_ENT = ?2",
          .integer(counter),
          .integer(numbers[root] ?? 0)
        )
      }
    }
  }

  package func finish(
    on connection: Connection,
    source: String,
    newKeys: [String: ClosedRange<Int64>]
  ) throws(DecantError) {
    guard !isNew else { return }
    try explaining("cannot finish “\(path)”") { () throws(SQLiteError) in
      try fillSearchTables(from: source, on: connection)
      // Nobody has changed it since it was checked: the store is locked.
      try HistoryEntry(on: connection, adding: 0)?.write(newKeys, in: layout)
    }
  }

  package func checkRoom(for count: Int64, in schema: String, on connection: Connection)
    throws(DecantError)
  {
    guard !isNew, count > 0 else { return }
    do throws(SQLiteError) {
      _ = try HistoryEntry(in: schema, on: connection, adding: count)
    } catch {
      guard error.isCorrupt else {
        throw DecantError("cannot read the persistent history of “\(path)”", cause: error)
      }
      throw DecantError(
        .corruptStore,
        "the persistent history of “\(path)” cannot take what would be added: \(error.message)",
        place: "tables ACHANGE, ATRANSACTION, ATRANSACTIONSTRING, Z_PRIMARYKEY",
        remedy:
          "restore the store from a backup, or remove its history: decant clean --what history",
        cause: error
      )
    }
  }

  /// Enters the new objects of an existing store into its R-trees, as triggers would have done.
  private func fillSearchTables(from source: String, on connection: Connection) throws(SQLiteError)
  {
    let here = try template("main", connection).virtualTables.map(\.name)
    let there = try sourceTemplate(source, connection).virtualTables.map(\.name)
    for name in here where there.contains(name) || !isSourceCoreData {
      try SearchTable(name, in: layout)?.fill(from: source, on: connection)
    }
  }

  package func createIndexes(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot build the indexes of “\(path)”") { () throws(SQLiteError) in
      let own = try sourceTemplate(source, connection)
      let template = pattern?.template(with: layout, from: own, hasUnique: true) ?? own
      for table in template.virtualTables {
        try connection.run(table.sql)
        try SearchTable(table.name, in: layout)?.fill(from: source, on: connection)
      }
      for item in template.afterRows { try connection.run(item.sql) }
    }
  }

  /// The statements of the source, as far as a new store is made after them.
  func sourceTemplate(_ source: String, _ connection: Connection) throws(SQLiteError)
    -> StoreTemplate
  {
    guard isSourceCoreData else { return StoreTemplate([]) }
    return try template(source, connection)
  }

  private func template(_ schema: String, _ connection: Connection) throws(SQLiteError)
    -> StoreTemplate
  {
    try StoreTemplate(of: schema, on: connection, keepsSediment: keepsSediment)
  }
}
