/// How changes to an existing store are committed.
public enum CommitMode: String, Sendable, Hashable {
  /// All changes in one transaction: everything or nothing.
  case run
  /// A transaction for each batch, so that an interrupted run can be resumed; a backup is made first.
  case batch
}
