public import DecantPlan
public import DecantBase
public import DecantStore

/// The return of a store to its state before the last change, by restoring the backup of that change.
///
/// The value can be stored and run again; nothing is opened before it runs. Store and backup swap names, so that
/// nothing is lost, and running it again undoes it. A file never gets a name next to the log or journal of another
/// file, which SQLite would take for its own and silently apply.
public struct Rollback: Runnable {
  public let store: StoreLocation
  private let recogniser: any StoreRecogniser

  /// Creates a rollback of a store of a kind that `recogniser` supports.
  public init(_ store: StoreLocation, recogniser: any StoreRecogniser) {
    self.store = store
    self.recogniser = recogniser
  }

  /// The rollback, which restores the backup, or removes the remains of an interrupted run.
  ///
  /// If a rollback fails or is cancelled, everything is unchanged, unless the error says that it was done anyway.
  public var operation: DecantOperation<RollbackReport> {
    DecantOperation("rollback", .rollback) { cancellation, tell throws(DecantError) in
      tell(.began(.read))
      return try RollbackRun(store, recogniser, cancellation).run(tell)
    }
  }
}
