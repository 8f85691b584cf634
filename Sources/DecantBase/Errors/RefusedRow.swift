package import DecantSQLite

extension SQLiteError {
  /// Whether it is a row that cannot be written as it is, and others may be.
  ///
  /// That is a constraint, a type, a size, or what a function says of a value. Everything else is a fault of
  /// the statement, the file or the machine.
  package var refusesRow: Bool {
    isConstraint || isTooLarge || isMismatch || isOfValue
      || isGeneral
        && (RejectCode.marked(message) != nil || message.hasPrefix(RejectCode.unknownEntity))
  }
}
