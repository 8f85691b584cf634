internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The entry of a copy in a store's persistent history: one transaction, with an insertion for each added object.
///
/// It has Core Data's format, so that an app finds the objects when it fetches changes. The rows are made inside
/// SQLite; none of them passes through Swift.
struct HistoryEntry {
  private let connection: Connection
  private let changes: HistoryTable
  private let transactions: HistoryTable
  /// The table of names for transactions; before macOS 10.15 names are in the transactions themselves.
  private let names: HistoryTable?

  /// The author, bundle and process of the entry.
  static let author = "decant"
  private static let nameColumns = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID"]

  /// The tables that are required for an entry.
  static let tables = ["ACHANGE", "ATRANSACTION"]

  /// Reads the state of the history in `schema`; returns `nil` if the store has none.
  ///
  /// `count` is the maximum number of objects to enter. Throws `SQLiteError.corruptCode` if the history tables or the
  /// system tables are not suitable.
  init?(in schema: String = "main", on connection: Connection, adding count: Int64) throws(SQLiteError) {
    guard let changes = try HistoryTable(.changes, in: schema, on: connection),
      let transactions = try HistoryTable(.transactions, in: schema, on: connection)
    else { return nil }
    self.connection = connection
    self.changes = changes
    self.transactions = transactions
    names = try HistoryTable(.names, in: schema, on: connection)
    _ = try changes.key(after: count)
    _ = try transactions.key(after: 1)
    guard let names,
      !transactions.columns.isDisjoint(with: HistoryEntry.nameColumns.map { $0 + "TS" })
    else { return }
    let isKnown = try connection.integer(
      "SELECT count(*) FROM \(schema.sqlName).ATRANSACTIONSTRING WHERE ZNAME = ?1",
      .text(HistoryEntry.author)
    )
    if isKnown == 0 { _ = try names.key(after: 1) }
  }

  /// Enters the written objects; called in a transaction.
  func write(
    _ written: WrittenObjects,
    in layout: Layout,
    _ model: Model,
    _ numbers: [String: Int64]
  ) throws(SQLiteError) {
    let transaction = try transactions.key(after: 1)
    // In Core Data's order: insertions, updates, and then the deletions, which were entered before.
    let deletions = "main.ACHANGE WHERE ZTRANSACTIONID = \(transaction)"
    let first = try connection.integer("SELECT min(Z_PK) FROM \(deletions)")
    let start = first.map { $0 - 1 } ?? changes.lastKey
    if first != nil { try connection.run("UPDATE main.ACHANGE SET Z_PK = -Z_PK WHERE ZTRANSACTIONID = \(transaction)") }
    var last = start
    for relation in layout.relations {
      guard let keys = written.newKeys[relation.root] else { continue }
      last += try enter(keys, of: relation, transaction: transaction, after: last)
    }
    for relation in layout.relations {
      guard let keys = written.updatedKeys[relation.root] else { continue }
      let columns = ChangedColumns(model: model, numbers: numbers).sql(of: relation)
      last += try enter(updates: keys, columns, of: relation, transaction, after: last)
    }
    if first != nil {
      try connection.run(
        "UPDATE main.ACHANGE SET Z_PK = -Z_PK + ?1 WHERE ZTRANSACTIONID = \(transaction) AND Z_PK < 0",
        .integer(last - start)
      )
      last += connection.changeCount
    }
    guard last > start else { return }
    try changes.count(to: last, on: connection)
    try begin(transaction)
  }

  /// Enters objects of one table that are about to be deleted, with their tombstones.
  ///
  /// It is part of the transaction that `write` completes.
  func enter(deletions keys: String, of relation: Relation, _ model: Model) throws(SQLiteError) {
    let key = "o.\(relation.keyName)"
    let entity = relation.entityColumn.map { "o.\($0.sqlName)" } ?? String(relation.entities.first?.code ?? 0)
    let tombstones = tombstones(of: relation, model)
    let columns = ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"] + tombstones.map(\.column)
    let values =
      ["?1 + row_number() OVER (ORDER BY \(key))", "?2", "2", entity, key, "?3"] + tombstones.map(\.value)
    try connection.run(
      """
      INSERT INTO main.ACHANGE (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM main.\(relation.table.sqlName) AS o
      WHERE \(key) IN (\(keys)) ORDER BY \(key)
      """,
      .integer(changes.lastKey),
      .integer(changes.number),
      .integer(try transactions.key(after: 1))
    )
    guard connection.changeCount > 0 else { return }
    try changes.count(to: changes.lastKey + connection.changeCount, on: connection)
  }

  /// Returns the tombstone values of deleted objects.
  ///
  /// For each entity these are the attributes that its model preserves, sorted by name, in the columns `ZTOMBSTONE0`
  /// and following.
  private func tombstones(of relation: Relation, _ model: Model) -> [(column: String, value: String)] {
    let kept = relation.entities.map { entity in
      let names = model.attributes(of: entity.name).filter(\.isPreservedInHistory).map(\.name).sorted()
      let columns = names.map { name in
        model.lineage(of: entity.name).lazy.compactMap {
          relation.column(.attribute(Property($0.name, name)))?.name.sqlName
        }.first
      }
      return (entity.code, columns)
    }
    let count = kept.map(\.1.count).max() ?? 0
    return (0..<count).compactMap { index in
      guard changes.columns.contains("ZTOMBSTONE\(index)") else { return nil }
      let cases = kept.compactMap { code, columns in
        index < columns.count ? columns[index].map { "WHEN \(code) THEN o.\($0)" } : nil
      }
      guard !cases.isEmpty, let entity = relation.entityColumn else { return nil }
      return ("ZTOMBSTONE\(index)", "CASE o.\(entity.sqlName) \(cases.joined(separator: " ")) END")
    }
  }

  /// Enters the inserted objects of one table; returns their number.
  private func enter(
    _ keys: ClosedRange<Int64>,
    of relation: Relation,
    transaction: Int64,
    after last: Int64
  ) throws(SQLiteError) -> Int64 {
    let key = relation.keyName
    let entity = relation.entityColumn?.sqlName ?? String(relation.entities.first?.code ?? 0)
    // Columns that Core Data leaves NULL for an insertion are omitted: version, changed columns, tombstones.
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

  /// Enters the updated objects of one table; returns their number.
  private func enter(
    updates keys: String,
    _ changedColumns: String,
    of relation: Relation,
    _ transaction: Int64,
    after last: Int64
  ) throws(SQLiteError) -> Int64 {
    let key = "o.\(relation.keyName)"
    let entity = relation.entityColumn.map { "o.\($0.sqlName)" } ?? "0"
    let hasColumns = changes.columns.contains("ZCOLUMNS")
    try connection.run(
      """
      INSERT INTO main.ACHANGE
        (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID\(hasColumns ? ", ZCOLUMNS" : ""))
      SELECT ?1 + row_number() OVER (ORDER BY \(key)), ?2, 1, \(entity), \(key), ?3
        \(hasColumns ? ", \(changedColumns)" : "")
      FROM (\(keys)) AS u JOIN main.\(relation.table.sqlName) AS o ON \(key) = u.k ORDER BY \(key)
      """,
      .integer(last),
      .integer(changes.number),
      .integer(transaction)
    )
    return connection.changeCount
  }

  /// Writes the transaction itself.
  private func begin(_ key: Int64) throws(SQLiteError) {
    var columns = ["Z_PK": Binding.integer(key), "Z_ENT": .integer(transactions.number)]
    // Core Data records bundle and process in every transaction, a context only if it has a name.
    for column in HistoryEntry.nameColumns {
      if let names, transactions.columns.contains(column + "TS") {
        columns[column + "TS"] = .integer(try nameKey(in: names))
      } else if transactions.columns.contains(column) {
        columns[column] = .text(HistoryEntry.author)
      }
    }
    let ordered = columns.sorted { $0.key < $1.key }
    let values = ordered.indices.map { "?\($0 + 1)" }
    // Seconds since 2001-01-01, which is the Julian day 2451910.5.
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

  /// Returns the key of the author's name, which is inserted if it does not exist.
  private func nameKey(in names: HistoryTable) throws(SQLiteError) -> Int64 {
    let known = try connection.integer(
      "SELECT Z_PK FROM main.ATRANSACTIONSTRING WHERE ZNAME = ?1",
      .text(HistoryEntry.author)
    )
    if let known { return known }
    let key = try names.key(after: 1)
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
