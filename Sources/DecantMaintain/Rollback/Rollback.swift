package import DecantPlan
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
  /// The file that `keepIDs` of the run to be undone wrote, for a store without backups; `nil` for a backup, or for an
  /// interrupted run.
  private let idTableFile: String?
  /// Whether the objects of that run are only counted.
  package var isDryRun = false
  /// Opens a store without backups.
  private let openReversible: Opener?
  /// Returns the store at a place, opened for deleting the rows that a run added, by its ID table; perhaps for a dry run.
  package typealias Opener = @Sendable (StoreLocation, String?, Bool) throws(DecantError) -> any ReversibleStore

  /// Creates a rollback of a store of a kind that `recogniser` supports.
  package init(_ store: StoreLocation, recogniser: any StoreRecogniser) {
    (self.store, self.recogniser, openReversible, idTableFile) = (store, recogniser, nil, nil)
  }

  /// Creates the deletion of the objects that a run added to a store: the one that wrote `idTableFile`, or an interrupted
  /// one.
  package init(
    _ store: StoreLocation,
    recogniser: any StoreRecogniser,
    addedBy idTableFile: String?,
    opening openReversible: @escaping Opener
  ) {
    (self.store, self.recogniser, self.idTableFile) = (store, recogniser, idTableFile)
    self.openReversible = openReversible
  }

  /// The rollback, which restores the backup, or removes the remains of an interrupted run.
  ///
  /// If a rollback fails or is cancelled, everything is unchanged, unless the error says that it was done anyway.
  public var operation: DecantOperation<RollbackReport> {
    DecantOperation("rollback", .rollback) { cancellation, tell throws(DecantError) in
      tell(.began(.read))
      if let openReversible {
        return try AddedObjects(idTableFile, isDryRun, cancellation).delete { () throws(DecantError) in
          try openReversible(store, idTableFile, isDryRun)
        }
      }
      return try RollbackRun(store, recogniser, cancellation).run(tell)
    }
  }
}
