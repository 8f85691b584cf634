internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The schema of a database: the statements of its tables, indexes, triggers and views.
struct StoredSchema {
  /// An object of the schema.
  struct Entry {
    var kind: SchemaDifference.Kind
    var name: String
    /// The table it belongs to; its own name for a table.
    var table: String
    var sql: String
    /// Whether it is a virtual table.
    var isVirtual: Bool

    /// Whether it is a virtual table that shows the rows of another one.
    var isDerived: Bool {
      isVirtual && (sql.lowercased().contains("fts5vocab") || sql.lowercased().contains(/content\s*=\s*['"]?\w/))
    }
  }

  /// The entries by kind and lower-case name.
  private(set) var entries: [SchemaDifference.Kind: [String: Entry]] = [:]

  /// Reads the schema of the store attached as `schema`, without internal tables of SQLite, of virtual tables and of
  /// decant.
  init(_ schema: String, on connection: Connection) throws(SQLiteError) {
    // A database of another encoding is read through a separate connection, which has the file open.
    let reader = connection.reader(of: schema)
    try reader.forEachRow(
      """
      SELECT s.type, s.name, s.tbl_name, s.sql, s.type = 'table' AND coalesce(s.rootpage, 0) = 0
      FROM \(schema.sqlName).sqlite_schema AS s
      WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite~_%' ESCAPE '~'
        AND s.tbl_name NOT IN (\(OwnTables.sqlList))
        AND lower(s.tbl_name) NOT IN
          (SELECT lower(name) FROM pragma_table_list WHERE schema = ?1 AND type = 'shadow')
      """,
      .text(schema)
    ) { row in
      guard let kind = row.text(at: 0).flatMap(SchemaDifference.Kind.init(rawValue:)),
        let name = row.text(at: 1), let table = row.text(at: 2), let sql = row.text(at: 3)
      else { return }
      entries[kind, default: [:]][name.foldedName] = Entry(
        kind: kind,
        name: name,
        table: table,
        sql: sql,
        isVirtual: row.integer(at: 4) == 1
      )
    }
    let shadows = Set(
      (entries[.table] ?? [:]).values.filter(\.isVirtual)
        .flatMap { ShadowTables.names(of: $0.name, module: SQLTokens($0.sql).module) }
    )
    for kind in entries.keys {
      entries[kind] = entries[kind]?.filter { !shadows.contains($0.value.table.lowercased()) }
    }
  }

  subscript(kind: SchemaDifference.Kind) -> [String: Entry] { entries[kind] ?? [:] }
}
