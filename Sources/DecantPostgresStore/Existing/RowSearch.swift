internal import DecantBase
internal import DecantPostgres
internal import DecantServerSchema

/// The search for the rows of a statement that the server refuses: its message names none of them.
struct RowSearch {
  let server: Server
  let connection: PostgresConnection

  /// A refused row, by its position from 1, and the server's error.
  typealias Found = (position: Int64, error: PostgresError)

  /// Runs `write`; if the server refuses a row, undoes it and returns the server's error.
  func refusal(of write: () throws(DecantError) -> Void) throws(DecantError) -> PostgresError? {
    try run("SAVEPOINT decant_rows")
    do throws(DecantError) {
      try write()
      try run("RELEASE SAVEPOINT decant_rows")
      return nil
    } catch {
      guard let cause = error.cause as? PostgresError, cause.isOfRow else { throw error }
      try run("ROLLBACK TO SAVEPOINT decant_rows")
      try run("RELEASE SAVEPOINT decant_rows")
      return cause
    }
  }

  /// Writes those rows of a temporary table that the server accepts.
  ///
  /// Fewer and fewer rows are written at once until only the refused one remains, and then more and more again.
  ///
  /// - Parameters:
  ///   - table: The temporary table; its rows are in the order in which they were sent.
  ///   - count: The number of its rows.
  ///   - position: The name of the column to add to it for the positions.
  ///   - onlyFirst: Whether to stop at the first refused row.
  ///   - checksAtOnce: Whether deferred constraints are checked after each statement.
  ///   - statement: Returns the statement that writes the rows `u` of the table which meet a condition.
  /// - Returns: The rows that it refuses.
  /// - Throws: `DecantError` for another error of the server.
  func write(
    _ table: String,
    _ count: Int64,
    by position: String,
    onlyFirst: Bool,
    checksAtOnce: Bool,
    _ statement: (String) -> String
  ) throws(DecantError) -> [Found] {
    let number = "u.\(ServerNames.quoted(position))"
    try run(ServerStatements.number(table, by: position))
    try run("CREATE TEMPORARY TABLE decant_refused (place bigint, code text, message text, rule text)")
    let block = """
      <<decant>>
      DECLARE
        first bigint := 1;
        count bigint := 1;
        reason text;
        rule text;
      BEGIN
        WHILE first <= \(count) LOOP
          BEGIN
            \(statement("\(number) BETWEEN decant.first AND decant.first + decant.count - 1"));
            \(checksAtOnce ? "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED;" : "")
            first := first + count;
            count := least(2 * count, 1024);
          EXCEPTION WHEN OTHERS THEN
            IF NOT (\(PostgresError.isOfRow(state: "SQLSTATE"))) THEN
              RAISE;
            ELSIF count > 1 THEN
              count := count / 2;
            ELSE
              GET STACKED DIAGNOSTICS reason = MESSAGE_TEXT, rule = CONSTRAINT_NAME;
              INSERT INTO pg_temp.decant_refused VALUES (decant.first, SQLSTATE, decant.reason, decant.rule);
              first := first + 1;
              \(onlyFirst ? "EXIT WHEN SQLSTATE <> '23503';" : "")
            END IF;
          END;
        END LOOP;
      END
      """
    try run("DO \(ServerNames.quoted(literal: block))")
    let rows = try server.explaining("cannot read the refused rows") { () throws(PostgresError) in
      try connection.rows("SELECT place, code, message, nullif(rule, '') FROM pg_temp.decant_refused ORDER BY place")
    }
    try run("DROP TABLE pg_temp.decant_refused")
    return rows.compactMap { row in
      guard let place = row[0].flatMap({ Int64($0) }) else { return nil }
      return (place, PostgresError(state: row[1], message: row[2] ?? "", constraint: row[3]))
    }
  }

  private func run(_ sql: String) throws(DecantError) {
    try server.explaining("cannot write rows") { () throws(PostgresError) in _ = try connection.run(sql) }
  }
}
