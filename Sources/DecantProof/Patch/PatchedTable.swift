internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// A table of which a patch is made, and how its rows are told apart.
struct PatchedTable {
  let name: String
  /// Its columns, without those that are computed from others.
  let columns: [String]
  /// What a row's number is called; `nil` where it has none, or none that can be named.
  let rowID: String?
  /// The columns by which rows are told apart; empty where their numbers do that.
  let key: [String]
  /// Whether the number is nothing but that: no column holds it.
  let hasHiddenRowID: Bool
  /// Whether something else must be unique than what tells rows apart, so that no order of changes is safe.
  let hasOtherUnique: Bool

  /// Looks at the table `name`, which both databases declare alike.
  ///
  /// - Returns: `nil` where nothing tells its rows apart that could be named.
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
    // The one primary key without an index of its own is the row's number.
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

  /// Whether no row lacks a value of its key: in a table with row numbers SQLite allows that, and as often as one likes.
  private static func isWhole(_ key: [String], _ table: String, _ connection: Connection) throws(SQLiteError) -> Bool {
    let lacks = key.map { "\($0.sqlName) IS NULL" }.joined(separator: " OR ")
    for side in [MatchSide.source, .destination] {
      let rows = "SELECT 1 FROM \(side.schema.sqlName).\(table.sqlName) WHERE \(lacks) LIMIT 1"
      if try connection.integer(rows) != nil { return false }
    }
    return true
  }

  /// What tells rows apart: columns, or the row's number.
  var names: [String] { key.isEmpty ? [rowID ?? ""] : key }

  /// The table on one side.
  func table(_ side: MatchSide) -> String { "\(side.schema.sqlName).\(name.sqlName)" }

  /// That `a` and `b` are one row.
  var isSameRow: String {
    names.map { "a.\($0.sqlName) = b.\($0.sqlName)" }.joined(separator: " AND ")
  }

  /// Whether a value of `side` is bytes that are not to be held in memory.
  func isLarge(_ column: String, _ side: String) -> String {
    guard rowID != nil else { return "0" }
    let name = "\(side).\(column.sqlName)"
    return "(typeof(\(name)) = 'blob' AND length(\(name)) > \(PatchedTable.largeByteCount))"
  }

  static let largeByteCount = 1 << 20

  /// Whether `a` and `b` differ in a column, in value or kind of value.
  func differs(_ column: String) -> String {
    let (a, b) = ("a.\(column.sqlName)", "b.\(column.sqlName)")
    // SQLite takes 0.0 and -0.0 for equal.
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
