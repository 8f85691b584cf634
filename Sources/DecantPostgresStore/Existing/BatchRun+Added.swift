internal import DecantBase
internal import DecantJSON
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// The rows that a run has added so far, for undoing it.
extension BatchRun {
  /// The keys of the record: the tables that the run writes, and the links without foreign keys that it knows.
  static let (written, links) = ("written", "links")

  /// Returns `tables` as a text for the record.
  static func text(of tables: [AddedRowsRecord.Table]) -> String {
    func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    return JSONValue.array(
      tables.map { table in
        .array([
          .string(table.name), list(table.key), list(table.columns), .integer(table.added), .integer(table.changed),
          .integer(table.removed),
        ])
      }
    ).text
  }

  /// Returns what the run has written to each table so far.
  func writtenTables() throws(DecantError) -> [AddedRowsRecord.Table] {
    let json = try value(BatchRun.written).flatMap { try? JSONValue(reading: $0) }
    return (json?.values ?? []).compactMap { table in
      let (parts, numbers) = (table.values, table.values.compactMap(\.integer))
      guard parts.count == 6, numbers.count == 3, let name = parts[0].string else { return nil }
      let done = steps.filter { $0.kind == .rows && $0.table == name }.reduce(0) { $0 + $1.done }
      return AddedRowsRecord.Table(
        name: name, key: parts[1].values.compactMap(\.string), columns: parts[2].values.compactMap(\.string),
        added: done, changed: numbers[1], removed: numbers[2])
    }
  }

  /// Returns `links` as a text for the record.
  static func text(of links: [CopyOptions.Link]) -> String {
    JSONValue.array(
      links.map { link in .array([link.property.entity, link.property.name, link.target].map { .string($0) }) }
    ).text
  }

  /// Returns the links without foreign keys; a condition is not known any more, so that it counts in every row.
  func knownLinks() throws(DecantError) -> [CopyOptions.Link] {
    let json = try value(BatchRun.links).flatMap { try? JSONValue(reading: $0) }
    return (json?.values ?? []).compactMap { link in
      let names = link.values.compactMap(\.string)
      return names.count == 3 ? CopyOptions.Link(Property(names[0], names[1]), to: names[2]) : nil
    }
  }

  /// Returns a query for the keys and the hashes of the rows of `main` that the run has added to a table, and that still
  /// have the values which it wrote.
  func addedRows(of change: TableChanges, on rows: Connection) throws(DecantError) -> String {
    let columns = change.key.indices.map { "c\($0)" }.joined(separator: ", ")
    let places = change.key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    func explained(_ body: () throws(SQLiteError) -> Void) throws(DecantError) {
      try explaining("cannot find the rows of \(change.table.own)", body)
    }
    try explained { () throws(SQLiteError) in
      try rows.run("DROP TABLE IF EXISTS temp.decant_kept")
      try rows.run("CREATE TEMP TABLE decant_kept (\(columns), PRIMARY KEY (\(columns)))")
    }
    for step in steps where step.kind == .rows && step.table == change.table.name {
      guard let query = step.keys else { continue }
      for first in stride(from: 1, through: step.done, by: 10_000) {
        let window = [String(first), String(min(first + 9_999, step.done))]
        let keys = try server.explaining("cannot read the added rows of \(step.table)") { () throws(PostgresError) in
          try connection.rows(query, window)
        }
        try explained { () throws(SQLiteError) in
          let insertion = try rows.prepare("INSERT INTO temp.decant_kept VALUES (\(places))")
          for key in keys {
            defer { insertion.reset() }
            try insertion.bind(key.map { $0.map { .text($0) } ?? .null })
            while try insertion.step() {}
          }
        }
      }
    }
    // Keys that the server writes otherwise are not found: such rows count as changed by others.
    let isSame = change.key.enumerated().map { "e.c\($0.offset) = CAST(r.\($0.element.own.sqlName) AS TEXT)" }
    let hash = try explaining("cannot find the rows of \(change.table.own)") { () throws(SQLiteError) in
      try AddedRowsRecord.registerHash(of: change, on: rows)
    }
    return """
      SELECT \(change.keyText) AS key, \(hash) AS hash \(change.rows(of: "main"))
      WHERE EXISTS (SELECT 1 FROM temp.decant_kept AS e WHERE \(isSame.joined(separator: " AND ")))
      """
  }
}
