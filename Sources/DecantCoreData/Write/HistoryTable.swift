internal import DecantSQLite

/// A table of persistent history, with its allocated keys.
struct HistoryTable {
  /// The format of such a table, as far as an entry needs it.
  struct Layout {
    let name: String
    /// The name of its rows in the store's system tables.
    let entity: String
    /// The number of its rows in Core Data, for system tables that lack the row.
    let number: Int64
    /// The columns that every entry needs.
    let columns: [String]

    static let changes = Layout(
      name: "ACHANGE",
      entity: "CHANGE",
      number: 16_001,
      columns: ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]
    )
    static let transactions = Layout(
      name: "ATRANSACTION",
      entity: "TRANSACTION",
      number: 16_002,
      columns: ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    )
    static let names = Layout(
      name: "ATRANSACTIONSTRING",
      entity: "TRANSACTIONSTRING",
      number: 16_003,
      columns: ["Z_PK", "Z_ENT", "ZNAME"]
    )
  }

  let columns: Set<String>
  /// The number of its rows in the store's system tables.
  let number: Int64
  /// The highest key ever allocated.
  let lastKey: Int64
  private let layout: Layout

  /// Finds the table in `schema`; returns `nil` if there is none.
  ///
  /// Throws `SQLiteError.corruptCode` if Core Data cannot have made it.
  init?(_ layout: Layout, in schema: String, on connection: Connection) throws(SQLiteError) {
    let name = Binding.text(layout.name)
    let kind = try connection.text(
      "SELECT type FROM pragma_table_list WHERE schema = ?1 AND name = ?2",
      .text(schema),
      name
    )
    guard let kind else { return nil }
    guard kind == "table" else {
      throw HistoryTable.damage("\(layout.name) is a \(kind), not an ordinary table")
    }
    var columns: Set<String> = []
    try connection.forEachRow("SELECT name FROM pragma_table_info(?1, ?2)", name, .text(schema)) { row in
      columns.insert(row.text(at: 0) ?? "")
    }
    if let missing = layout.columns.first(where: { !columns.contains($0) }) {
      throw HistoryTable.damage("\(layout.name) has no column \(missing)")
    }
    self.columns = columns
    self.layout = layout
    let books = "\(schema.sqlName).Z_PRIMARYKEY"
    let row = "FROM \(books) WHERE Z_NAME = ?1 AND Z_ENT >= ?2"
    let (entity, first) = (Binding.text(layout.entity), Binding.integer(EntityNumbers.firstPrivate))
    let number = try connection.integer("SELECT Z_ENT \(row)", entity, first) ?? layout.number
    self.number = number
    let counter = try connection.integer("SELECT Z_MAX \(row)", entity, first)
    let highest = try connection.integer("SELECT max(Z_PK) FROM \(schema.sqlName).\(layout.name.sqlName)")
    // As everywhere in these tables, the counter may be too low.
    lastKey = max(counter ?? 0, highest ?? 0)
    let others = try connection.integer(
      "SELECT count(*) FROM \(books) WHERE Z_ENT = ?1 AND Z_NAME IS NOT ?2",
      .integer(number),
      entity
    )
    guard others == 0 else {
      throw HistoryTable.damage("Z_PRIMARYKEY has the number \(number) of \(layout.entity) under a different name")
    }
  }

  /// Returns the key of the row that is `count` rows after the last one.
  func key(after count: Int64) throws(SQLiteError) -> Int64 {
    let (key, isOver) = lastKey.addingReportingOverflow(count)
    // The highest number is not used, because the next writer needs one as well.
    guard !isOver, key < Int64.max else {
      throw HistoryTable.damage("\(layout.name) has allocated its highest key")
    }
    return key
  }

  /// Records the keys up to `key` as allocated.
  func count(to key: Int64, on connection: Connection) throws(SQLiteError) {
    try connection.run(
      "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ?3 WHERE Z_ENT = ?1 AND Z_NAME = ?2",
      .integer(number),
      .text(layout.entity),
      .integer(key)
    )
    guard connection.changeCount == 0 else { return }
    try connection.run(
      "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3)",
      .integer(number),
      .text(layout.entity),
      .integer(key)
    )
  }

  private static func damage(_ what: String) -> SQLiteError {
    SQLiteError(code: SQLiteError.corruptCode, message: what)
  }
}
