public import DecantPlan
public import DecantBase

/// What a cleaning removed: every number was counted.
public struct CleanReport: Sendable, Hashable {
  /// The store that was cleaned.
  public var store: StoreIdentity
  /// The kinds that were asked for.
  public var kinds: [String]
  /// What went, one for each kind of which there was something.
  public var removed: [SyncMetadataRemoval]
  /// The pages that held nothing any more, but perhaps what was deleted before; they were vacuumed away.
  public var freePageCount: Int64 = 0
  /// The size of the database before, what its log held included, in bytes.
  public var byteCountBefore: Int64
  /// The size of its file afterwards; in a dry run as before.
  public var byteCountAfter: Int64
  /// Where the store is kept as it was, if it is.
  public var backup: String?
  /// Whether nothing was written, so that `removed` says what would go.
  public var isDryRun = false
  /// Whether all that stays was read again and found equal.
  public var isVerified = false
  /// What the reader should know.
  public var notes: [ReportNote] = []

  /// Whether there is nothing to write.
  var isEmpty: Bool { removed.isEmpty && freePageCount == 0 }

  /// Begins the report of a cleaning that has not changed anything yet.
  public init(store: StoreIdentity, kinds: [String], removed: [SyncMetadataRemoval], byteCount: Int64) {
    self.store = store
    self.kinds = kinds
    self.removed = removed
    byteCountBefore = byteCount
    byteCountAfter = byteCount
  }
}
