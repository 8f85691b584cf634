import DecantContainers
import FoundationEssentials
import DecantPropertyList
import DecantSQLite

/// Everything that goes into one store.
struct StoreContent {
  /// The name of the file.
  let file: String
  let graph: ObjectGraph
  /// Entries of the metadata beside Core Data's own.
  var metadata: [String: PropertyList] = [:]
  /// Tables that belong to no entity.
  var syncMetadata: [SyncMetadataTable] = []
}

/// A table of Core Data's own, with its rows and its row in `Z_PRIMARYKEY`.
struct SyncMetadataTable {
  let name: String
  let number: Int64
  let entity: String
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, with their types.
  let columns: [String]
  var indexes: [String] = []
  let version: Binding
  let rows: [[Binding]]
  /// How many more keys were allocated than there are rows.
  var deleted: Int64 = 0
}

/// Writes a store as one file, in Core Data's layout.
struct StoreWriter {
  let content: StoreContent
  private let layout: Layout
  private let connection: Connection

  /// Makes a new file in `folder`, in place of one of the same name.
  init(_ content: StoreContent, in folder: String) throws {
    self.content = content
    layout = Layout(content.graph.schema)
    let path = folder + "/" + content.file
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    connection = try Connection(path, mode: .create)
  }

  /// Writes everything.
  func write() throws {
    // The first two hold only if set before the first table; the journal leaves no trace.
    for pragma in ["page_size = 4096", "auto_vacuum = 2", "journal_mode = MEMORY"] {
      try connection.run("PRAGMA \(pragma)")
    }
    try connection.run("BEGIN IMMEDIATE")
    for statement in layout.statements + Layout.bookkeeping { try connection.run(statement) }
    for statement in content.syncMetadata.map(\.creation) { try connection.run(statement) }
    for statement in content.syncMetadata.flatMap(\.indexes) { try connection.run(statement) }
    for table in layout.tables { try writeRows(of: table) }
    for table in layout.tables.flatMap(\.joins) { try writePairs(of: table) }
    for table in content.syncMetadata { try writeRows(of: table) }
    try writeBookkeeping()
    try connection.run("COMMIT")
  }

  private func insertion(into table: String, width: Int) throws(SQLiteError) -> Statement {
    let parameters = Array(repeating: "?", count: width).joined(separator: ", ")
    return try connection.prepare("INSERT INTO \(table) VALUES (\(parameters))")
  }

  private func insert(_ row: [Binding], with statement: Statement) throws(SQLiteError) {
    try statement.bind(row)
    defer { statement.reset() }
    while try statement.step() {}
  }

  private func writeRows(of table: Layout.Table) throws(SQLiteError) {
    let statement = try insertion(into: table.name, width: table.columns.count)
    let schema = layout.schema
    for object in content.graph.objects
    where schema.root(of: object.reference.entity) == table.root {
      try insert(table.columns.map { object.value(of: $0.role, in: schema) }, with: statement)
    }
  }

  private func writePairs(of join: Layout.Join) throws(SQLiteError) {
    let statement = try insertion(into: join.name, width: 2)
    for (first, second) in content.graph.joins[join.relationship] ?? [] {
      try insert([.integer(first.key), .integer(second.key)], with: statement)
    }
  }

  private func writeRows(of table: SyncMetadataTable) throws(SQLiteError) {
    let statement = try insertion(into: table.name, width: table.columns.count + 3)
    for (position, row) in table.rows.enumerated() {
      let key = Int64(position + 1)
      try insert([.integer(key), .integer(table.number), table.version] + row, with: statement)
    }
  }

  private func writeBookkeeping() throws {
    let schema = layout.schema
    let keys = try insertion(into: "Z_PRIMARYKEY", width: 4)
    for entity in schema.numbered {
      // Only the row of a root entity counts keys: the table is its, whoever the object is.
      let highest = entity.parent == nil ? content.graph.lastKeys[entity.name] ?? 0 : 0
      try keys.run(
        .integer(schema.number(of: entity.name)),
        .text(entity.name),
        .integer(schema.number(of: entity.parent)),
        .integer(highest)
      )
    }
    for table in content.syncMetadata {
      let highest = Int64(table.rows.count) + table.deleted
      try keys.run(.integer(table.number), .text(table.entity), .integer(0), .integer(highest))
    }
    let metadata = Metadata(schema: schema).bytes(extra: content.metadata)
    try connection.run(
      "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
      .text(Identifier.text("store \(content.file)")),
      .blob(metadata)
    )
    try connection.run("INSERT INTO Z_MODELCACHE VALUES (?)", .blob(ModelCache.bytes(of: schema)))
  }
}

extension Object {
  /// Returns what the object has in a column; null where the column is a sibling entity's.
  fileprivate func value(of role: Layout.Role, in schema: Schema) -> Binding {
    func isOwn(_ entity: String) -> Bool {
      schema.lineage(of: reference.entity).contains { $0.name == entity }
    }
    return switch role {
    case .key: .integer(reference.key)
    case .entity: .integer(schema.number(of: reference.entity))
    case .version: .integer(version)
    case .attribute(let entity, let name): isOwn(entity) ? values[name] ?? .null : .null
    case .link(let entity, let name):
      isOwn(entity) ? links[name].map { .integer($0.key) } ?? .null : .null
    case .discriminator(let entity, let name):
      isOwn(entity) ? links[name].map { .integer(schema.number(of: $0.entity)) } ?? .null : .null
    case .order(let entity, let name):
      isOwn(entity) ? places[name].map(Binding.integer) ?? .null : .null
    }
  }
}

extension SyncMetadataTable {
  /// The statement that creates the table.
  fileprivate var creation: String {
    let all = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + columns
    return "CREATE TABLE \(name) ( \(all.joined(separator: ", ")) )"
  }
}
