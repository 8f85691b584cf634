internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// The commit of a transaction whose answer may be lost.
struct ServerCommit {
  let server: Server
  let connection: PostgresConnection
  let stop: ProgressCheck?
  let words: Words

  /// The texts about a commit.
  struct Words {
    /// The context of an error.
    let context: String
    /// The effect of the transaction: “the tables were published”.
    let done: String
    /// The remedy if it is not known whether the transaction was committed.
    let remedy: DecantError.Text
  }

  /// Commits; if the answer is lost, asks on a new connection whether the commit succeeded.
  ///
  /// - Parameter mayBeDone: Whether the transaction was committed, or may have been.
  /// - Returns: A note, if the answer was lost.
  /// - Throws: `DecantError` if it was not committed, or if the server does not answer.
  func perform(_ mayBeDone: inout Bool) throws(DecantError) -> ReportNote? {
    let number = try server.explaining(words.context) { () throws(PostgresError) in
      try connection.text("SELECT pg_catalog.txid_current()")
    }
    mayBeDone = true
    do throws(PostgresError) {
      try connection.run("COMMIT")
      return nil
    } catch {
      let failure = server.error(error, words.context)
      if error.isOfConnection { mayBeDone = try isCommitted(number, failure) } else { mayBeDone = false }
      guard mayBeDone else { throw failure }
    }
    return ReportNote(.completed, "the connection was lost while \(words.done); a new one found them there")
  }

  /// Returns whether the transaction was committed; throws if the server does not answer.
  private func isCommitted(_ number: String?, _ failure: DecantError) throws(DecantError) -> Bool {
    var state: String?
    do throws(DecantError) {
      let asking = try server.connectAgain(stop)
      // The server may still be working for the lost connection.
      try server.explaining("cannot ask for the lost session") { () throws(PostgresError) in
        for _ in 0..<100 {
          state = try asking.text("SELECT pg_catalog.txid_status($1)", [number])
          guard state == "in progress" else { break }
          try asking.run("SELECT pg_catalog.pg_sleep(0.1)")
        }
      }
    } catch {
      state = nil
    }
    guard let state, state != "in progress" else {
      throw DecantError(
        .systemFailed,
        "the connection was lost while \(words.done), and it is unknown whether this succeeded",
        place: "\(server.place)",
        remedy: words.remedy,
        cause: failure
      )
    }
    return state == "committed"
  }
}
