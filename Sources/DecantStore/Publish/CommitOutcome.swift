internal import DecantSQLite

/// The state of a store after a failed change.
///
/// A failed commit may still have taken effect: SQLite commits by invalidating the journal, and only a look at the
/// store shows whether that step succeeded. No connection to the store may be open meanwhile.
package enum CommitOutcome {
  /// The store is unchanged.
  case asItWas
  /// The change is complete.
  case changed
  /// The store cannot be opened or read.
  case unknown

  /// Determines the state of the store at `path`; SQLite rolls back an incomplete change.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - isChanged: Whether the store contains the change.
  /// - Returns: The state.
  static func of(_ path: String, _ isChanged: (Connection) throws(SQLiteError) -> Bool) -> CommitOutcome {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 2_000)
      return try isChanged(connection) ? .changed : .asItWas
    } catch {
      // The reason is already being reported.
      return .unknown
    }
  }
}
