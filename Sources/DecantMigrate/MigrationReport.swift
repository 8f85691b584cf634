public import DecantBase
public import DecantVersions

/// What a migration did.
public struct MigrationReport: Sendable {
  /// What became of the store.
  public enum Outcome: String, Sendable, Hashable {
    /// It is of the wanted version already: nothing was touched.
    case none
    /// A store of the wanted version has taken its place.
    case migrated
    /// A store of the wanted version was made elsewhere; it was left alone.
    case written
    /// It was moved to its new place, and migrated on the way where that was needed.
    case moved
    /// There was none, and the seed was copied to its place.
    case seeded
  }

  /// What became of it, or would become of it.
  public var outcome: Outcome
  /// The store, where it is now.
  public var store: StoreIdentity
  /// Where it was before, where that is another place.
  public var origin: String?
  /// What was found out about the versions.
  public var check: CheckReport
  /// The copies that were made, or would be.
  public var stages: [ModelMigrationStage] = []
  /// What each of them did.
  public var copies: [CopyReport] = []
  /// The state of the store that was copied.
  var sourceFingerprint = ""
  /// The store as it was; `nil` where nothing took its place.
  public var backup: String?
  /// What an earlier run that was cut off had left, and what became of it.
  public var settled: String?
  /// Whether the new place could not be reached, so that the store stays at its old one.
  public var fellBack = false
  /// What was removed at the old place.
  public var removed: [String] = []
  /// Whether nothing was written.
  public var isDryRun = false
  /// Seconds by a clock that nobody sets.
  public var seconds = 0.0
  /// The most memory the process had at any time, in bytes.
  public var peakMemoryByteCount: Int64 = 0
  /// What a reader should know.
  public var notes: [ReportNote] = []

  /// Begins the report of a migration that has done nothing yet.
  public init(_ outcome: Outcome, _ check: CheckReport) {
    self.outcome = outcome
    self.check = check
    store = check.store
  }

  /// What of the store is gone afterwards by steps that follow from the models; of others their copies tell.
  public var losses: [ModelChange] {
    let versions = Set(stages.filter { $0.origin == .inferred }.flatMap { $0.versions.dropFirst() })
    return check.steps.filter { versions.contains($0.to) }.flatMap(\.changes).filter(\.isLoss)
  }

  /// Whether every copy was read again and found equal.
  public var isVerified: Bool { !copies.isEmpty && copies.allSatisfy(\.isVerified) }
}
