internal import SQLite

/// The names of files in the destination's folder that are spoken for.
///
/// Objects that were there before the copy refer to them, or this copy has given them out. What else lies
/// there was left by a copy that was cut off. The list is made when a name is first met that is taken.
final class HeldFileNames {
  private let connection: Connection
  private let storage: any ExternalStorage
  private let layout: Layout
  /// For each root entity, the highest key of what was there before.
  private let counters: [String: Int64]
  private let isNew: Bool
  private var isListed = false

  init(
    on connection: Connection,
    in storage: any ExternalStorage,
    _ layout: Layout,
    before counters: [String: Int64],
    isNew: Bool
  ) {
    self.connection = connection
    self.storage = storage
    self.layout = layout
    self.counters = counters
    self.isNew = isNew
  }

  /// Makes the table, in which there is nothing yet.
  func prepare() throws(SQLiteError) {
    try connection.run(
      "CREATE TEMP TABLE IF NOT EXISTS decant_held (name TEXT PRIMARY KEY) WITHOUT ROWID"
    )
  }

  /// Whether the file `name` belongs to somebody.
  func contains(_ name: String) throws(SQLiteError) -> Bool {
    if !isListed { try list() }
    return try connection.integer("SELECT 1 FROM temp.decant_held WHERE name = ?1", .text(name))
      != nil
  }

  /// Notes that the file `name` belongs to an object of this copy.
  ///
  /// In a new store objects that shared a file in the source go on sharing it.
  func insert(_ name: String) throws(SQLiteError) {
    guard !isNew else { return }
    try connection.run("INSERT OR IGNORE INTO temp.decant_held VALUES (?1)", .text(name))
  }

  private func list() throws(SQLiteError) {
    isListed = true
    guard !isNew else { return }
    for relation in layout.relations {
      for column in relation.columns where column.isExternal {
        let name = column.name.sqlName
        try connection.forEachRow(
          """
          SELECT \(name) FROM main.\(relation.table.sqlName)
          WHERE \(relation.keyName) <= ?1 AND typeof(\(name)) = 'blob' AND length(\(name)) < 128
          """,
          .integer(counters[relation.root] ?? Int64.max)
        ) { row throws(SQLiteError) in
          let file = row.bytes(at: 0).withUnsafeBytes { storage.fileName(in: $0) }
          if let file { try insert(file) }
        }
      }
    }
  }
}
