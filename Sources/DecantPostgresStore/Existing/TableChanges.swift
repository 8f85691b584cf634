internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The rows of a table that were added, removed or changed between two states of a temporary database: `before`, and
/// `main`.
struct TableChanges {
  /// The table, with the columns that are written.
  let table: ServerSchema.Table
  /// The table with all columns, also those whose values the server generates.
  let whole: ServerSchema.Table
  /// The columns of the key; empty if rows are identified by their row numbers, which the server does not have.
  let key: [ServerSchema.Column]
  let facts: ServerCatalog.Table
  /// Whether rows are the same if they have the same row number, so that a row keeps what only the server has of it when
  /// its key changes, or what refers to it; otherwise a row with another key is another row.
  let followsRows: Bool
  /// The columns of foreign keys.
  private let links: Set<String>
  /// The columns whose values the server generates, although the source has values.
  private let computed: [ServerSchema.Column]
  private(set) var added: Int64 = 0
  private(set) var removed: Int64 = 0
  private(set) var changed: Int64 = 0

  var isEmpty: Bool { added + removed + changed == 0 }

  /// The changes without the added rows.
  var withoutAdded: TableChanges {
    var other = self
    other.added = 0
    return other
  }

  /// Describes a table whose rows have not been compared yet.
  ///
  /// The columns called `given` have values, if this is known; with `isMade`, triggers of any table may generate the
  /// other ones. `links` are the columns of foreign keys. `isTarget` is whether the server would delete or change other
  /// rows together with one of these, `isNumbered` whether the rows have row numbers in the temporary database.
  init(
    _ table: ServerSchema.Table,
    _ facts: ServerCatalog.Table,
    given: Set<String>?,
    isMade: Bool = false,
    links: Set<String> = [],
    isTarget: Bool = false,
    isNumbered: Bool = false
  ) {
    var written = table
    written.columns.removeAll { column in
      guard let found = facts.columns[column.name] else { return false }
      // The server generates the values that are not given. A trigger may, too, but not a link, which may have to be emptied.
      let isMade = isMade || found.hasDefault || !facts.triggers.isEmpty && !links.contains(column.name)
      return found.isGenerated
        || isMade && !facts.key.contains(column.name) && given?.contains(column.own.foldedName) == false
    }
    (self.table, self.whole, self.facts, self.links) = (written, table, facts, links)
    computed = table.columns.filter { column in
      facts.columns[column.name]?.isGenerated == true && given?.contains(column.own.foldedName) == true
    }
    let key = facts.key.compactMap { name in written.columns.first { $0.name == name } }
    self.key = key.count == facts.key.count ? key : []
    let hasOwnColumns = facts.columns.contains { name, column in
      !column.isGenerated && !written.columns.contains { $0.name == name }
    }
    followsRows = (hasOwnColumns || isTarget) && isNumbered && !self.key.isEmpty
  }

  /// The name of the table in the temporary database.
  private var name: String { table.own.sqlName }

  /// The name of the row numbers.
  private var rowNumber: String {
    ["rowid", "_rowid_", "oid"].first { name in !table.columns.contains { $0.own.foldedName == name } } ?? "rowid"
  }

  /// Returns the condition that the row `other` is the row `r`, in another state.
  private func isSame(_ other: String = "o") -> String {
    key.isEmpty || followsRows ? "\(other).\(rowNumber) = r.\(rowNumber)" : hasSameKey(other)
  }

  /// Returns the condition that the rows `other` and `r` have the same key.
  private func hasSameKey(_ other: String = "o") -> String {
    // The sign removes the affinity: a table whose columns have another affinity could not be searched by its index.
    key.map { "\(other).\($0.own.sqlName) = +r.\($0.own.sqlName) COLLATE BINARY" }.joined(separator: " AND ")
  }

  /// Returns the condition that the rows `other` and `r` have the same values.
  private func areEqual(_ other: String = "o") -> String {
    let columns = table.columns.map { "\(other).\($0.own.sqlName) IS r.\($0.own.sqlName) COLLATE BINARY" }
    return columns.isEmpty ? "1" : columns.joined(separator: " AND ")
  }

  /// The condition for an added row `r` of `main`.
  var isAdded: String { "NOT EXISTS (SELECT 1 FROM before.\(name) AS o WHERE \(isSame()))" }
  /// The condition for a removed row `r` of `before`.
  var isRemoved: String { "NOT EXISTS (SELECT 1 FROM main.\(name) AS o WHERE \(isSame()))" }
  /// The condition for a changed row `r` of `main`.
  var isChanged: String { "EXISTS (SELECT 1 FROM before.\(name) AS b WHERE \(isSame("b")) AND NOT (\(areEqual("b"))))" }

  /// The condition for an added or changed row `r` of `main`.
  var isWritten: String {
    "NOT EXISTS (SELECT 1 FROM before.\(name) AS b WHERE \(isSame("b")) AND \(areEqual("b")))"
  }

  /// A text of a changed row `r` with a digit for each column: 1 if its value has changed.
  var changedColumns: String {
    func digits(_ columns: ArraySlice<ServerSchema.Column>) -> String {
      // Split in halves, since SQLite limits the depth of expressions.
      guard columns.count > 1 else {
        return columns.first.map { "(b.\($0.own.sqlName) IS NOT r.\($0.own.sqlName) COLLATE BINARY)" } ?? "''"
      }
      let middle = columns.startIndex + columns.count / 2
      return "(\(digits(columns[..<middle])) || \(digits(columns[middle...])))"
    }
    return "(SELECT '' || \(digits(table.columns[...])) FROM before.\(name) AS b WHERE \(isSame("b")))"
  }

  /// The columns of the former key of a changed row `r`; empty if keys do not change.
  var formerKey: [ServerSchema.Column] {
    guard followsRows else { return [] }
    var names = PlainNames(Set(table.columns.map(\.name.foldedName)), limit: ServerNames.limit)
    return key.map { column in
      var former = column
      former.name = names.claim("decant_former_key")
      former.defaultValue = nil
      former.sending = "(SELECT b.\(column.own.sqlName) FROM before.\(name) AS b WHERE \(isSame("b")))"
      return former
    }
  }

  /// Returns the former value of a column of a changed row `r`; with `unlessChanged`, NULL if it is another one now.
  func formerValue(of column: ServerSchema.Column, unlessChanged: Bool) -> String {
    let value = column.own.sqlName
    let isSameValue = unlessChanged ? " AND b.\(value) IS r.\(value) COLLATE BINARY" : ""
    return "(SELECT b.\(value) FROM before.\(name) AS b WHERE \(isSame("b"))\(isSameValue))"
  }

  /// Returns the condition that the value of one of `columns` of a row `r` has changed.
  func isChanged(in columns: [ServerSchema.Column]) -> String {
    let differ = columns.map { "b.\($0.own.sqlName) IS NOT r.\($0.own.sqlName) COLLATE BINARY" }
    return "EXISTS (SELECT 1 FROM before.\(name) AS b WHERE \(isSame("b")) AND (\(differ.joined(separator: " OR "))))"
  }

  /// Counts the rows that differ.
  mutating func count(on connection: Connection) throws(DecantError) {
    (added, removed, changed) = try explaining("cannot compare the rows of \(table.own)") {
      () throws(SQLiteError) in
      // Not NULL in any row: the row number, or a part of the key of a table without row numbers.
      let mark = key.isEmpty || followsRows ? rowNumber : key[0].own.sqlName
      var counts: (all: Int64, kept: Int64, changed: Int64) = (0, 0, 0)
      try connection.forEachRow(
        """
        SELECT count(*), count(b.\(mark)), count(CASE WHEN b.\(mark) IS NOT NULL AND NOT (\(areEqual("b"))) THEN 1 END)
        FROM main.\(name) AS r LEFT JOIN before.\(name) AS b ON \(isSame("b"))
        """
      ) { row in counts = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2)) }
      // Rows are the same in pairs, as keys and row numbers are unique.
      let before = try connection.integer("SELECT count(*) FROM before.\(name)") ?? 0
      return (counts.all - counts.kept, before - counts.kept, counts.changed)
    }
  }

  /// Returns the highest number up to `limit` in a column of the added rows.
  func highestAdded(_ column: ServerSchema.Column, upTo limit: Int64, on connection: Connection)
    throws(DecantError) -> Int64?
  {
    let value = "r.\(column.own.sqlName)"
    return try explaining("cannot read the rows of \(table.own)") { () throws(SQLiteError) in
      try connection.integer(
        """
        SELECT max(\(value)) FROM main.\(name) AS r
        WHERE typeof(\(value)) = 'integer' AND \(value) <= \(limit) AND \(isAdded)
        """)
    }
  }

  /// Returns a value of the key of a row `r`, for people.
  private func keyValue(_ column: ServerSchema.Column) -> String {
    let name = "r.\(column.own.sqlName)"
    return "CASE typeof(\(name)) WHEN 'blob' THEN hex(\(name)) ELSE \(name) END"
  }

  /// Calls `body` with the key of each row that meets a condition, as texts and as `keyText`, in the order in which
  /// `RowSender` sends them.
  func forEachKey(
    where condition: String,
    on connection: Connection,
    _ body: (_ texts: [String], _ key: String) -> Void
  ) throws(DecantError) {
    guard !key.isEmpty else { return }
    let columns = key.map(keyValue)
    try explaining("cannot read the rows of \(table.own)") { () throws(SQLiteError) in
      try connection.forEachRow(
        "SELECT \((columns + [keyText]).joined(separator: ", ")) FROM main.\(name) AS r NOT INDEXED WHERE \(condition)"
      ) { row in
        body(key.indices.map { row.text(at: $0) ?? "" }, row.text(at: key.count) ?? "")
      }
    }
  }

  /// Whether a changed row takes the former values of another row in `columns`, which are unique.
  func exchanges(_ columns: [String], on connection: Connection) throws(DecantError) -> Bool {
    let unique = columns.compactMap { name in table.columns.first { $0.name == name } }
    guard changed > 0, !unique.isEmpty else { return false }
    let taken = unique.map { "o.\($0.own.sqlName) = r.\($0.own.sqlName) COLLATE BINARY" }.joined(separator: " AND ")
    return try explaining("cannot compare the rows of \(table.own)") { () throws(SQLiteError) in
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM main.\(name) AS r JOIN before.\(name) AS o ON \(taken)
        WHERE NOT (\(isSame())) AND \(isChanged))
        """
      ) == 1
    }
  }

  /// Whether the value of one of `columns` of a row has changed.
  func changes(_ columns: [String], on connection: Connection) throws(DecantError) -> Bool {
    let values = columns.compactMap { name in table.columns.first { $0.name == name } }
    guard changed > 0, !values.isEmpty else { return false }
    return try explaining("cannot compare the rows of \(table.own)") { () throws(SQLiteError) in
      try connection.integer("SELECT EXISTS (SELECT 1 FROM main.\(name) AS r WHERE \(isChanged(in: values)))") == 1
    }
  }

  // MARK: Record

  /// The condition for a row `r`, as it was read back, that was added.
  var isAddedAsRead: String {
    guard followsRows else { return isAdded }
    return """
      EXISTS (SELECT 1 FROM main.\(name) AS m WHERE \(hasSameKey("m")) AND NOT EXISTS (
        SELECT 1 FROM before.\(name) AS o WHERE o.\(rowNumber) = m.\(rowNumber)))
      """
  }

  /// A text that only a row `r` with this key has.
  var keyText: String { RefusedRow.keyText(key.map(\.own), of: "r") }

  /// The columns whose values identify the state of a row.
  var valueColumns: [String] { whole.columns.map { "r.\($0.own.sqlName)" } }

  /// Returns the query for the rows `r` of a database, without its conditions and columns.
  func rows(of database: String) -> String { "FROM \(database).\(name) AS r" }

  // MARK: Verification

  /// The statement that creates an empty table for the rows that are read back.
  var proofTable: String {
    var lines = whole.columns.map(\.own.sqlName)
    if key.count == 1, [.smallint, .integer, .bigint].contains(key[0].type) {
      lines = whole.columns.map { $0.own.sqlName + ($0.own == key[0].own ? " INTEGER PRIMARY KEY" : "") }
    } else if !key.isEmpty {
      lines.append("PRIMARY KEY (\(key.map(\.own.sqlName).joined(separator: ", ")))")
    }
    return "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))"
  }

  /// The columns in which triggers may fill a value that was written as NULL: an emptied link must stay empty.
  private var fillable: [ServerSchema.Column] { table.columns.filter(isFillable) }

  /// Whether triggers may fill a value of a column that was written as NULL.
  func isFillable(_ column: ServerSchema.Column) -> Bool {
    facts.fillsRows && !key.isEmpty && !links.contains(column.name)
  }

  /// Returns the condition that a value of the row `o`, as it was read back, is that of the row `r`, as it was written.
  private func isAsWritten(_ column: ServerSchema.Column) -> String {
    let name = column.own.sqlName
    return
      (fillable.contains { $0.name == column.name }
      ? "(r.\(name) IS NULL OR o.\(name) IS r.\(name) COLLATE BINARY)" : "o.\(name) IS r.\(name) COLLATE BINARY")
  }

  /// The condition that all values of the row `o` are those of the row `r`.
  private var isWholeAsWritten: String {
    table.columns.isEmpty ? "1" : table.columns.map(isAsWritten).joined(separator: " AND ")
  }

  /// Returns the columns that were written as NULL and have values in `proof`, each with the number of rows.
  func filledColumns(on connection: Connection) throws(DecantError) -> [(name: String, count: Int64)] {
    try counts(of: fillable, where: { "r.\($0) IS NULL AND o.\($0) IS NOT NULL" }, on: connection)
  }

  /// Returns the columns in which added rows have other values in `proof` than the source, as the server generates them,
  /// each with the number of rows.
  func computedColumns(on connection: Connection) throws(DecantError) -> [(name: String, count: Int64)] {
    guard !key.isEmpty else { return [] }
    return try counts(of: computed, where: { "r.\($0) IS NOT o.\($0) COLLATE BINARY AND \(isAdded)" }, on: connection)
  }

  /// Returns those of `columns` for which a condition on a row `r` and its values `o` in `proof` holds, each with the
  /// number of rows.
  private func counts(
    of columns: [ServerSchema.Column],
    where condition: (String) -> String,
    on connection: Connection
  ) throws(DecantError) -> [(name: String, count: Int64)] {
    guard !columns.isEmpty else { return [] }
    let counts = columns.map { "sum(\(condition($0.own.sqlName)))" }
    return try explaining("cannot compare the rows of \(table.own)") { () throws(SQLiteError) in
      var found: [(name: String, count: Int64)] = []
      try connection.forEachRow(
        "SELECT \(counts.joined(separator: ", ")) FROM main.\(name) AS r JOIN proof.\(name) AS o ON \(hasSameKey())"
      ) { row in
        for (place, column) in columns.enumerated() where row.integer(at: place) > 0 {
          found.append(("\(table.name).\(column.name)", row.integer(at: place)))
        }
      }
      return found
    }
  }

  /// Finds a row of `main` that differs in `proof`: its key, as texts, and the columns that differ; `nil` for none.
  func firstDifference(on connection: Connection) throws(DecantError) -> (key: [String], columns: [String])? {
    guard !key.isEmpty, !table.columns.isEmpty else { return nil }
    let values = key.map(keyValue) + table.columns.map { "NOT (\(isAsWritten($0)))" }
    return try explaining("cannot compare the rows of \(table.own)") { () throws(SQLiteError) in
      var found: (key: [String], columns: [String])?
      try connection.forEachRow(
        """
        SELECT \(values.joined(separator: ", ")) FROM main.\(name) AS r LEFT JOIN proof.\(name) AS o ON \(hasSameKey())
        WHERE NOT (\(isWholeAsWritten)) LIMIT 1
        """
      ) { row in
        let columns = table.columns.enumerated().filter { row.integer(at: key.count + $0.offset) != 0 }
        found = (key.indices.map { row.text(at: $0) ?? "" }, columns.map(\.element.name))
      }
      return found
    }
  }

  /// Returns the number of rows in which `main` and `proof` differ; with `ofWritten`, `proof` has only the added and changed
  /// ones.
  func differenceCount(ofWritten: Bool, on connection: Connection) throws(DecantError) -> Int64 {
    let condition = ofWritten ? isWritten : "1"
    return try explaining("cannot compare the rows of \(table.own)") { () throws(SQLiteError) in
      guard !key.isEmpty else {
        let columns = table.columns.map { "\($0.own.sqlName) COLLATE BINARY" }.joined(separator: ", ")
        func rows(_ database: String, _ condition: String = "1") -> String {
          "SELECT \(columns), count(*) FROM \(database).\(name) AS r WHERE \(condition) GROUP BY \(columns)"
        }
        return try connection.integer(
          """
          SELECT (SELECT count(*) FROM (\(rows("main", condition)) EXCEPT \(rows("proof"))))
            + (SELECT count(*) FROM (\(rows("proof")) EXCEPT \(rows("main", condition))))
          """
        ) ?? 0
      }
      return try connection.integer(
        """
        SELECT (SELECT count(*) FROM main.\(name) AS r WHERE NOT EXISTS (
            SELECT 1 FROM proof.\(name) AS o WHERE \(hasSameKey()) AND \(isWholeAsWritten)) AND \(condition))
          + (SELECT count(*) FROM proof.\(name) AS r WHERE NOT EXISTS (
            SELECT 1 FROM main.\(name) AS o WHERE \(hasSameKey())))
        """
      ) ?? 0
    }
  }
}
