internal import DecantBase
internal import DecantJSON
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The rows that a run has added so far, for undoing it.
extension BatchRun {
  /// The keys of the record: the tables that the run writes, and the links that the rows have.
  static let (written, links) = ("written", "links")

  static func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }

  /// Returns the names in such a list; `nil` if it is not valid.
  static func names(_ text: String?) -> [String]? {
    guard let text, case .array(let list)? = try? JSONValue(reading: text) else { return nil }
    let names = list.compactMap(\.string)
    return names.count == list.count ? names : nil
  }

  static func lists(_ text: String?) -> [[String]]? {
    guard let text, case .array(let lists)? = try? JSONValue(reading: text) else { return nil }
    let found = lists.compactMap { names($0.text) }
    return found.count == lists.count ? found : nil
  }

  /// Returns `tables` as a text for the record.
  static func text(of tables: [AddedRowsRecord.Table]) -> String {
    JSONValue.array(
      tables.map { table in
        .array([
          .string(table.name), list(table.key), list(table.columns), .integer(table.added), .integer(table.changed),
          .integer(table.removed),
        ])
      }
    ).text
  }

  /// Returns `links` as a text for the record.
  static func text(of links: [ServerSchema.Reference]) -> String {
    JSONValue.array(
      links.map { link in
        .array([.string(link.table), list(link.columns), .string(link.target), list(link.targetColumns)])
      }
    ).text
  }

  /// Returns the values of each entry of a list in the record, which must all have `count` values.
  private func entries(_ key: String, _ count: Int) throws(DecantError) -> [[JSONValue]] {
    guard let text = try value(key), case .array(let list)? = try? JSONValue(reading: text),
      list.allSatisfy({ $0.values.count == count })
    else { throw damaged("cannot be read: its value “\(key)” is not valid") }
    return list.map(\.values)
  }

  private func text(_ value: JSONValue, _ key: String) throws(DecantError) -> String {
    guard let text = value.string else { throw damaged("cannot be read: its value “\(key)” is not valid") }
    return text
  }

  /// Returns what the run has written to each table so far.
  func writtenTables() throws(DecantError) -> [AddedRowsRecord.Table] {
    try entries(BatchRun.written, 6).map { parts throws(DecantError) in
      let name = try text(parts[0], BatchRun.written)
      let done = steps.filter { $0.kind == .rows && $0.table == name }.reduce(0) { $0 + $1.done - $1.matched }
      return AddedRowsRecord.Table(
        name: name, key: parts[1].values.compactMap(\.string), columns: parts[2].values.compactMap(\.string),
        added: done, changed: parts[4].integer ?? 0, removed: parts[5].integer ?? 0)
    }
  }

  /// Returns the links that the rows of the run have, whether or not the server checks them.
  func knownLinks() throws(DecantError) -> [ServerSchema.Reference] {
    try entries(BatchRun.links, 4).map { parts throws(DecantError) in
      ServerSchema.Reference(
        name: "", table: try text(parts[0], BatchRun.links), columns: parts[1].values.compactMap(\.string),
        target: try text(parts[2], BatchRun.links), targetColumns: parts[3].values.compactMap(\.string), onDelete: "")
    }
  }

  /// Restores links of existing rows of a table in `main`, which the run has written after its rows; those whose former
  /// target is gone become empty.
  func restoreLinks(
    of change: TableChanges, _ references: [ServerSchema.Reference], _ tables: ExistingTables, on rows: Connection
  ) throws(DecantError) {
    for step in steps where step.kind == .links && step.table == change.table.name && step.done > 0 {
      let columns = step.former.compactMap { pair in change.table.columns.first { $0.name == pair.first } }
      guard let pairs = step.pairs, let isSame = step.isSame, !columns.isEmpty, columns.count == step.former.count
      else { continue }
      let own = change.key.map { "t.\(ServerNames.quoted($0.name))" }
      let former = step.former.map { "\($0.last ?? "NULL") AS \(ServerNames.quoted($0.first ?? ""))" }
      let keys = ServerKeys(name: "linked", tables: tables)
      try keys.read(
        (own + former + [isSame]).joined(separator: ", "), "FROM \(pairs) WHERE \(step.isIn(1, step.done))", of: change,
        values: columns, on: rows)
      let values = columns.enumerated().map { place, column in
        let isThere = references.filter { $0.table == change.table.name && $0.columns == [column.name] }.compactMap {
          reference in
          tables.schema.tables.first { $0.name == reference.target }.map { target in
            "EXISTS (SELECT 1 FROM main.\(target.own.sqlName) AS x "
              + "WHERE x.\(target.own(reference.targetColumns[0]).sqlName) = k.v\(place))"
          }
        }
        return "\(column.own.sqlName) = CASE WHEN \((["1"] + isThere).joined(separator: " AND ")) THEN k.v\(place) END"
      }.joined(separator: ", ")
      try explaining("cannot restore the links of \(change.table.own)") { () throws(SQLiteError) in
        try rows.run(
          "UPDATE main.\(change.table.own.sqlName) AS r SET \(values) FROM \(keys.table) AS k "
            + "WHERE \(keys.isSame(change)) AND k.\(ServerKeys.mark)")
      }
    }
  }

  /// Returns a query for the keys of the rows of `main` that the run has added to a table, each with the hash of its
  /// values, or with NULL if they are not those that it wrote.
  func addedRows(of change: TableChanges, _ tables: ExistingTables, on rows: Connection) throws(DecantError) -> String?
  {
    guard let step = steps.first(where: { $0.kind == .rows && $0.table == change.table.name && $0.done > 0 }),
      let pairs = step.pairs, let isSame = step.isSame
    else { return nil }
    let keys = ServerKeys(name: "sent", tables: tables)
    try keys.read("t.*, \(isSame)", "FROM \(pairs) WHERE \(step.isIn(1, step.done))", of: change, on: rows)
    let hash = try explaining("cannot find the rows of \(change.table.own)") { () throws(SQLiteError) in
      try AddedRowsRecord.registerHash(of: change, on: rows)
    }
    return """
      SELECT \(change.keyText) AS key, CASE WHEN k.\(ServerKeys.mark) THEN \(hash) END AS hash \(change.rows(of: "main"))
      JOIN \(keys.table) AS k ON \(keys.isSame(change))
      """
  }
}
