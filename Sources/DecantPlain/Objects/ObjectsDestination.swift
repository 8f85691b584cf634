internal import DecantCoreData
package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// A plain database for the objects of a Core Data store: a new one, or one with the same layout.
package struct ObjectsDestination: DestinationStore {
  package let about: DestinationDescription
  private let path: String
  private let statements: ObjectsStatements
  /// The objects of an existing database that have several owners, though they can have one, by relationship.
  private var severalOwners: [Property: [Int64: Int64]] = [:]

  /// Plans a new database at `path` for the objects of `source`.
  package init(new path: String, for source: any SourceStore) throws(DecantError) {
    if let gap = source.modelGap { throw gap }
    let objects = ObjectsLayout(source.model)
    self.path = path
    statements = ObjectsStatements(objects)
    var layout = objects.layout
    let names = Set(
      (layout.relations.map(\.table) + layout.linkRelations.map(\.table)).map {
        $0.foldedName
      }
    )
    // An app's own tables are copied unless an entity has the same name.
    layout.plainTables = source.layout.plainTables.filter {
      !$0.isSyncMetadata && !names.contains($0.name.foldedName)
    }
    var about = DestinationDescription(
      StoreIdentity(kind: PlainKind.name, place: path),
      at: .file(path),
      isNew: true,
      model: source.model,
      layout: layout
    )
    about.notes = ObjectsDestination.notes(source, carried: Set(layout.plainTables.map(\.name)))
    self.about = about
  }

  /// Opens the database `file`, which already has the tables for the objects of `source`.
  package init(existing file: PlainFile, for source: any SourceStore, options: CopyOptions) throws(DecantError) {
    try self.init(existing: file, of: source.model, .sqlite, for: source, options: options)
  }

  /// Opens the database `file`, which has the tables for the objects of `model` in the form `form`.
  package init(
    existing file: PlainFile,
    of model: Model,
    _ form: ObjectsForm,
    for source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) {
    if let gap = source.modelGap { throw gap }
    let place = file.database.path
    let objects = ObjectsLayout(model, form)
    path = place
    statements = ObjectsStatements(objects)
    var layout = try objects.lookedUp(in: file)
    // Tables without objects or links are not copied.
    layout.plainTables = []
    for links in layout.linkRelations where links.inverse == nil {
      severalOwners[links.relationship] = try links.severalOwners(in: "main", on: file.database.reader())
    }
    var about = DestinationDescription(
      StoreIdentity(kind: PlainKind.name, place: place),
      at: .file(place),
      isNew: false,
      model: model,
      layout: layout
    )
    about.firesTriggers = options.firesTriggers
    about.notes =
      ObjectsDestination.notes(source, carried: [])
      + PlainDestination.notes(try TriggerList(file), file.schema.tables, [], options)
    self.about = about
  }

  /// Returns notes about the parts of `source` that a plain database cannot hold.
  private static func notes(_ source: any SourceStore, carried: Set<String>) -> [ReportNote] {
    var notes: [ReportNote] = []
    let left = source.extras.syncMetadata
    if !left.isEmpty { notes.append(ReportNote(.syncMetadataNotCopied, "not copied: \(left.joined(separator: ", "))")) }
    let others = source.extras.ownTables.filter { !carried.contains($0) }
    if !others.isEmpty { notes.append(ReportNote(.tablesNotCopied, "not copied: \(others.joined(separator: ", "))")) }
    return notes
  }

  package func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    try explaining("cannot read the keys of “\(path)”") { () throws(SQLiteError) in
      var counters: [String: Int64] = [:]
      func count(_ root: String, _ table: String, _ column: String) throws(SQLiteError) {
        let name = column.sqlName
        let highest = try connection.integer(
          """
          SELECT max(\(name)) FROM \(schema.sqlName).\(table.sqlName)
          WHERE typeof(\(name)) = 'integer'
          """
        )
        counters[root] = max(counters[root] ?? 0, highest ?? 0)
      }
      for relation in layout.relations {
        try count(relation.root, relation.table, relation.keyColumn ?? ObjectsLayout.key)
      }
      // A new object must not get the key that a dangling link points to.
      for link in layout.links {
        for end in link.ends { try count(end.root, link.table, end.column) }
      }
      return counters
    }
  }

  package func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    switch part {
    case .tables: try createTables(on: connection, source: source)
    case .indexes: try createIndexes(on: connection, source: source)
    // Unique indexes came with the tables; those of the app's own tables are made with the others. Nothing is derived.
    case .uniqueIndexes, .derivedValues: break
    }
  }

  private func createTables(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot create the tables of “\(path)”") { () throws(SQLiteError) in
      let own = try ownItems(of: source, on: connection)
      try connection.transaction { () throws(SQLiteError) in
        for sql in statements.tables { try connection.run(sql) }
        // Duplicates are rejected row by row, while the object still has a name.
        for sql in statements.uniqueIndexes { try connection.run(sql) }
        for item in own where item.type == "table" { try connection.run(item.sql) }
      }
    }
  }

  /// Throws if objects that can have one owner, in a to-many relationship without inverse, got further ones.
  package func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError) {
    guard !about.isNew else { return }
    do throws(DecantError) {
      for links in layout.linkRelations where links.inverse == nil {
        try links.checkSingleOwners(
          in: "main", on: connection, place: path, former: severalOwners[links.relationship] ?? [:])
      }
    } catch {
      var error = error
      error.advice =
        "nothing was changed: exclude the objects whose owners differ with \(option: .where), or merge Core Data stores"
      throw error
    }
  }

  /// Does nothing: its tables have no key counters.
  package func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {}

  private func createIndexes(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot build the indexes of “\(path)”") { () throws(SQLiteError) in
      for sql in statements.indexes { try connection.run(sql) }
      for item in try ownItems(of: source, on: connection) where item.type == "index" {
        try connection.run(item.sql)
      }
    }
  }

  /// Returns the statements of the app's own tables that are copied.
  private func ownItems(of source: String, on connection: Connection) throws(SQLiteError) -> [StoreTemplate.Item] {
    let names = Set(layout.plainTables.map(\.name))
    guard !names.isEmpty else { return [] }
    return try StoreTemplate(of: source, on: connection, keepsSyncMetadata: false).items
      .filter { names.contains($0.table) }
  }
}
