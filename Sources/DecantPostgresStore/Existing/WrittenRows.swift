internal import DecantBase
internal import DecantPostgres

/// What a transaction has written to the tables of a change, by the server's own counts.
///
/// If these are the numbers of rows that the change has inserted, updated and deleted, then no trigger, rule or foreign
/// key has written to other rows of the tables. It is then enough to compare the rows that the transaction has written:
/// their versions (`xmin`) are its own.
struct WrittenRows {
  /// The numbers of rows of a table; an update of a row counts each time.
  struct Counts: Equatable {
    var (inserted, updated, deleted): (Int64, Int64, Int64) = (0, 0, 0)
  }

  private let connection: PostgresConnection
  private let server: Server
  /// The counts before the change, by table: an attempt that was undone is counted, too.
  private let before: [String: Counts]

  /// Reads the counts before a change of the tables called `names`; `nil` if the server does not count rows, or if the rows of a
  /// table are in others, such as partitions.
  init?(of names: [String], _ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    guard server.abilities.has(.writtenRows) else { return nil }
    (self.server, self.connection) = (server, connection)
    before = try WrittenRows.counts(server, connection)
    guard names.allSatisfy({ before[$0] != nil }) else { return nil }
  }

  private static func counts(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> [String: Counts]
  {
    let rows = try server.explaining("cannot read how many rows were written") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT c.relname, pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid),
          pg_catalog.pg_stat_get_xact_tuples_updated(c.oid), pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid)
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind = 'r'
        """, [server.schema])
    }
    var counts: [String: Counts] = [:]
    for row in rows {
      let numbers = row.dropFirst().compactMap { $0.flatMap { Int64($0) } }
      guard let name = row[0], numbers.count == 3 else { continue }
      counts[name] = Counts(inserted: numbers[0], updated: numbers[1], deleted: numbers[2])
    }
    return counts
  }

  /// Returns the condition of the rows that the transaction has written, as SQL; `nil` if it has not written exactly as many
  /// as `expected`.
  func condition(_ expected: [String: Counts]) throws(DecantError) -> String? {
    let now = try WrittenRows.counts(server, connection)
    let areExpected = expected.allSatisfy { name, counts in
      guard let now = now[name], let before = before[name] else { return false }
      return now.inserted - before.inserted == counts.inserted && now.updated - before.updated == counts.updated
        && now.deleted - before.deleted == counts.deleted
    }
    guard areExpected else { return nil }
    let number = try server.explaining("cannot read the number of the transaction") { () throws(PostgresError) in
      try connection.text("SELECT pg_catalog.txid_current() % 4294967296")
    }
    // Savepoints have higher numbers. Rows of others that have higher ones cannot be there: they are compared as well.
    return number.map { "pg_catalog.age(xmin) <= pg_catalog.age('\($0)'::pg_catalog.xid)" }
  }
}
