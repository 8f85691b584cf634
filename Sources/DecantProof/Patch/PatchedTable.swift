internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// A table to patch, and how its rows are identified.
struct PatchedTable {
  let name: String
  /// Its columns, without generated ones.
  let columns: [String]
  /// The name of the row number; `nil` if the table has none, or none that can be named.
  let rowID: String?
  /// The columns that identify rows; empty if row numbers do.
  let key: [String]
  /// Whether no column holds the row number.
  let hasHiddenRowID: Bool
  /// Whether there is another unique constraint besides the row identity, so that no order of changes is safe.
  let hasOtherUnique: Bool

  /// Examines the table `name`, which both databases declare alike.
  ///
  /// - Returns: `nil` if nothing that can be named identifies its rows.
  init?(_ name: String, on connection: Connection) throws(SQLiteError) {
    self.name = name
    let schema = MatchSide.source.schema
    let hasRowID =
      try connection.integer(
        "SELECT wr FROM pragma_table_list WHERE schema = ?1 AND name = ?2",
        .text(schema),
        .text(name)
      ) == 0
    var (names, stored): ([String], [String]) = ([], [])
    var keys: [(place: Int64, name: String)] = []
    try connection.forEachRow(
      "SELECT name, pk, hidden FROM pragma_table_xinfo(?1, ?2) ORDER BY cid",
      .text(name),
      .text(schema)
    ) { row in
      let column = row.text(at: 0) ?? ""
      names.append(column.foldedName)
      if row.integer(at: 2) == 0 { stored.append(column) }
      if row.integer(at: 1) > 0 { keys.append((row.integer(at: 1), column)) }
    }
    var (hasKeyIndex, uniqueCount) = (false, 0)
    try connection.forEachRow(
      "SELECT origin = 'pk' FROM pragma_index_list(?1, ?2) WHERE \"unique\"",
      .text(name),
      .text(schema)
    ) { row in
      if row.integer(at: 0) == 1 { hasKeyIndex = true } else { uniqueCount += 1 }
    }
    columns = stored
    rowID = hasRowID ? ["rowid", "_rowid_", "oid"].first { !names.contains($0) } : nil
    let declared = keys.sorted { $0.place < $1.place }.map(\.name)
    // A single primary key without an index of its own is the row number.
    let isNumbered = hasRowID && declared.count == 1 && !hasKeyIndex
    hasHiddenRowID = hasRowID && !isNumbered
    var isTold = isNumbered || !hasRowID
    if !isTold, !declared.isEmpty { isTold = try PatchedTable.isWhole(declared, name, connection) }
    if isTold {
      key = declared
    } else {
      key = []
      guard rowID != nil else { return nil }
    }
    hasOtherUnique = uniqueCount > 0 || (hasKeyIndex && key.isEmpty)
  }

  /// Returns whether no row lacks a key value, which SQLite allows in any number of rows of a table with row numbers.
  private static func isWhole(_ key: [String], _ table: String, _ connection: Connection) throws(SQLiteError) -> Bool {
    let lacks = key.map { "\($0.sqlName) IS NULL" }.joined(separator: " OR ")
    for side in [MatchSide.source, .destination] {
      let rows = "SELECT 1 FROM \(side.schema.sqlName).\(table.sqlName) WHERE \(lacks) LIMIT 1"
      if try connection.integer(rows) != nil { return false }
    }
    return true
  }

  /// The names that identify rows: columns, or the row number.
  var names: [String] { key.isEmpty ? [rowID ?? ""] : key }

  /// Returns the table on one side.
  func table(_ side: MatchSide) -> String { "\(side.schema.sqlName).\(name.sqlName)" }

  /// The condition that `a` and `b` are the same row.
  var isSameRow: String {
    names.map { "a.\($0.sqlName) = b.\($0.sqlName)" }.joined(separator: " AND ")
  }

  /// Returns the condition that a value of `side` is a BLOB too large to hold in memory.
  func isLarge(_ column: String, _ side: String) -> String {
    guard rowID != nil else { return "0" }
    let name = "\(side).\(column.sqlName)"
    return "(typeof(\(name)) = 'blob' AND length(\(name)) > \(PatchedTable.largeByteCount))"
  }

  static let largeByteCount = 1 << 20

  /// Returns the condition that `a` and `b` differ in a column, by value or type.
  func differs(_ column: String) -> String {
    let (a, b) = ("a.\(column.sqlName)", "b.\(column.sqlName)")
    // SQLite treats 0.0 and -0.0 as equal.
    let plain =
      "typeof(\(a)) <> typeof(\(b)) OR \(a) COLLATE BINARY IS NOT \(b)"
      + " OR (typeof(\(a)) = 'real' AND \(a) = 0 AND quote(\(a)) <> quote(\(b)))"
    guard let rowID else { return "(\(plain))" }
    func hash(_ row: String, _ side: MatchSide) -> String {
      "large(\(side.schema.sqlText), \(name.sqlText), \(column.sqlText), \(row).\(rowID.sqlName))"
    }
    return """
      CASE WHEN \(isLarge(column, "a")) AND \(isLarge(column, "b"))
      THEN length(\(a)) <> length(\(b)) OR \(hash("a", .source)) <> \(hash("b", .destination))
      ELSE \(plain) END
      """
  }
}
