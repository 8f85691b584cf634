internal import DecantBase
internal import DecantSQLite

extension Connection {
  /// Returns the error of a statement that could not write its rows.
  ///
  /// A trigger may have undone the whole transaction, with all that was written in it: then nothing more may be written.
  func refusal(_ message: String, place: String?, _ error: SQLiteError) -> DecantError {
    guard error.refusesRow, isAutocommit else { return DecantError(message, place: place, cause: error) }
    return DecantError(
      .constraintViolated,
      "\(message): \(error.message)",
      place: "the refusal undid the whole transaction, as a trigger of the destination asks for",
      remedy: "write the rows without running triggers: \(say: .noTriggers)",
      cause: error
    )
  }
}
