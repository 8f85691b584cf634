internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Checks of tables that consist of several: partitions on other servers, and tables that inherit from others.
extension ServerChange {
  private func qualified(_ change: TableChanges) -> String {
    ServerStatements(place: server.schema).qualified(change.table.name)
  }

  private func catalogRows(_ sql: String, _ change: TableChanges) throws(DecantError) -> [[String?]] {
    try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(sql, [qualified(change)])
    }
  }

  /// Throws if the partition key of a row in a partition on another server would change.
  ///
  /// The server would not move such a row: it would stay where no query looks for its new value.
  func checkPartitions(_ change: TableChanges) throws(DecantError) {
    let names = try catalogRows(
      """
      WITH RECURSIVE part (oid) AS (
        SELECT $1::pg_catalog.regclass::pg_catalog.oid
        UNION SELECT h.inhrelid FROM part AS p JOIN pg_catalog.pg_inherits AS h ON h.inhparent = p.oid
      )
      SELECT DISTINCT a.attname FROM part AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.oid AND c.relkind = 'p'
      -- The columns of a partition key depend on their table.
      JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = p.oid
        AND d.objsubid > 0 AND d.refclassid = d.classid AND d.refobjid = p.oid AND d.refobjsubid = 0 AND d.deptype = 'i'
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.oid AND a.attnum = d.objsubid
      WHERE EXISTS (SELECT FROM part AS f JOIN pg_catalog.pg_class AS g ON g.oid = f.oid WHERE g.relkind = 'f')
      """, change
    ).compactMap { $0[0] }
    let columns = change.table.columns.indices.filter { names.contains(change.table.columns[$0].name) }
    guard !columns.isEmpty else { return }
    let isMoved = columns.map { isChanged($0, change) }.joined(separator: " OR ")
    let found = try server.explaining("cannot count the rows of \(change.table.name)") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT count(*), pg_catalog.string_agg(DISTINCT c.relname, ', ') FROM \(target(change)) AS t
        JOIN \(changedRows(of: change)) AS u ON \(isChangedRow(change))
        JOIN pg_catalog.pg_class AS c ON c.oid = t.tableoid AND c.relkind = 'f' WHERE \(isMoved)
        """, []
      ).first
    }
    guard let count = found?[0].flatMap({ Int64($0) }), count > 0 else { return }
    let key = columns.map { change.table.columns[$0].name }.joined(separator: ", ")
    throw DecantError(
      .unsupportedContent,
      "\(count.counted("row")) of \(change.table.name) would get another \(key), and \(count == 1 ? "is" : "are") in "
        + "partitions on another server (\(found?[1] ?? "")), from which PostgreSQL does not move rows",
      place: "\(server.place)",
      remedy: "move these rows on the server first, or leave them out with \(option: .where); nothing was changed"
    )
  }

  /// Returns whether the rows of a table are also rows of `parent`, a table in the form used in statements.
  private func inherits(_ change: TableChanges, _ parent: String) throws(DecantError) -> Bool {
    try !catalogRows(
      """
      WITH RECURSIVE heir (oid) AS (
        SELECT \(ServerNames.quoted(literal: parent))::pg_catalog.regclass::pg_catalog.oid
        UNION SELECT i.inhrelid FROM heir AS h JOIN pg_catalog.pg_inherits AS i ON i.inhparent = h.oid
      )
      SELECT '' FROM heir WHERE oid = $1::pg_catalog.regclass
      """, change
    ).isEmpty
  }

  /// Throws if added rows have numbers that other rows of a table have from which theirs inherits.
  ///
  /// A table does not inherit a primary key, but the default of its column: the numbers are values there, not keys.
  ///
  /// The rows are there, or they are those of the table `sent`; then `pending` has all rows that are to be added.
  func checkInheritedNumbers(
    _ change: TableChanges,
    of sent: String? = nil,
    with pending: [(change: TableChanges, rows: String)] = []
  ) throws(DecantError) {
    let counted = change.table.columns.filter { column in
      change.facts.columns[column.name]?.isCounted == true && change.key.map(\.name) != [column.name]
    }
    guard !counted.isEmpty else { return }
    let parents = try catalogRows(
      """
      WITH RECURSIVE parent (oid) AS (
        SELECT h.inhparent FROM pg_catalog.pg_inherits AS h WHERE h.inhrelid = $1::pg_catalog.regclass
        UNION SELECT h.inhparent FROM parent AS p JOIN pg_catalog.pg_inherits AS h ON h.inhrelid = p.oid
      )
      SELECT a.attname, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
      FROM parent AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.oid AND c.relkind = 'r'
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_index AS i ON i.indrelid = p.oid AND i.indisprimary AND i.indnatts = 1
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.oid AND a.attnum = i.indkey[0]
      """, change)
    for column in counted {
      guard let parent = parents.first(where: { $0[0] == column.name })?[1] else { continue }
      let (name, own) = (temporaryName("numbers", change), ServerNames.quoted(column.name))
      if sent == nil { _ = try send(change, [column], to: name, where: change.isAdded) }
      let numbers = sent ?? ServerStatements(place: "pg_temp").qualified(name)
      var all = [parent]
      for other in pending where try inherits(other.change, parent) { all.append(other.rows) }
      let rows = all.map { "SELECT t.\(own) AS number FROM \($0) AS t" }.joined(separator: " UNION ALL ")
      let text = try server.explaining("cannot count the rows of \(parent)") { () throws(PostgresError) in
        try connection.text(
          """
          SELECT count(*) FROM (
            SELECT FROM (\(rows)) AS t WHERE t.number IN (SELECT u.\(own) FROM \(numbers) AS u)
            GROUP BY t.number HAVING count(*) > 1) AS twice
          """)
      }
      if sent == nil { try run("DROP TABLE \(numbers)", "cannot drop a temporary table") }
      guard let count = text.flatMap({ Int64($0) }), count > 0 else { continue }
      throw DecantError(
        .unsupportedContent,
        "\(count.counted("number")) of new rows of \(change.table.name) would be there twice in \(column.name) of \(parent), "
          + "from which the table inherits; \(column.name) is no key of \(change.table.name), so that it is copied unchanged",
        place: "\(server.place)",
        remedy:
          "make \(column.name) the primary key of \(change.table.name) in both databases: then colliding numbers are replaced; "
          + "nothing was changed"
      )
    }
  }
}
