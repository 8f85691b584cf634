internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Reads the schema of a plain database: tables, columns, keys.
struct SchemaReader {
  let connection: Connection
  /// The schema name under which the database is attached.
  let schema: String

  /// Returns the tables that hold rows of their own, in order of creation.
  ///
  /// SQLite's own tables, views, and the shadow tables of virtual tables are not included.
  func tables() throws(SQLiteError) -> [TableSchema] {
    let modules = try self.modules()
    var found: [(name: String, type: String, hasRowID: Bool, isStrict: Bool, sql: String)] = []
    try connection.forEachRow(
      """
      SELECT l.name, l.type, l.wr = 0, s.sql, l.strict FROM \(schema.sqlName).sqlite_schema AS s
      JOIN pragma_table_list AS l ON l.schema = ?1 AND l.name = s.name
      WHERE s.type = 'table' AND l.type IN ('table', 'virtual') AND s.name NOT LIKE 'sqlite~_%' ESCAPE '~'
      ORDER BY s.rowid
      """,
      .text(schema)
    ) { row in
      found.append(
        (
          row.text(at: 0) ?? "", row.text(at: 1) ?? "", row.integer(at: 2) == 1,
          row.integer(at: 4) == 1, row.text(at: 3) ?? ""
        )
      )
    }
    var tables: [TableSchema] = []
    for (name, type, hasRowID, isStrict, sql) in found {
      var table = TableSchema(
        name: name,
        sql: sql,
        columns: [],
        hasRowID: hasRowID,
        primaryKey: [],
        foreignKeys: [],
        uniqueKeys: []
      )
      if type == "virtual" {
        table.virtual = try virtual(name, sql, modules)
        // The columns of an unreadable table cannot be queried.
        if case .unreadable = table.virtual?.content {
          tables.append(table)
          continue
        }
      }
      try readColumns(of: &table, isStrict: isStrict)
      if table.virtual == nil { try readKeys(of: &table) }
      tables.append(table)
    }
    return tables.map { $0.withTargets(among: tables) }
  }

  /// The built-in collations of SQLite, in lower case.
  ///
  /// `pragma_collation_list` cannot be used: it contains every name that a schema has mentioned.
  static let knownCollations: Set<String> = ["binary", "nocase", "rtrim"]

  /// Returns the shadow tables in which virtual tables keep their content.
  func shadowTables() throws(SQLiteError) -> [PlainTable] {
    var tables: [PlainTable] = []
    try connection.forEachRow(
      """
      SELECT l.name, l.wr = 0, group_concat(c.name, char(0)) FROM pragma_table_list AS l
      JOIN pragma_table_info(l.name, ?1) AS c
      WHERE l.schema = ?1 AND l.type = 'shadow' GROUP BY l.name ORDER BY l.name
      """,
      .text(schema)
    ) { row in
      let columns = (row.text(at: 2) ?? "").split(separator: "\0").map(String.init)
      var table = PlainTable(
        name: row.text(at: 0) ?? "",
        columns: columns,
        rowID: row.integer(at: 1) == 1 ? "rowid" : nil
      )
      table.isInternal = true
      tables.append(table)
    }
    return tables
  }

  /// Returns the kind of a virtual table; one that this SQLite cannot open is unreadable.
  private func virtual(_ name: String, _ sql: String, _ modules: Set<String>) throws(SQLiteError) -> VirtualTable {
    var virtual = VirtualTable(sql: sql)
    if case .unreadable = virtual.content { return virtual }
    guard modules.contains(virtual.module) else {
      virtual.content = .unreadable("this SQLite lacks its module \(virtual.module)")
      return virtual
    }
    do throws(SQLiteError) {
      _ = try connection.prepare("SELECT 1 FROM \(schema.sqlName).\(name.sqlName) LIMIT 0")
      // Its content may be a view that calls functions of the program that made it.
      if case .table(let content) = virtual.content {
        _ = try connection.prepare("SELECT * FROM \(schema.sqlName).\(content.sqlName) LIMIT 0")
      }
    } catch {
      guard error.isGeneral else { throw error }
      virtual.content = .unreadable(error.message)
    }
    return virtual
  }

  private func modules() throws(SQLiteError) -> Set<String> {
    var modules: Set<String> = []
    try connection.forEachRow("SELECT lower(name) FROM pragma_module_list") { row in
      modules.insert(row.text(at: 0) ?? "")
    }
    return modules
  }

  private func readColumns(of table: inout TableSchema, isStrict: Bool) throws(SQLiteError) {
    var columns: [ColumnSchema] = []
    var key: [(position: Int64, name: String)] = []
    let isVirtual = table.virtual != nil
    try connection.forEachRow(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden
      FROM pragma_table_xinfo(?1, ?2) ORDER BY cid
      """,
      .text(table.name),
      .text(schema)
    ) { row in
      let (name, hidden) = (row.text(at: 0) ?? "", row.integer(at: 5))
      let type = row.text(at: 1) ?? ""
      // Only virtual tables hide columns: those that are not content.
      if hidden == 1, isVirtual { return }
      columns.append(
        ColumnSchema(
          name: name,
          declaredType: type,
          affinity: Affinity(type, isStrict: isStrict),
          isRequired: row.integer(at: 2) == 1,
          isGenerated: hidden == 2 || hidden == 3,
          defaultValue: row.text(at: 3)
        )
      )
      if row.integer(at: 4) > 0 { key.append((row.integer(at: 4), name)) }
    }
    table.columns = columns
    table.primaryKey = key.sorted { $0.position < $1.position }.map(\.name)
  }

  private func readKeys(of table: inout TableSchema) throws(SQLiteError) {
    var collated: [String: String] = [:]
    var descending: Set<String> = []
    try connection.forEachRow(
      """
      SELECT x.coll, max(x.desc), min(coalesce(x.name, 'an expression of ' || l.name)) FROM pragma_index_list(?1, ?2) AS l
      JOIN pragma_index_xinfo(l.name, ?2) AS x WHERE x.key AND x.coll IS NOT NULL GROUP BY 1
      """,
      .text(table.name),
      .text(schema)
    ) { row in
      collated[row.text(at: 0) ?? ""] = row.text(at: 2)
      if row.integer(at: 1) == 1 { descending.insert(row.text(at: 0) ?? "") }
    }
    (table.collatedColumns, table.descendingCollations) = (collated, descending)
    var indexes: [(name: String, origin: String, condition: String?)] = []
    try connection.forEachRow(
      """
      SELECT l.name, l.origin, l.partial, s.sql FROM pragma_index_list(?1, ?2) AS l
      LEFT JOIN \(schema.sqlName).sqlite_schema AS s ON s.type = 'index' AND s.name = l.name WHERE l."unique"
      """,
      .text(table.name),
      .text(schema)
    ) { row throws(SQLiteError) in
      var condition: String?
      if row.integer(at: 2) == 1 {
        guard let found = SQLTokens(row.text(at: 3) ?? "").indexCondition, computes(found, on: table) else { return }
        condition = found
      }
      indexes.append((row.text(at: 0) ?? "", row.text(at: 1) ?? "", condition))
    }
    for index in indexes {
      var columns: [String?] = []
      try connection.forEachRow(
        "SELECT name, lower(coll) FROM pragma_index_xinfo(?1, ?2) WHERE key ORDER BY seqno",
        .text(index.name),
        .text(schema)
      ) { row in
        columns.append(row.text(at: 0))
        guard let name = row.text(at: 0)?.foldedName, let collation = row.text(at: 1) else { return }
        // The collation of an index on all rows takes precedence over that of a partial index.
        if index.condition == nil || table.uniqueCollations[name] == nil { table.uniqueCollations[name] = collation }
      }
      // An expression has no name. The newest index is listed first.
      if let condition = index.condition {
        let key = Relation.PartialKey(columns.compactMap(\.self), where: condition)
        if !columns.contains(nil) { table.partialKeys.insert(key, at: 0) }
      } else if !columns.contains(nil) {
        table.uniqueKeys.insert(columns.compactMap(\.self), at: 0)
      }
    }
    // The only primary key without an index of its own is the row number.
    if table.hasRowID, table.primaryKey.count == 1, !indexes.contains(where: { $0.origin == "pk" }) {
      table.rowIDAlias = table.primaryKey[0]
    }
    var keys: [Int64: ForeignKey] = [:]
    try connection.forEachRow(
      """
      SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?1, ?2) ORDER BY id, seq
      """,
      .text(table.name),
      .text(schema)
    ) { row in
      let id = row.integer(at: 0)
      var key =
        keys[id]
        ?? ForeignKey(columns: [], table: row.text(at: 1) ?? "", targets: [], onDelete: row.text(at: 4) ?? "")
      key.onUpdate = row.text(at: 5) ?? ""
      key.columns.append(row.text(at: 2) ?? "")
      // A foreign key without target columns refers to the primary key.
      if let target = row.text(at: 3) { key.targets.append(target) }
      keys[id] = key
    }
    // SQLite lists them in reverse order.
    table.foreignKeys = keys.sorted { $0.key > $1.key }.map(\.value)
  }

  /// Returns whether a condition uses only functions of SQLite, and none of an app.
  private func computes(_ condition: String, on table: TableSchema) -> Bool {
    (try? connection.prepare("SELECT 1 FROM \(schema.sqlName).\(table.name.sqlName) WHERE \(condition)")) != nil
  }
}

extension TableSchema {
  /// Returns the table with the target columns of its foreign keys, and only those with an existing target.
  fileprivate func withTargets(among tables: [TableSchema]) -> TableSchema {
    var table = self
    table.foreignKeys = foreignKeys.compactMap { key in
      guard let target = tables.first(where: { $0.name.isSameName(as: key.table) }),
        target.virtual == nil
      else { return nil }
      var key = key
      key.table = target.name
      if key.targets.isEmpty { key.targets = target.primaryKey }
      // In the spelling of the tables.
      key.targets = key.targets.compactMap { target.column($0)?.name }
      key.columns = key.columns.compactMap { column($0)?.name }
      guard !key.columns.isEmpty, key.columns.count == key.targets.count else { return nil }
      return key
    }
    return table
  }
}
