internal import DecantSQLite

/// How a store that was being changed is found after a failure.
///
/// A commit that fails may have happened all the same: SQLite ends it by making the journal void, and
/// whether that was the step that failed nobody can tell but by looking. Meanwhile nothing may be open
/// that holds the store.
package enum CommitOutcome {
  /// Nothing of the change is there.
  case asItWas
  /// All of it is there.
  case changed
  /// The store cannot be asked.
  case unknown

  /// Looks at the store at `path`, having SQLite undo what is half-written.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - isChanged: Whether what it is asked of holds the change.
  /// - Returns: What is found.
  static func of(_ path: String, _ isChanged: (Connection) throws(SQLiteError) -> Bool) -> CommitOutcome {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 2_000)
      return try isChanged(connection) ? .changed : .asItWas
    } catch {
      // Why it cannot be asked is what is being told already.
      return .unknown
    }
  }
}
