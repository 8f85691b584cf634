public import DecantBase

/// What a rollback did, and what is where now.
public struct RollbackReport: Sendable, Hashable {
  /// What became of the store.
  public enum Outcome: String, Sendable, Hashable {
    /// Store and backup have changed names.
    case exchanged
    /// There was no store: the backup has its name.
    case placed
    /// An interrupted copy or migration had changed nothing yet; what it had left is cleared.
    case undone
  }

  /// The store as it is now.
  public var store: StoreIdentity
  public var outcome: Outcome
  /// The backup that was put back.
  public var putBack: String?
  /// When what was put back had been written last, in seconds since 2001.
  public var writtenDate: Double?
  /// Where the store lies that was at the place before.
  public var backup: String?
  /// What the reader should know.
  public var notes: [ReportNote] = []

  /// Describes what a rollback did.
  public init(
    store: StoreIdentity,
    outcome: Outcome,
    putBack: String? = nil,
    writtenDate: Double? = nil,
    backup: String? = nil,
    notes: [ReportNote] = []
  ) {
    (self.store, self.outcome, self.putBack) = (store, outcome, putBack)
    (self.writtenDate, self.backup, self.notes) = (writtenDate, backup, notes)
  }
}
