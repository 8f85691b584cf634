internal import Decant
internal import SQLite

/// The entry of a copy in a store's persistent history: one transaction, with an insertion for each
/// object that was added.
///
/// Written as Core Data writes it, so that an app finds out about the objects when it asks what has
/// changed. The rows are made inside SQLite; none of them passes through Swift.
struct HistoryEntry {
  private let connection: Connection
  private let changes: HistoryTable
  private let transactions: HistoryTable
  /// The names that transactions refer to; before macOS 10.15 they stand in the transactions themselves.
  private let names: HistoryTable?

  /// What the entry says who wrote it: author, bundle and process alike.
  static let author = "decant"

  /// Whether a store whose tables have these columns keeps history.
  static func isKept(in columns: [String: [String]]) -> Bool {
    columns["ACHANGE"] != nil && columns["ATRANSACTION"] != nil
  }

  /// Reads where the history of `main` stands; `nil` where it keeps none.
  init?(on connection: Connection) throws(SQLiteError) {
    guard
      let changes = try HistoryTable("ACHANGE", entity: "CHANGE", number: 16_001, on: connection),
      let transactions = try HistoryTable(
        "ATRANSACTION",
        entity: "TRANSACTION",
        number: 16_002,
        on: connection
      )
    else { return nil }
    self.connection = connection
    self.changes = changes
    self.transactions = transactions
    names = try HistoryTable(
      "ATRANSACTIONSTRING",
      entity: "TRANSACTIONSTRING",
      number: 16_003,
      on: connection
    )
  }

  /// Enters the objects whose keys are in `newKeys`, by root entity; inside a transaction of the
  /// caller's.
  func write(_ newKeys: [String: ClosedRange<Int64>], in layout: Layout) throws(SQLiteError) {
    let transaction = transactions.lastKey + 1
    var last = changes.lastKey
    for relation in layout.relations {
      guard let keys = newKeys[relation.root] else { continue }
      last += try enter(keys, of: relation, transaction: transaction, after: last)
    }
    guard last > changes.lastKey else { return }
    try changes.count(to: last, on: connection)
    try begin(transaction)
  }

  /// Enters the objects of one table; returns how many there were.
  private func enter(
    _ keys: ClosedRange<Int64>,
    of relation: Relation,
    transaction: Int64,
    after last: Int64
  ) throws(SQLiteError) -> Int64 {
    let key = relation.keyColumn.sqlName
    let entity = relation.entityColumn?.sqlName ?? String(relation.entities.first?.code ?? 0)
    // What Core Data leaves NULL for an insertion is left out: version, changed columns, tombstones.
    try connection.run(
      """
      INSERT INTO main.ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      SELECT ?1 + row_number() OVER (ORDER BY \(key)), ?2, 0, \(entity), \(key), ?3
      FROM main.\(relation.table.sqlName) WHERE \(key) BETWEEN ?4 AND ?5 ORDER BY \(key)
      """,
      .integer(last),
      .integer(changes.number),
      .integer(transaction),
      .integer(keys.lowerBound),
      .integer(keys.upperBound)
    )
    return connection.changeCount
  }

  /// Writes the transaction itself.
  private func begin(_ key: Int64) throws(SQLiteError) {
    var columns = ["Z_PK": Binding.integer(key), "Z_ENT": .integer(transactions.number)]
    // Core Data names bundle and process in every transaction, a context only where it has a name.
    for column in ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID"] {
      if let names, transactions.columns.contains(column + "TS") {
        columns[column + "TS"] = .integer(try nameKey(in: names))
      } else if transactions.columns.contains(column) {
        columns[column] = .text(HistoryEntry.author)
      }
    }
    let ordered = columns.sorted { $0.key < $1.key }
    let values = ordered.indices.map { "?\($0 + 1)" }
    // Seconds since 2001-01-01, whose Julian day number is 2451910.5.
    let insertion = try connection.prepare(
      """
      INSERT INTO main.ATRANSACTION (\(ordered.map(\.key).joined(separator: ", ")), ZTIMESTAMP)
      VALUES (\(values.joined(separator: ", ")), (julianday('now') - 2451910.5) * 86400.0)
      """
    )
    try insertion.bind(ordered.map(\.value))
    while try insertion.step() {}
    try transactions.count(to: key, on: connection)
  }

  /// Returns the key of the author's name, which is entered where it is not there yet.
  private func nameKey(in names: HistoryTable) throws(SQLiteError) -> Int64 {
    let known = try connection.integer(
      "SELECT Z_PK FROM main.ATRANSACTIONSTRING WHERE ZNAME = ?1",
      .text(HistoryEntry.author)
    )
    if let known { return known }
    let key = names.lastKey + 1
    try connection.run(
      "INSERT INTO main.ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?1, ?2, ?3)",
      .integer(key),
      .integer(names.number),
      .text(HistoryEntry.author)
    )
    try names.count(to: key, on: connection)
    return key
  }
}

/// A table of persistent history, and how far its keys are handed out.
private struct HistoryTable {
  let columns: Set<String>
  /// The number under which the store's books count its keys.
  let number: Int64
  /// The highest key that was ever handed out.
  let lastKey: Int64
  private let entity: String

  /// Looks for `name` in `main`; `nil` where there is no such table.
  ///
  /// `number` is what Core Data gives `entity`, for books that have lost the row.
  init?(_ name: String, entity: String, number: Int64, on connection: Connection)
    throws(SQLiteError)
  {
    var columns: Set<String> = []
    try connection.forEachRow("SELECT name FROM pragma_table_info(?1, 'main')", .text(name)) {
      row in
      columns.insert(row.text(at: 0) ?? "")
    }
    guard !columns.isEmpty else { return nil }
    self.columns = columns
    self.entity = entity
    let row = "FROM main.Z_PRIMARYKEY WHERE Z_NAME = ?1 AND Z_ENT >= ?2"
    let first = Binding.integer(EntityNumbers.firstPrivate)
    self.number = try connection.integer("SELECT Z_ENT \(row)", .text(entity), first) ?? number
    let counter = try connection.integer("SELECT Z_MAX \(row)", .text(entity), first)
    let highest = try connection.integer("SELECT max(Z_PK) FROM main.\(name.sqlName)")
    // As everywhere in these books, the counter may lag behind.
    lastKey = max(counter ?? 0, highest ?? 0)
  }

  /// Books the keys up to `key` as handed out.
  func count(to key: Int64, on connection: Connection) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3)
      ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX WHERE Z_NAME = excluded.Z_NAME
      """,
      .integer(number),
      .text(entity),
      .integer(key)
    )
    guard connection.changeCount == 1 else {
      throw SQLiteError(
        code: SQLiteError.corruptCode,
        message: "Z_PRIMARYKEY has the number \(number) of \(entity) under another name"
      )
    }
  }
}
