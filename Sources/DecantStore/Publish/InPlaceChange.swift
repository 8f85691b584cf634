package import DecantBase
package import DecantSQLite

/// A change of a store in place, in one transaction: all of it or nothing takes effect.
///
/// Call in this order: `lock`, `makeBackup` if wanted, `begin`, then change and verify the store, `commit`. After an
/// error call only `settle`, once no connection to the store is left.
package final class InPlaceChange {
  /// The words for the change in errors of its commit.
  package struct Words {
    /// The predicate of the store after the change, such as “is cleaned”.
    package let done: String
    /// The message for a stopped run, such as “the cleaning was stopped”; `nil` if the caller reports it.
    package var stopped: String?
    /// The remedy if the disk did not confirm the change, in place of the error's own.
    package var remedy: DecantError.Text?

    package init(done: String, stopped: String? = nil, remedy: DecantError.Text? = nil) {
      (self.done, self.stopped, self.remedy) = (done, stopped, remedy)
    }
  }

  private let store: StoreLock
  private let words: Words
  /// The path of the backup.
  package private(set) var backup: String?
  /// Whether another file is at the store's place.
  package private(set) var hasMoved = false
  /// The state of the store after a failed change.
  package private(set) var outcome = CommitOutcome.asItWas
  /// Checks on a connection whether the change took effect; set by the commit.
  private var isThere: ((Connection) throws(SQLiteError) -> Bool)?
  private var isDone = false

  /// Describes a change, without starting it.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - place: The name of the store in errors.
  ///   - words: The words for the change in errors.
  package init(of path: String, place: String, _ words: Words) {
    (store, self.words) = (StoreLock(path: path, place: place), words)
  }

  /// Locks the store until `connection`, which has it as `main`, closes.
  ///
  /// - Throws: `DecantError` of the family `.storeBusy` if another process has it open.
  package func lock(_ connection: Connection) throws(DecantError) { try store.take(connection) }

  /// Creates a backup of the store; it is removed if the store does not change.
  package func makeBackup(_ connection: Connection) throws(DecantError) {
    backup = try store.makeBackup(connection)
  }

  /// Removes the backup of a store that did not change.
  package func removeBackup() {
    // A backup that cannot be removed does no harm.
    if let backup { try? Files.remove(backup) }
    backup = nil
  }

  /// Begins the transaction.
  package func begin(_ connection: Connection) throws(DecantError) {
    try store.refusing { () throws(SQLiteError) in try connection.run("BEGIN EXCLUSIVE") }
  }

  /// Commits the transaction durably, if the store is still at its place.
  ///
  /// - Parameters:
  ///   - connection: The connection that has the store as `main`.
  ///   - isThere: Checks on a new connection whether the change took effect, as a failed commit may still have done so.
  /// - Throws: `DecantError`; `settle` determines the state.
  package func commit(
    _ connection: Connection,
    isThere: @escaping (Connection) throws(SQLiteError) -> Bool
  ) throws(DecantError) {
    try checkIsThere(connection)
    self.isThere = isThere
    try explaining("cannot commit to “\(store.place)”") { () throws(SQLiteError) in
      try connection.run("COMMIT")
    }
    isDone = true
    try checkIsThere(connection)
  }

  /// Throws if the store is known to have moved.
  package func checkIsThere(_ connection: Connection) throws(DecantError) {
    // An inaccessible file counts as present: it was when it was written.
    hasMoved = (try? store.hasGone(connection)) ?? false
    if hasMoved { try store.checkIsThere(connection) }
  }

  /// Returns `error` with the state of the store; removes the backup if the store is unchanged.
  package func settle(_ error: DecantError) -> DecantError {
    var error = error
    let kept: DecantError.Text? = backup.map { "the previous store: \($0)" }
    // The file at the place is not the store, and the backup may be its only copy.
    guard !hasMoved else {
      if let kept { error.tell(kept) }
      return error
    }
    guard !isDone else { return error }
    outcome = CommitOutcome.of(store.path) { connection throws(SQLiteError) in
      // First checks that the store can be read.
      _ = try connection.integer("SELECT count(*) FROM main.sqlite_schema")
      return try isThere?(connection) ?? false
    }
    switch outcome {
    case .asItWas:
      removeBackup()
      guard error.family == .interrupted, let stopped = words.stopped else { return error }
      return DecantError(
        .interrupted,
        "\(stopped)",
        place: "“\(store.place)” is unchanged",
        remedy: .again,
        cause: error
      )
    case .changed:
      error.spot = "“\(store.place)” \(words.done) anyway, but the disk did not confirm it"
      if let kept { error.tell(kept) }
      error.advice = words.remedy ?? error.advice
    case .unknown:
      if let kept { error.tell(kept) }
      if let backup { error.remedies.append(.restoreBackup(backup)) }
    }
    return error
  }
}
