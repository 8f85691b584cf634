internal import DecantBase
internal import DecantPostgres
internal import DecantServerSchema

/// Rows to be added that are matched meanwhile: another program has added a row with the same unique values since.
extension BatchRun {
  /// The matched rows of a step, in the form used in statements.
  private func matched(_ number: Int) -> String { qualified("matched_\(number)") }

  private func run(_ sql: String) throws(DecantError) -> Int64 {
    try server.explaining("cannot match rows that were added meanwhile") { () throws(PostgresError) in
      try connection.run(sql)
    }
  }

  /// Removes the rows of a batch that are matched from the record, and lets links to them lead to the rows on the server,
  /// in the transaction of the batch; returns the number of these rows.
  ///
  /// - Throws: `DecantError` if a row has unique values of several, or several have those of one.
  func match(_ step: Step, _ number: Int, upTo last: Int64) throws(DecantError) -> Int64 {
    guard !step.matches.isEmpty else { return 0 }
    let key = step.key
    let window = step.isIn(step.done + 1, last)
    let matched = matched(number)
    let found = step.matches.map { "\($0) AND \(window)" }.joined(separator: " UNION ")
    _ = try run("CREATE TABLE IF NOT EXISTS \(matched) AS \(found) LIMIT 0")
    let all = try run("INSERT INTO \(matched) \(found)")
    guard all > 0 else { return 0 }
    _ = try run(
      "DELETE FROM \(recordTable(number)) AS u USING \(matched) AS m "
        + "WHERE u.\(ServerNames.quoted(step.position ?? "")) = m.number")
    // Neither may stand for several of the other.
    let several = ["number", key.indices.map { "new_\($0)" }.joined(separator: ", ")].filter { !$0.isEmpty }
    let isTaken = key.enumerated().map { "t.\(ServerNames.quoted($1))::text = m.new_\($0)::text" }
    let ambiguous = try server.explaining("cannot match rows that were added meanwhile") { () throws(PostgresError) in
      let groups =
        several.map { "SELECT FROM \(matched) GROUP BY \($0) HAVING count(*) > 1" }
        + ["SELECT FROM \(matched) WHERE differs"]
      // A row of the server that the run has added or matched before stands for another one.
      let own = step.pairs.map { "SELECT FROM \($0) JOIN \(matched) AS m ON \(isTaken.joined(separator: " AND "))" }
      return try connection.text(
        "SELECT 1 FROM (\((groups + [own].compactMap(\.self)).joined(separator: " UNION ALL "))) AS other LIMIT 1")
    }
    guard ambiguous == nil else {
      throw DecantError(
        .unsupportedContent,
        "a row of \(step.table) to be added and one that is there by now have equal unique values, and so has another row",
        place: "\(server.place)",
        remedy: "change one of them, then \(.again(with: .resume))"
      )
    }
    try lead(try Set(knownLinks().filter { $0.target == step.table }), by: key, from: matched)
    // The row on the server keeps its own links.
    let types = try types(of: own(step.table))
    let isOld = key.enumerated().map { place, name in
      "u.\(ServerNames.quoted(name))::\(types[name] ?? "text")::text = m.old_\(place)::text"
    }
    for (place, other) in steps.enumerated() where other.kind == .links && other.table == step.table {
      _ = try run(
        "DELETE FROM \(recordTable(place)) AS u USING \(matched) AS m WHERE \(isOld.joined(separator: " AND "))")
    }
    return all
  }

  private func own(_ table: String) -> String { ServerStatements(place: server.schema).qualified(table) }

  /// Changes links to matched rows, in the record and in rows that are there: the server may check none of them.
  ///
  /// - Parameters:
  ///   - links: The links to their table.
  ///   - key: The columns of its key, by which they lead; other unique values are those of the row on the server.
  ///   - matched: The table of the matched rows.
  /// - Throws: `DecantError` if the server refuses a change.
  private func lead(_ links: Set<ServerSchema.Reference>, by key: [String], from matched: String) throws(DecantError) {
    for link in links {
      let places = link.targetColumns.compactMap { key.firstIndex(of: $0) }
      guard places.count == link.columns.count else { continue }
      let own = own(link.table)
      let ownTypes = try types(of: own)
      let records = steps.indices.filter { steps[$0].kind != .constraint && steps[$0].table == link.table }
      for rows in records.map(recordTable) + [own] {
        let types = rows == own ? ownTypes : try types(of: rows)
        guard link.columns.allSatisfy({ types[$0] != nil }) else { continue }
        let pairs = zip(link.columns, places)
        let values = pairs.map { "\(ServerNames.quoted($0)) = m.new_\($1)::text::\(types[$0] ?? "text")" }
        // The record has texts of some types, in any spelling.
        let isOld = pairs.map { name, place in
          "u.\(ServerNames.quoted(name))::\(ownTypes[name] ?? "text")::text = m.old_\(place)::text"
        }
        _ = try run(
          "UPDATE \(rows) AS u SET \(values.joined(separator: ", ")) FROM \(matched) AS m "
            + "WHERE \(isOld.joined(separator: " AND "))")
      }
    }
  }

  /// Returns the types of the columns of a table, which is in the form used in statements.
  func types(of rows: String) throws(DecantError) -> [String: String] {
    let found = try server.explaining("cannot read the record") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT attname, pg_catalog.format_type(atttypid, atttypmod) FROM pg_catalog.pg_attribute
        WHERE attrelid = $1::pg_catalog.regclass AND attnum > 0 AND NOT attisdropped
        """, [rows])
    }
    return Dictionary(found.map { ($0[0] ?? "", $0[1] ?? "text") }) { $1 }
  }
}
