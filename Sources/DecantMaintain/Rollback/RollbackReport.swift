public import DecantBase

/// The result of a rollback, and where the files are now.
public struct RollbackReport: Sendable, Hashable {
  /// What happened to the store.
  public enum Outcome: String, Sendable, Hashable {
    /// Store and backup swapped names.
    case exchanged
    /// There was no store; the backup got its name.
    case placed
    /// An interrupted copy or migration had changed nothing yet; its remains were removed.
    case undone
    /// The rows that a run had added were deleted.
    case removed
  }

  /// The store in its present state.
  public var store: StoreIdentity
  public var outcome: Outcome
  /// The backup that was restored.
  public var putBack: String?
  /// The time of the last write to the restored store, in seconds since 2001.
  public var writtenDate: Double?
  /// The present place of the store that was replaced.
  public var backup: String?
  /// The number of deleted rows by table.
  public var removed: [String: Int64] = [:]
  /// Whether nothing was written, but only counted.
  public var isDryRun = false
  /// Notes for the reader.
  public var notes: [ReportNote] = []

  /// Creates a report.
  package init(
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
