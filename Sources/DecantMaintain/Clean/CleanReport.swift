public import DecantPlan
public import DecantBase

/// The result of a cleaning: all numbers are counted.
public struct CleanReport: Sendable, Hashable {
  /// The store that was cleaned.
  public var store: StoreIdentity
  /// The requested kinds.
  public var kinds: [String]
  /// The removed metadata, one entry for each kind that was present.
  public var removed: [SyncMetadataRemoval]
  /// The number of free pages, which may still contain deleted data; they were vacuumed away.
  public var freePageCount: Int64 = 0
  /// The size of the database before, including its log, in bytes.
  public var byteCountBefore: Int64
  /// The size of its file afterwards, in bytes; in a dry run the size before.
  public var byteCountAfter: Int64
  /// The place of the backup, if there is one.
  public var backup: String?
  /// Whether nothing was written, so that `removed` says what would be removed.
  public var isDryRun = false
  /// Whether everything that was kept was read back and found to be equal.
  public var isVerified = false
  /// Notes for the reader.
  public var notes: [ReportNote] = []

  /// Whether there is nothing to write.
  var isEmpty: Bool { removed.isEmpty && freePageCount == 0 }

  /// Creates the report of a cleaning that has not changed anything yet.
  package init(store: StoreIdentity, kinds: [String], removed: [SyncMetadataRemoval], byteCount: Int64) {
    self.store = store
    self.kinds = kinds
    self.removed = removed
    byteCountBefore = byteCount
    byteCountAfter = byteCount
  }
}
