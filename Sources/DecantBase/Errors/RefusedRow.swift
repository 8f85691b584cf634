package import DecantSQLite

extension SQLiteError {
  /// Whether only one row was rejected, so that other rows may be written.
  ///
  /// This holds for a constraint, a type, a size, or a value that a function refuses. Every other error is a failure of
  /// the statement, the file or the machine.
  package var refusesRow: Bool {
    isConstraint || isTooLarge || isMismatch || isOfValue
      || isGeneral
        && (RejectCode.marked(message) != nil || message.hasPrefix(RejectCode.unknownEntity))
  }
}
