package import DecantSQLite

/// The statements that create the schema of a store, taken from another store.
package struct StoreTemplate {
  /// A table, index, view or trigger of the template.
  package struct Item {
    package let type: String
    package let name: String
    package let table: String
    package let sql: String

    package init(type: String, name: String, table: String, sql: String) {
      (self.type, self.name, self.table) = (type, name, table)
      self.sql = sql
    }

    var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }
    /// Whether it is a unique index.
    package var isUnique: Bool { sql.uppercased().hasPrefix("CREATE UNIQUE") }
  }

  package let items: [Item]
  /// The shadow tables of virtual tables.
  private let shadows: Set<String>

  /// Creates a template of statements that were generated from a model.
  package init(_ items: [Item]) {
    self.items = items
    shadows = []
  }

  /// Reads the schema of the store attached as `schema`.
  package init(of schema: String, on connection: Connection) throws(SQLiteError) {
    var items: [Item] = []
    try connection.forEachRow(
      """
      SELECT type, name, tbl_name, sql FROM \(schema.sqlName).sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid
      """
    ) { row in
      items.append(
        Item(
          type: row.text(at: 0) ?? "",
          name: row.text(at: 1) ?? "",
          table: row.text(at: 2) ?? "",
          sql: row.text(at: 3) ?? ""
        )
      )
    }
    var shadows: Set<String> = []
    try connection.forEachRow(
      "SELECT name FROM pragma_table_list WHERE schema = ?1 AND type = 'shadow'",
      .text(schema)
    ) { row in
      shadows.insert(row.text(at: 0) ?? "")
    }
    self.shadows = shadows
    self.items = items
  }

  private init(_ items: [Item], shadows: Set<String>) {
    self.items = items
    self.shadows = shadows
  }

  /// Returns the same template with other statements.
  package func replacing(_ items: [Item]) -> StoreTemplate {
    StoreTemplate(items, shadows: shadows)
  }

  /// The unique indexes.
  package var uniqueIndexes: [Item] { items.filter(\.isUnique) }

  /// Returns the template without the unique indexes that `main` already has.
  package func withoutUniqueIndexes(of connection: Connection) throws(SQLiteError) -> StoreTemplate {
    var there: Set<String> = []
    try connection.forEachRow("SELECT name FROM main.sqlite_schema WHERE type = 'index'") { row in
      there.insert(row.text(at: 0) ?? "")
    }
    return replacing(items.filter { !$0.isUnique || !there.contains($0.name) })
  }

  /// The virtual tables, which create their shadow tables.
  package var virtualTables: [Item] { items.filter { $0.type == "table" && $0.isVirtual } }

  /// The ordinary tables, without shadow tables of virtual tables.
  package var tables: [Item] {
    items.filter { $0.type == "table" && !$0.isVirtual && !shadows.contains($0.name) }
  }

  /// Indexes first, then views, then triggers, which may refer to both.
  package var afterRows: [Item] {
    ["index", "view", "trigger"].flatMap { type in items.filter { $0.type == type } }
  }
}
