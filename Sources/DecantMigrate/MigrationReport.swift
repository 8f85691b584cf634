public import DecantBase
public import DecantVersions

/// The result of a migration.
public struct MigrationReport: Sendable {
  /// What happened to the store.
  public enum Outcome: String, Sendable, Hashable {
    /// The store already has the requested version; nothing was touched.
    case none
    /// A store of the requested version has replaced it.
    case migrated
    /// A store of the requested version was created elsewhere; the old store was left alone.
    case written
    /// The store was moved to its new place, and migrated if needed.
    case moved
    /// There was no store, and the seed was copied to its place.
    case seeded
  }

  /// What happened, or in a dry run would happen, to the store.
  public var outcome: Outcome
  /// The store at its present place.
  public var store: StoreIdentity
  /// Its former place, if it was another one.
  public var origin: String?
  /// The result of comparing the versions.
  public var check: CheckReport
  /// The copies that were made, or in a dry run would be made.
  public var stages: [ModelMigrationStage] = []
  /// The report of each copy.
  public var copies: [CopyReport] = []
  /// The state of the store that was copied.
  var sourceFingerprint = ""
  /// The previous store; `nil` if it was not replaced.
  public var backup: String?
  /// What was done about the remains of an interrupted run.
  public var settled: String?
  /// Whether the new place was not accessible, so that the store stays at its old one.
  public var fellBack = false
  /// The files removed from the old place.
  public var removed: [String] = []
  /// Whether nothing was written.
  public var isDryRun = false
  /// The duration in seconds, by a monotonic clock.
  public var seconds = 0.0
  /// The peak memory usage of the process, in bytes.
  public var peakMemoryByteCount: Int64 = 0
  /// Notes for the reader.
  public var notes: [ReportNote] = []

  /// Creates the report of a migration that has not done anything yet.
  package init(_ outcome: Outcome, _ check: CheckReport) {
    self.outcome = outcome
    self.check = check
    store = check.store
  }

  /// What the store loses in steps that follow from the models; the losses of other steps are in the reports of their
  /// copies.
  public var losses: [ModelChange] {
    let versions = Set(stages.filter { $0.origin == .inferred }.flatMap { $0.versions.dropFirst() })
    return check.steps.filter { versions.contains($0.to) }.flatMap(\.changes).filter(\.isLoss)
  }

  /// Whether every copy was read again and found to be equal.
  public var isVerified: Bool { !copies.isEmpty && copies.allSatisfy(\.isVerified) }
}
