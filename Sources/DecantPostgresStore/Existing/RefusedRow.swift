internal import DecantBase
internal import DecantPostgres

/// The search for the row of a statement that the server refuses: its message does not name the row.
struct RefusedRow {
  let server: Server
  let connection: PostgresConnection

  /// Writes rows; throws an error that names the first refused one, if there is one.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - write: Writes the first rows, up to a number.
  ///   - error: Returns the error that names a row, by its position from 1, if that is known, and the server's error.
  /// - Throws: `DecantError`.
  func write(
    _ count: Int64,
    by write: (Int64) throws(DecantError) -> Void,
    error: (Int64?, PostgresError) throws(DecantError) -> DecantError
  ) throws(DecantError) {
    try run("SAVEPOINT decant_rows")
    guard var cause = try refusal(of: count, write) else { return try run("RELEASE SAVEPOINT decant_rows") }
    // The server tells the line, unless rows come from another table.
    if let line = cause.line, line <= count {
      try run("ROLLBACK TO SAVEPOINT decant_rows")
      throw try error(line, cause)
    }
    // A row may refer to a later one, so that links say nothing about fewer rows.
    guard !cause.isOfLink else { throw try error(nil, cause) }
    // The first rows up to `accepted` are written without another error.
    var (accepted, refused): (Int64, Int64) = (0, count)
    while refused - accepted > 1 {
      let middle = accepted + (refused - accepted) / 2
      try run("ROLLBACK TO SAVEPOINT decant_rows")
      if let found = try refusal(of: middle, write), !found.isOfLink {
        (refused, cause) = (middle, found)
      } else {
        accepted = middle
      }
    }
    try run("ROLLBACK TO SAVEPOINT decant_rows")
    throw try error(refused, cause)
  }

  /// Writes the first `count` rows; returns the server's error if it refuses one of them.
  private func refusal(of count: Int64, _ write: (Int64) throws(DecantError) -> Void) throws(DecantError)
    -> PostgresError?
  {
    do throws(DecantError) {
      try write(count)
      return nil
    } catch {
      guard let cause = error.cause as? PostgresError, cause.isOfRow else { throw error }
      return cause
    }
  }

  private func run(_ sql: String) throws(DecantError) {
    try server.explaining("cannot write rows") { () throws(PostgresError) in _ = try connection.run(sql) }
  }
}
