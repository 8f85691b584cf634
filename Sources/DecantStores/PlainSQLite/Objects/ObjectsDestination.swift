package import Decant
package import SQLite

/// A plain database to write the objects of a Core Data store into: a new one, or one of the same
/// layout.
package struct ObjectsDestination: DestinationStore {
  package let identity: StoreIdentity
  package let model: Model
  package let layout: Layout
  package let isNew: Bool
  package let path: String
  package let notes: [String]
  package var externalStorage: (any ExternalStorage)? { nil }
  package var canAdoptPages: Bool { false }
  package let firesTriggers: Bool
  private let statements: ObjectsStatements

  /// A new database at `path` for the objects of `source`.
  package init(new path: String, for source: any SourceStore) throws(DecantError) {
    if let gap = source.modelGap { throw gap }
    let objects = ObjectsLayout(source.model)
    self.path = path
    identity = StoreIdentity(kind: PlainKind.name, place: path)
    model = source.model
    statements = ObjectsStatements(objects)
    var layout = objects.layout
    let names = Set(
      (layout.relations.map(\.table) + layout.linkRelations.map(\.table)).map {
        $0.foldedName
      }
    )
    // An app's own tables go along, where no entity has their name.
    layout.plainTables = source.layout.plainTables.filter {
      !$0.isSediment && !names.contains($0.name.foldedName)
    }
    self.layout = layout
    isNew = true
    firesTriggers = false
    notes = ObjectsDestination.notes(source, carried: Set(layout.plainTables.map(\.name)))
  }

  /// The database `file`, which has the tables for the objects of `source` already.
  package init(existing file: PlainFile, for source: any SourceStore, options: CopyOptions)
    throws(DecantError)
  {
    if let gap = source.modelGap { throw gap }
    let place = file.database.path
    let objects = ObjectsLayout(source.model)
    path = place
    identity = StoreIdentity(kind: PlainKind.name, place: place)
    model = source.model
    statements = ObjectsStatements(objects)
    var layout = try objects.lookedUp(in: file)
    // What is neither object nor link stays where it is.
    layout.plainTables = []
    self.layout = layout
    isNew = false
    firesTriggers = options.firesTriggers
    notes =
      ObjectsDestination.notes(source, carried: [])
      + PlainDestination.notes(try TriggerList(file), file.schema.tables, [], options)
  }

  /// What of `source` has no place in a plain database.
  private static func notes(_ source: any SourceStore, carried: Set<String>) -> [String] {
    var notes: [String] = []
    let left = source.extras.syncMetadata
    if !left.isEmpty { notes.append("left behind: \(left.joined(separator: ", "))") }
    let others = source.extras.ownTables.filter { !carried.contains($0) }
    if !others.isEmpty { notes.append("not copied: \(others.joined(separator: ", "))") }
    return notes
  }

  package func counters(in schema: String, on connection: Connection) throws(DecantError)
    -> [String: Int64]
  {
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
      // A link that leads nowhere must not find an object at its end one day.
      for link in layout.links {
        for end in link.ends { try count(end.root, link.table, end.column) }
      }
      return counters
    }
  }

  package func objectCounts(in schema: String, on connection: Connection) throws(DecantError)
    -> [String: Int64]
  {
    try explaining("cannot count the objects of “\(path)”") { () throws(SQLiteError) in
      var counts: [String: Int64] = [:]
      for relation in layout.relations {
        let name = relation.entityColumn?.sqlName ?? relation.root.sqlText
        try connection.forEachRow(
          "SELECT \(name), count(*) FROM \(relation.sqlTable(in: schema)) GROUP BY 1"
        ) { row in
          let entity = relation.entities.first { $0.name == row.text(at: 0) }
          counts[entity?.name ?? relation.root, default: 0] += row.integer(at: 1)
        }
      }
      return counts
    }
  }

  package func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String? {
    nil
  }

  package func prepare(_ connection: Connection) throws(DecantError) {}

  package func createTables(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot make the tables of “\(path)”") { () throws(SQLiteError) in
      let own = try ownItems(of: source, on: connection)
      try connection.transaction { () throws(SQLiteError) in
        for sql in statements.tables { try connection.run(sql) }
        // What may not be there twice is refused row by row, while the object still has a name.
        for sql in statements.uniqueIndexes { try connection.run(sql) }
        for item in own where item.type == "table" { try connection.run(item.sql) }
      }
    }
  }

  package func adoptPages(on connection: Connection) throws(DecantError) -> Bool { false }

  package func handOut(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
  }

  package func checkRoom(for count: Int64, in schema: String, on connection: Connection)
    throws(DecantError)
  {}

  package func finish(
    on connection: Connection,
    source: String,
    written: WrittenObjects
  ) throws(DecantError) {}

  package func createUniqueIndexes(on connection: Connection, source: String) throws(DecantError) {
    // They came with the tables; those of the app's own tables are made with the others.
  }

  package func createIndexes(on connection: Connection, source: String) throws(DecantError) {
    try explaining("cannot build the indexes of “\(path)”") { () throws(SQLiteError) in
      for sql in statements.indexes { try connection.run(sql) }
      for item in try ownItems(of: source, on: connection) where item.type == "index" {
        try connection.run(item.sql)
      }
    }
  }

  /// The statements of the app's own tables that go along.
  private func ownItems(of source: String, on connection: Connection) throws(SQLiteError)
    -> [StoreTemplate.Item]
  {
    let names = Set(layout.plainTables.map(\.name))
    guard !names.isEmpty else { return [] }
    return try StoreTemplate(of: source, on: connection, keepsSediment: false).items
      .filter { names.contains($0.table) }
  }
}
