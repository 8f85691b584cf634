internal import DecantBase
internal import DecantPostgres

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
    let isTaken = key.enumerated().map { "t.\(ServerNames.quoted($1)) = m.new_\($0)" }
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
    for (place, other) in steps.enumerated() where other.kind != .constraint {
      let rows = recordTable(place)
      let columns = try columns(of: rows)
      for link in try knownLinks() where link.table == other.table && link.target == step.table {
        let places = link.targetColumns.map { key.firstIndex(of: $0) }
        // Other unique values are those of the row on the server.
        guard !places.contains(nil), link.columns.allSatisfy(columns.contains) else { continue }
        let pairs = zip(link.columns.map { ServerNames.quoted($0) }, places.compactMap(\.self))
        let values = pairs.map { "\($0) = m.new_\($1)" }.joined(separator: ", ")
        let isOld = pairs.map { "u.\($0) = m.old_\($1)" }.joined(separator: " AND ")
        // Without foreign keys, rows that are there already have links to later ones.
        let isThere = other.kind == .rows && other.done > 0 && steps.contains { $0.kind == .constraint }
        let own = ServerStatements(place: server.schema).qualified(other.table)
        for rows in isThere ? [rows, own] : [rows] {
          _ = try run("UPDATE \(rows) AS u SET \(values) FROM \(matched) AS m WHERE \(isOld)")
        }
      }
      // The row on the server keeps its own links.
      guard other.kind == .links, other.table == step.table else { continue }
      let isOld = key.enumerated().map { "u.\(ServerNames.quoted($1)) = m.old_\($0)" }.joined(separator: " AND ")
      _ = try run("DELETE FROM \(rows) AS u USING \(matched) AS m WHERE \(isOld)")
    }
    return all
  }

  func columns(of rows: String) throws(DecantError) -> Set<String> {
    let names = try server.explaining("cannot read the record") { () throws(PostgresError) in
      try connection.rows(
        "SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = $1::pg_catalog.regclass AND attnum > 0", [rows])
    }
    return Set(names.compactMap { $0[0] })
  }
}
