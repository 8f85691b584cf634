package import DecantBase
package import DecantSQLite

/// A change of a store in place, in one transaction: afterwards all of it is there, or nothing.
///
/// The calls come in this order: `lock`, `makeBackup` where one is wanted, `begin`, what changes the store and proves it,
/// `commit`. After an error nothing but `settle`, when no connection to the store is left.
package final class InPlaceChange {
  /// What the change is called where its commit failed, or was not confirmed by the disk.
  package struct Words {
    /// What is true of the store when it came about, such as “is cleaned”.
    package let done: String
    /// What is said of a run that was stopped, such as “the cleaning was stopped”; `nil` where the caller says it.
    package var stopped: String?
    /// What to do where the disk did not confirm it, besides what the error says.
    package var remedy: DecantError.Text?

    package init(done: String, stopped: String? = nil, remedy: DecantError.Text? = nil) {
      (self.done, self.stopped, self.remedy) = (done, stopped, remedy)
    }
  }

  private let store: StoreLock
  private let words: Words
  /// The store as it was.
  package private(set) var backup: String?
  /// Whether another file is at the store's place.
  package private(set) var hasMoved = false
  /// How the store was left by a change that failed.
  package private(set) var outcome = CommitOutcome.asItWas
  /// Asks a connection to the store whether the change came about; known from the commit on.
  private var isThere: ((Connection) throws(SQLiteError) -> Bool)?
  private var isDone = false

  /// Begins nothing yet.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - place: What to call the store in errors.
  ///   - words: What to call the change there.
  package init(of path: String, place: String, _ words: Words) {
    (store, self.words) = (StoreLock(path: path, place: place), words)
  }

  /// Keeps everybody else from the store until `connection`, which has it as `main`, closes.
  ///
  /// - Throws: `DecantError` of the family `.storeBusy` while another process has it.
  package func lock(_ connection: Connection) throws(DecantError) { try store.take(connection) }

  /// Makes a copy of the store as it is; it goes again where the store stays as it is.
  package func makeBackup(_ connection: Connection) throws(DecantError) {
    backup = try store.makeBackup(connection)
  }

  /// Removes the backup of a store that did not change.
  package func removeBackup() {
    // What stays of a backup that nobody needs harms nobody.
    if let backup { try? Files.remove(backup) }
    backup = nil
  }

  /// Begins the transaction.
  package func begin(_ connection: Connection) throws(DecantError) {
    try store.refusing { () throws(SQLiteError) in try connection.run("BEGIN EXCLUSIVE") }
  }

  /// Commits the transaction, durably, if the store is still at its place.
  ///
  /// - Parameters:
  ///   - connection: The one that has the store as `main`.
  ///   - isThere: Asks a fresh connection whether the change is there, should the commit fail: a commit that fails may
  ///     have come about all the same.
  /// - Throws: `DecantError`; what is there now, `settle` finds out.
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

  /// Throws if the store is certainly not at its place any more.
  package func checkIsThere(_ connection: Connection) throws(DecantError) {
    // Whatever cannot be looked at was there when it was written.
    hasMoved = (try? store.hasGone(connection)) ?? false
    if hasMoved { try store.checkIsThere(connection) }
  }

  /// Returns `error` with how the store is left; where that is as it was, the backup is removed.
  package func settle(_ error: DecantError) -> DecantError {
    var error = error
    let kept: DecantError.Text? = backup.map { "the previous store: \($0)" }
    // What is at the place now says nothing, and the backup may be all that is left.
    guard !hasMoved else {
      if let kept { error.tell(kept) }
      return error
    }
    guard !isDone else { return error }
    outcome = CommitOutcome.of(store.path) { connection throws(SQLiteError) in
      // To begin with, whether the store can be read.
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
