/// How changes to an existing store are committed.
public enum CommitMode: String, Sendable, Hashable {
  /// All in one transaction: everything or nothing.
  case run
  /// Batch by batch, so that a run that was cut off can be resumed; a backup is made first.
  case batch
}
