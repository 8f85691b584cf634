public import DecantPlan
public import DecantBase
public import DecantStore

/// The return of a store to what it was before its last change: the backup that this change made takes
/// its place.
///
/// A value that can be kept and run again; nothing is opened before it runs. Store and backup change
/// names, so that nothing is lost, and running it once more undoes it. Never does a file get a name
/// beside which the log or the journal of another one lies: SQLite would take it for the file's own, and
/// bring back what is in it without a word.
public struct Rollback: Runnable {
  public let store: StoreLocation
  private let recogniser: any StoreRecogniser

  /// Describes a rollback of a store of the kinds that `recogniser` knows.
  public init(_ store: StoreLocation, recogniser: any StoreRecogniser) {
    self.store = store
    self.recogniser = recogniser
  }

  /// The rollback: it puts the backup back, or clears what an interrupted run left beside the store.
  ///
  /// One that fails or is stopped leaves everything as it was, unless the error says that it is done all the same.
  public var operation: DecantOperation<RollbackReport> {
    DecantOperation("rollback", .rollback) { cancellation, tell throws(DecantError) in
      tell(.began(.read))
      return try RollbackRun(store, recogniser, cancellation).run(tell)
    }
  }
}
