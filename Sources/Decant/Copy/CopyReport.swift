/// What a copy did: every number was counted.
public struct CopyReport: Sendable, Hashable {
  public var verb: String
  public var source: StoreIdentity
  public var sourceFingerprint: String
  public var destination: StoreIdentity
  /// By concrete entity, in the model's order.
  public var entities: [EntityReport]
  /// Objects of entities that the model does not know; they stand in no entity's count.
  public var unknownCount: Int64 = 0
  /// All links together.
  public var links = LinkCounts()
  /// Links by relationship, where there are any.
  public var linksByRelationship: [String: LinkCounts] = [:]
  /// Values that lie in files of their own.
  public var files = FileCounts()
  /// Seconds by phase, in the order in which they ran.
  public var phases: [PhaseTime] = []
  public var peakMemoryByteCount: Int64 = 0
  /// Whether the copy was read again and found equal.
  public var isVerified = false
  public var isDryRun = false
  /// The plan in words and statements, for a dry run.
  public var plan: [PlanStep] = []
  public var rejectsFile: String?
  public var idTableFile: String?
  /// What the reader should know.
  public var notes: [String] = []

  public struct PhaseTime: Sendable, Hashable {
    public var phase: Phase
    public var seconds: Double
  }

  public struct FileCounts: Sendable, Hashable {
    public var copied: Int64 = 0
    public var missing: Int64 = 0
  }

  /// One pass of the plan, as a dry run shows it.
  public struct PlanStep: Sendable, Hashable {
    public var name: String
    /// The form of the object IDs, as `keep` or `shift by 120`; `nil` for links.
    public var idForm: String?
    public var rowCount: Int64
    public var statement: String
  }

  /// Returns the report of the concrete entity `name`.
  public subscript(name: String) -> EntityReport? {
    entities.first { $0.name == name }
  }

  /// Objects copied, all entities together.
  public var copiedCount: Int64 { entities.reduce(0) { $0 + $1.copied } }
  /// Objects rejected, all entities together, those of unknown entities included.
  public var rejectedCount: Int64 { entities.reduce(unknownCount) { $0 + $1.rejected } }
}

/// What became of the objects of one concrete entity.
public struct EntityReport: Sendable, Hashable {
  public var name: String
  /// Objects in the source; the sum of the five counts below.
  public var source: Int64
  public var copied: Int64 = 0
  public var updated: Int64 = 0
  public var skipped: Int64 = 0
  public var filtered: Int64 = 0
  public var rejected: Int64 = 0
  /// The length of all values copied, if they were read for the proof.
  public var byteCount: Int64?
  /// The proof hash of the copied objects, if it was taken.
  public var hash: String?

  public init(name: String, source: Int64) {
    self.name = name
    self.source = source
  }

  /// Whether every object of the source is accounted for.
  public var isBalanced: Bool { source == copied + updated + skipped + filtered + rejected }
}
