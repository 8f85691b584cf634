internal import DecantBase
internal import DecantPostgres

/// A lock of rows that prevents others from adding rows which refer to them, until the end of the transaction.
///
/// A lock of the table does not prevent this: a foreign key only locks the row that it refers to.
struct RowLock {
  private let server: Server
  private let connection: PostgresConnection
  /// The clauses that select the rows, of the table `t`.
  private let rows: String
  /// The name of the table.
  private let table: String

  init(_ server: Server, _ connection: PostgresConnection, _ rows: String, of table: String) {
    (self.server, self.connection, self.rows, self.table) = (server, connection, rows, table)
  }

  /// Takes the lock.
  ///
  /// A session that has locked such a row may next request the table, which is already locked. Waiting for it could be
  /// a deadlock, so rows that others hold are skipped and requested again.
  func take() throws(DecantError) {
    let end = ContinuousClock.now + .seconds(TableLock.limit)
    while true {
      let isTaken = try server.explaining("cannot lock rows of \(table)") { () throws(PostgresError) in
        try connection.text(
          """
          SELECT (SELECT count(*) FROM (SELECT \(rows) FOR UPDATE OF t SKIP LOCKED) AS locked)
            = (SELECT count(*) \(rows))
          """)
      }
      if isTaken == "t" { return }
      guard !connection.isStopped() else { throw DecantError(.interrupted, "the operation was interrupted") }
      guard .now < end else {
        throw DecantError(
          .storeLocked,
          "cannot lock rows of \(table): another session holds them",
          place: "\(server.place)",
          remedy: "wait for its end; nothing was changed"
        )
      }
      Files.pause(milliseconds: 100)
    }
  }
}
