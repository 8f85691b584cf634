package import DecantStore
package import DecantSQLite

extension SourceStore {
  /// Holds one state of what is attached as `schema` while batches are committed, and returns it with its fingerprint.
  ///
  /// - Throws: `SQLiteError`, also if the store is written to continuously.
  package func holding(_ schema: String, on connection: Connection) throws(SQLiteError)
    -> (state: Snapshot, fingerprint: Fingerprint)
  {
    try holding(schema, on: connection) { () throws(SQLiteError) in
      try hold(schema, on: connection)
    } release: { snapshot in
      snapshot.release()
    }
  }

  /// Holds one state of what is attached as `schema` and returns it with its fingerprint.
  ///
  /// Others may write between the fingerprint and the hold; the fingerprint is therefore read before and after, and
  /// must be equal.
  ///
  /// - Parameters:
  ///   - schema: The schema of the attached store.
  ///   - connection: The connection that holds it.
  ///   - hold: Holds the current state.
  ///   - release: Releases it for another attempt.
  /// - Returns: The hold, and the state's fingerprint.
  /// - Throws: `SQLiteError`, also if the store is written to continuously.
  package func holding<State>(
    _ schema: String,
    on connection: Connection,
    hold: () throws(SQLiteError) -> State,
    release: (State) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> (state: State, fingerprint: Fingerprint) {
    for _ in 1...50 {
      let before = try fingerprint(of: schema, on: connection)
      let state = try hold()
      let after = try fingerprint(of: schema, on: connection)
      if before == after { return (state, after) }
      try release(state)
    }
    throw SQLiteError(code: SQLiteError.busyCode, message: "it is being written to continuously")
  }
}
