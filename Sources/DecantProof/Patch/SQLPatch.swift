internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The SQL that makes one plain database equal to another, row by row, in one transaction.
///
/// It is written for the `sqlite3` program: its first lines make it stop at the first error, and disable triggers and
/// foreign keys. Content tables of virtual tables are written like any other table. Row numbers that no column holds
/// may differ between the databases: full-text indexes based on them are rebuilt from their rows.
struct SQLPatch {
  let connection: Connection
  let places: Sided<String>
  /// Whether texts are stored in UTF-16.
  let isWide: Bool
  let output: PatchOutput
  let cancellation: Cancellation
  let progress: SearchProgress
  /// The full-text indexes of the first database whose texts are rows of another table.
  let textIndexes: [TextIndex]

  /// Writes the patch; nothing if the databases are equal.
  func write() throws(DecantError) {
    let large = LargeValue(connection)
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try connection.register(large, as: "large", argumentCount: 4, .directOnly)
    }
    defer { withExtendedLifetime(large) {} }
    let rebuilt = try findRebuilt()
    let shadows = Set(rebuilt.flatMap { ShadowTables.names(of: $0.table, module: $0.module) })
    let names = try tables()
    let counts = try rowCounts(names)
    progress.beginSteps(of: counts.values.reduce(0, +))
    for name in names where !shadows.contains(name.lowercased()) {
      progress.begin(name, counts[name] ?? 0)
      let written = output.count
      let table = try explaining("cannot read \(name)") { () throws(SQLiteError) in
        try PatchedTable(name, on: connection)
      }
      guard let table else { throw nameless(name) }
      guard
        ([name] + table.columns).allSatisfy({ $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
      else {
        throw DecantError(
          .unsupportedRequest,
          "a patch cannot contain a table with a line break or control character in a name",
          place: places.source
        )
      }
      try write(table)
      for index in rebuilt where index.content?.isSameName(as: name) == true {
        let isOther = try explaining("cannot compare \(index.table)") { () throws(SQLiteError) in
          try findsOthers(index, table)
        }
        if isOther || output.count > written { try build(index) }
      }
    }
    // A view may depend on any table.
    for index in rebuilt where !names.contains(where: { index.content?.isSameName(as: $0) == true }) {
      if !output.isEmpty { try build(index) }
    }
    try writeCounters()
    if !output.isEmpty { try output.add("COMMIT;\n") }
    try output.flush()
  }

  /// Writes the statement that rebuilds an index from its texts.
  private func build(_ index: TextIndex) throws(DecantError) {
    let name = index.table.sqlName
    try add("INSERT INTO \(name)(\(name)) VALUES('rebuild');\n")
  }

  /// Returns the tables that store rows, in order of creation.
  private func tables() throws(DecantError) -> [String] {
    try explaining("cannot read the schema") { () throws(SQLiteError) in
      var names: [String] = []
      try connection.forEachRow(
        """
        SELECT name FROM \(MatchSide.source.schema.sqlName).sqlite_schema
        WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
          AND name NOT IN (\(OwnTables.sqlList))
        ORDER BY rowid
        """
      ) { row in names.append(row.text(at: 0) ?? "") }
      return names
    }
  }

  /// Counts the rows of each table of the first database; for large tables this takes a small part of the time.
  private func rowCounts(_ tables: [String]) throws(DecantError) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for table in tables {
      counts[table] = try explaining("cannot count \(table)") { () throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM \(MatchSide.source.schema.sqlName).\(table.sqlName)")
      }
    }
    return counts
  }

  private func nameless(_ table: String) -> DecantError {
    DecantError(
      .unsupportedRequest,
      "a patch cannot contain the table \(table): it has no primary key, and its columns use all the names of the rowid",
      place: places.source,
      remedy: "rename its columns rowid, _rowid_ and oid in both databases"
    )
  }

  /// Starts a statement.
  private func add(_ text: String) throws(DecantError) {
    if cancellation.isCancelled {
      throw DecantError(.interrupted, "the comparison was interrupted")
    }
    if output.isEmpty { try output.add(head) }
    try output.add(text)
  }

  private var head: String {
    func printed(_ place: String) -> String {
      String(String.UnicodeScalarView(place.unicodeScalars.map { $0.value < 0x20 ? "?" : $0 }))
    }
    let (a, b) = (printed(places.source), printed(places.destination))
    return """
      -- Makes “\(a)” equal to “\(b)”: sqlite3 \(a.shellWord) < this
      .bail on
      .dbconfig enable_trigger off
      .dbconfig enable_fkey off
      .dbconfig defensive off
      BEGIN IMMEDIATE;

      """
  }

  // MARK: Rows

  private func write(_ table: PatchedTable) throws(DecantError) {
    let (a, b) = (table.table(.source), table.table(.destination))
    let key = table.names.map { "a.\($0.sqlName)" }
    let order = "ORDER BY \(key.joined(separator: ", "))"
    let differs = table.columns.map(table.differs)
    let isChanged = differs.isEmpty ? "0" : differs.joined(separator: " OR ")
    let both = "\(a) AS a CROSS JOIN \(b) AS b ON \(table.isSameRow)"
    let gone = "NOT EXISTS (SELECT 1 FROM \(b) AS b WHERE \(table.isSameRow))"
    try delete(table, "SELECT \(list(exact(key))) FROM \(a) AS a WHERE \(gone) \(order)")
    progress.reach(0.3)
    if table.hasOtherUnique {
      try delete(table, "SELECT \(list(exact(key))) FROM \(both) WHERE \(isChanged) \(order)")
      try insert(table, number: "a", from: both, where: isChanged, order: order)
    } else {
      try update(table, differs, from: both, where: isChanged, order: order)
    }
    progress.reach(0.7)
    let added = "NOT EXISTS (SELECT 1 FROM \(a) AS a WHERE \(table.isSameRow))"
    try insert(
      table,
      number: table.key.isEmpty ? "b" : nil,
      from: "\(b) AS b",
      where: added,
      order: "ORDER BY \(table.names.map { "b.\($0.sqlName)" }.joined(separator: ", "))"
    )
  }

  private func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }

  /// Returns each expression, followed for UTF-16 databases by the bytes of a text as hexadecimal digits.
  private func exact(_ expressions: [String]) -> [String] {
    guard isWide else { return expressions }
    return expressions.flatMap { expression in
      [
        expression,
        "CASE typeof(\(expression)) WHEN 'text' THEN hex(CAST(\(expression) AS BLOB)) END",
      ]
    }
  }

  /// The number of result columns for each expression.
  private var width: Int { isWide ? 2 : 1 }

  private func value(_ position: Int, of row: Statement) throws(DecantError) {
    try output.add(position, exact: isWide ? position + 1 : nil, of: row)
  }

  private func forEachRow(
    _ table: PatchedTable,
    _ sql: String,
    _ body: (Statement) throws(DecantError) -> Void
  ) throws(DecantError) {
    let statement = try explaining("cannot compare \(table.name)") { () throws(SQLiteError) in
      try connection.prepare(sql)
    }
    while try explaining(
      "cannot compare \(table.name)",
      { () throws(SQLiteError) in
        try statement.step()
      }
    ) {
      try body(statement)
    }
  }

  /// Writes the condition for the row whose key starts in column `start` of `row`.
  private func condition(_ table: PatchedTable, at start: Int, of row: Statement) throws(DecantError) {
    for (index, name) in table.names.enumerated() {
      try output.add("\(index == 0 ? " WHERE" : " AND") \(name.sqlName)=")
      try value(start + index * width, of: row)
    }
    try output.add(";\n")
  }

  private func delete(_ table: PatchedTable, _ keys: String) throws(DecantError) {
    try forEachRow(table, keys) { row throws(DecantError) in
      try add("DELETE FROM \(table.name.sqlName)")
      try condition(table, at: 0, of: row)
    }
  }

  private func update(
    _ table: PatchedTable,
    _ differs: [String],
    from source: String,
    where condition: String,
    order: String
  ) throws(DecantError) {
    let key = exact(table.names.map { "a.\($0.sqlName)" })
    let columns = zip(table.columns, differs).flatMap { column, differs in
      [differs] + self.columns(column, table, unless: "NOT (\(differs))")
    }
    let number = table.rowID.map { "b.\($0.sqlName)" } ?? "NULL"
    try forEachRow(
      table,
      "SELECT \(list([number] + key + columns)) FROM \(source) WHERE \(condition) \(order)"
    ) { row throws(DecantError) in
      try add("UPDATE OR ABORT \(table.name.sqlName) SET ")
      var isFirst = true
      for (index, column) in table.columns.enumerated() {
        let start = 1 + key.count + index * (2 + width)
        guard row.integer(at: start) != 0 else { continue }
        try output.add("\(isFirst ? "" : ",")\(column.sqlName)=")
        try value(of: column, table, at: start + 1, of: row)
        isFirst = false
      }
      try self.condition(table, at: 1, of: row)
    }
  }

  private func insert(
    _ table: PatchedTable,
    number: String?,
    from source: String,
    where condition: String,
    order: String
  ) throws(DecantError) {
    let names = table.columns.map(\.sqlName)
    // Existing rows keep their numbers; new rows get new numbers if no column holds them.
    let named = number.flatMap { side in
      table.hasHiddenRowID ? table.rowID.map { (name: $0, value: "\(side).\($0.sqlName)") } : nil
    }
    let columns = table.columns.flatMap { self.columns($0, table, unless: "0") }
    let rowID = table.rowID.map { "b.\($0.sqlName)" } ?? "NULL"
    let into = ([named?.name.sqlName].compactMap(\.self) + names).joined(separator: ",")
    try forEachRow(
      table,
      "SELECT \(list([rowID, named?.value ?? "NULL"] + columns)) FROM \(source) WHERE \(condition) \(order)"
    ) { row throws(DecantError) in
      try add("INSERT OR ABORT INTO \(table.name.sqlName)(\(into)) VALUES(")
      if named != nil { try output.add("\(row.integer(at: 1)),") }
      for (index, column) in table.columns.enumerated() {
        if index > 0 { try output.add(",") }
        try value(of: column, table, at: 2 + index * (1 + width), of: row)
      }
      try output.add(");\n")
    }
  }

  /// Returns the expressions for a column of the second database: whether its value is large, and the value if not.
  private func columns(_ column: String, _ table: PatchedTable, unless isUnwanted: String) -> [String] {
    let isLarge = table.isLarge(column, "b")
    let name = "b.\(column.sqlName)"
    let wanted = "CASE WHEN \(isUnwanted) OR \(isLarge) THEN NULL ELSE \(name) END"
    return [isLarge] + exact([wanted])
  }

  /// Writes the value of the column at `position`, piece by piece if it is large.
  private func value(of column: String, _ table: PatchedTable, at position: Int, of row: Statement)
    throws(DecantError)
  {
    guard row.integer(at: position) != 0 else { return try value(position + 1, of: row) }
    let handle = try explaining("cannot read \(table.name).\(column)") { () throws(SQLiteError) in
      try BlobHandle(MatchSide.destination.schema, table.name, column, rowID: row.integer(at: 0), on: connection)
    }
    guard handle.byteCount < SQLPatch.longestByteCount else {
      throw DecantError(
        .unsupportedRequest,
        "a patch cannot contain \(table.name).\(column) of a row of “\(places.destination)”: it has \(handle.byteCount) bytes, "
          + "but a sqlite3 statement is limited to a billion",
        place: "row \(row.integer(at: 0))",
        remedy: "copy the database itself"
      )
    }
    try output.add("x'")
    var failure: DecantError?
    try explaining("cannot read \(table.name).\(column)") { () throws(SQLiteError) in
      try handle.forEachPiece { piece, _ in
        guard failure == nil else { return }
        do throws(DecantError) { try output.addHex(piece) } catch { failure = error }
      }
    }
    if let failure { throw failure }
    try output.add("'")
  }

  /// The maximum size of a value: each byte takes two digits, in a statement of at most a billion bytes.
  private static let longestByteCount = 490_000_000

  // MARK: Counters

  /// Writes the highest keys ever allocated, which inserting rows may also change.
  private func writeCounters() throws(DecantError) {
    let (a, b) = (MatchSide.source.schema.sqlName, MatchSide.destination.schema.sqlName)
    let isThere = try explaining("cannot read the schema") { () throws(SQLiteError) in
      try connection.integer(
        """
        SELECT count(*) FROM (SELECT name FROM \(a).sqlite_schema UNION ALL SELECT name FROM \(b).sqlite_schema)
        WHERE name = 'sqlite_sequence'
        """
      ) == 2
    }
    guard isThere else { return }
    var counters: [(name: String, isSame: Bool, there: Int64?)] = []
    try explaining("cannot read sqlite_sequence") { () throws(SQLiteError) in
      try connection.forEachRow(
        """
        SELECT n.name, a.seq IS b.seq, b.seq
        FROM (SELECT name FROM \(a).sqlite_sequence UNION SELECT name FROM \(b).sqlite_sequence) AS n
        LEFT JOIN \(a).sqlite_sequence AS a ON a.name = n.name
        LEFT JOIN \(b).sqlite_sequence AS b ON b.name = n.name
        ORDER BY n.name
        """
      ) { row in
        counters.append((row.text(at: 0) ?? "", row.integer(at: 1) == 1, row.integerOrNil(at: 2)))
      }
    }
    for counter in counters {
      // A counter below an existing key would not be kept.
      let isBehind =
        counter.isSame && !output.isEmpty
        ? try isBehind(counter.there ?? 0, counter.name) : false
      guard !counter.isSame || isBehind else { continue }
      try add("DELETE FROM sqlite_sequence WHERE name=\(counter.name.sqlText);\n")
      if let number = counter.there {
        try add("INSERT INTO sqlite_sequence(name,seq) VALUES(\(counter.name.sqlText),\(number));\n")
      }
    }
  }

  private func isBehind(_ counter: Int64, _ name: String) throws(DecantError) -> Bool {
    let schema = MatchSide.destination.schema.sqlName
    return try explaining("cannot read \(name)") { () throws(SQLiteError) in
      let tables = "SELECT count(*) FROM \(schema).sqlite_schema WHERE type = 'table' AND name = ?1"
      guard try connection.integer(tables, .text(name)) == 1 else { return false }
      let highest = try connection.integer("SELECT max(rowid) FROM \(schema).\(name.sqlName)")
      return (highest ?? 0) > counter
    }
  }
}
