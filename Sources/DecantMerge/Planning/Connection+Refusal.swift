package import DecantBase
package import DecantSQLite

extension Connection {
  /// Returns the error of a statement that could not write or remove its rows.
  ///
  /// A trigger may have rolled back the whole transaction; nothing more may be written then.
  package func refusal(_ message: String, place: String?, _ error: SQLiteError) -> DecantError {
    let isUndone = error.refusesRow && isAutocommit
    guard isUndone || error.isOfTrigger else { return DecantError(message, place: place, cause: error) }
    let undone: DecantError.Text = "the refusal undid the whole transaction, as a trigger of the destination asks for"
    return DecantError(
      .constraintViolated,
      "\(message): \(error.message)",
      place: isUndone ? undone : place.map { "\($0)" } ?? "a trigger of the destination",
      remedy: "write the rows without running triggers: \(say: .noTriggers)",
      cause: error
    )
  }
}
