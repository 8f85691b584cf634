internal import DecantBase
internal import DecantJSON
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The record of the rows that a run added to tables on a server, in its ID table, so that it can be undone.
///
/// `written` has a row for each table: its columns and the numbers of rows. `added` has the key of each added row and a
/// hash of its values: only a row that still has them is the one that was added. `linked` has the links that the source
/// declares, whether or not the server checks them.
enum AddedRowsRecord {
  /// What a run wrote to a table on the server.
  struct Table {
    var name: String
    var key: [String]
    var columns: [String]
    var added: Int64
    var changed: Int64
    var removed: Int64
  }

  /// Writes the record of `changes` to the ID table at `path`; `database` of `rows` has the rows as the server has them.
  static func write(
    _ changes: [TableChanges],
    _ links: [ServerSchema.Reference],
    of rows: Connection,
    _ database: String,
    to path: String
  ) throws(DecantError) {
    let changes = changes.filter { !$0.isEmpty }
    try write(changes.map { Table($0) }, links, to: path) { position throws(DecantError) in
      let change = changes[position]
      guard change.added > 0, !change.key.isEmpty else { return nil }
      let hash = try explaining("cannot read the added rows") { () throws(SQLiteError) in
        try registerHash(of: change, on: rows)
      }
      return (rows, "SELECT \(change.keyText), \(hash) \(change.rows(of: database)) WHERE \(change.isAddedAsRead)")
    }
  }

  /// Writes the record of what a run wrote to `tables`; `added` returns a query for the keys and the hashes of the rows
  /// that were added to one of them, by its position.
  static func write(
    _ tables: [Table],
    _ links: [ServerSchema.Reference] = [],
    to path: String,
    added: (Int) throws(DecantError) -> (rows: Connection, query: String)?
  ) throws(DecantError) {
    let context = "cannot write the ID table"
    let file = try explaining(context) { () throws(SQLiteError) in
      let file = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      try file.run("BEGIN")
      // An interrupted run may have written it.
      for table in ["written", "added", "linked"] { try file.run("DROP TABLE IF EXISTS \(table)") }
      try file.run(
        "CREATE TABLE written (place TEXT, key TEXT, columns TEXT, added INTEGER, changed INTEGER, removed INTEGER)")
      try file.run("CREATE TABLE added (place TEXT, key TEXT, hash)")
      try file.run("CREATE TABLE linked (place TEXT, columns TEXT, target TEXT, target_columns TEXT)")
      for link in links {
        try file.run(
          "INSERT INTO linked VALUES (?1, ?2, ?3, ?4)", .text(link.table), .text(BatchRun.list(link.columns).text),
          .text(link.target),
          .text(BatchRun.list(link.targetColumns).text))
      }
      return file
    }
    for (position, table) in tables.enumerated() {
      // The functions of a query are replaced by those of the next one.
      let found = try added(position)
      try explaining(context) { () throws(SQLiteError) in
        try file.run(
          "INSERT INTO written VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
          .text(table.name), .text(BatchRun.list(table.key).text), .text(BatchRun.list(table.columns).text),
          .integer(table.added),
          .integer(table.changed), .integer(table.removed)
        )
        let insertion = try file.prepare("INSERT INTO added VALUES (?1, ?2, ?3)")
        try found?.rows.forEachRow(found?.query ?? "") { row throws(SQLiteError) in
          defer { insertion.reset() }
          try insertion.bind([.text(table.name), row.value(at: 0), row.value(at: 1)])
          while try insertion.step() {}
        }
      }
    }
    try explaining(context) { () throws(SQLiteError) in try file.run("COMMIT") }
  }

  /// Returns the expression for the hash of a row `r` of a table, after registering its functions on `connection`.
  static func registerHash(of change: TableChanges, on connection: Connection) throws(SQLiteError) -> String {
    let columns = change.valueColumns
    let arguments = try HashArguments(columns, isNumeric: columns.map { _ in true }, on: connection)
    let hash = SingleRowHash()
    hash.isNumeric = arguments.isNumeric
    try connection.register(hash, as: "row_hash", .directOnly)
    return "row_hash(\(arguments.values.joined(separator: ", ")))"
  }

  private static func open(_ path: String) throws(DecantError) -> (file: DatabaseFile, reader: Connection) {
    let file = try DatabaseFile.open(path)
    return try explaining("cannot read the ID table “\(path)”") { () throws(SQLiteError) in
      (file, try Connection(file.uri, mode: .readOnly))
    }
  }

  /// Reads what a run wrote to each table from the ID table at `path`; returns nothing if that has no record.
  static func tables(in path: String) throws(DecantError) -> [Table] {
    let (file, reader) = try open(path)
    defer { withExtendedLifetime(file) {} }
    let rows = try explaining("cannot read the ID table “\(path)”") { () throws(SQLiteError) in
      var rows: [(texts: [String], counts: [Int64])] = []
      guard try reader.integer("SELECT count(*) FROM sqlite_schema WHERE name IN ('written', 'added')") == 2 else {
        return rows
      }
      try reader.forEachRow("SELECT place, key, columns, added, changed, removed FROM written") { row in
        rows.append(((0..<3).map { row.text(at: $0) ?? "" }, (3..<6).map { row.integer(at: $0) }))
      }
      return rows
    }
    return try rows.map { row throws(DecantError) in
      guard let key = BatchRun.names(row.texts[1]), let columns = BatchRun.names(row.texts[2]) else {
        throw DecantError(.damaged, "“\(path)” has no valid record of \(row.texts[0])", place: "\(option: .ids)")
      }
      let counts = row.counts
      return Table(
        name: row.texts[0], key: key, columns: columns, added: counts[0], changed: counts[1], removed: counts[2])
    }
  }

  /// Reads the links that the source of a run declared, with the names on the server, from the ID table at `path`.
  static func links(in path: String) throws(DecantError) -> [ServerSchema.Reference] {
    let (file, reader) = try open(path)
    defer { withExtendedLifetime(file) {} }
    let found = try explaining("cannot read the ID table “\(path)”") { () throws(SQLiteError) in
      var links: [ServerSchema.Reference?] = []
      // Earlier versions did not record them.
      guard try reader.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'linked'") == 1 else { return links }
      try reader.forEachRow("SELECT place, columns, target, target_columns FROM linked") { row in
        guard let columns = BatchRun.names(row.text(at: 1)), let targets = BatchRun.names(row.text(at: 3)) else {
          return links.append(nil)
        }
        links.append(
          ServerSchema.Reference(
            name: "", table: row.text(at: 0) ?? "", columns: columns, target: row.text(at: 2) ?? "",
            targetColumns: targets, onDelete: ""))
      }
      return links
    }
    return try found.map { link throws(DecantError) in
      guard let link else {
        throw DecantError(.damaged, "“\(path)” has no valid record of a link", place: "\(option: .ids)")
      }
      return link
    }
  }

  /// Copies the keys and hashes of the ID table at `path` into a new temporary table on `connection`.
  static func load(_ path: String, as name: String, on connection: Connection) throws(DecantError) {
    let (file, reader) = try open(path)
    defer { withExtendedLifetime(file) {} }
    try explaining("cannot read the ID table “\(path)”") { () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE \(name) (place TEXT, key TEXT, hash)")
      try connection.transaction { () throws(SQLiteError) in
        let insertion = try connection.prepare("INSERT INTO temp.\(name) VALUES (?1, ?2, ?3)")
        try reader.forEachRow("SELECT place, key, hash FROM added") { row throws(SQLiteError) in
          defer { insertion.reset() }
          for column in 0..<3 { try insertion.bind(row.value(at: column), at: column + 1) }
          while try insertion.step() {}
        }
        try connection.run("CREATE INDEX temp.\(name)_by_key ON \(name) (place, key)")
      }
    }
  }
}

extension AddedRowsRecord.Table {
  /// Describes what a change writes to its table.
  init(_ change: TableChanges) {
    self.init(
      name: change.table.name,
      key: change.key.map(\.name),
      columns: change.whole.columns.map(\.name),
      added: change.added,
      changed: change.changed,
      removed: change.removed
    )
  }
}
