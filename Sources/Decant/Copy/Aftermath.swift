internal import SQLite

/// How a store that was being changed is found after a failure.
///
/// A commit that fails may have happened all the same: SQLite ends it by making the journal void, and
/// whether that was the step that failed nobody can tell but by looking. Meanwhile nothing may be open
/// that holds the store.
enum Aftermath {
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
  static func of(
    _ path: String,
    _ isChanged: (Connection) throws(SQLiteError) -> Bool
  ) -> Aftermath {
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

/// A row that is in the destination only if the copy is.
struct Witness {
  let table: String
  let keyColumn: String
  let key: Int64

  /// Finds one among the rows that were copied by `steps`; `nil` where no key tells them.
  init?(among steps: [CopyStep], on connection: Connection) throws(SQLiteError) {
    for step in steps {
      guard case .objects(let root) = step.kind else { continue }
      let key = step.keyColumn.sqlName
      let found = try connection.integer(
        """
        SELECT \(key) FROM main.\(step.table.sqlName)
        WHERE origin(\(root.sqlText), \(key)) IS NOT NULL ORDER BY \(key) DESC LIMIT 1
        """
      )
      guard let found else { continue }
      (table, keyColumn, self.key) = (step.table, step.keyColumn, found)
      return
    }
    return nil
  }

  /// Whether it is there.
  func isThere(on connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM main.\(table.sqlName) WHERE \(keyColumn.sqlName) = ?1",
      .integer(key)
    ) != nil
  }
}

extension DecantError {
  /// A store of which everything is there that was to be, although the disk did not say so.
  static func unconfirmed(_ place: String, _ error: DecantError) -> DecantError {
    DecantError(
      .failed,
      error.message,
      place: "“\(place)” holds the whole copy all the same, but the disk did not confirm it",
      remedy:
        "do not copy again: see what the system says of the disk (dmesg), then ask decant verify",
      cause: error.cause
    )
  }
}
