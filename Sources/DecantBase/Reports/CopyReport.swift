/// What a copy did: every number was counted.
public struct CopyReport: Sendable, Hashable {
  /// What was asked for: `copy`.
  public var verb: String
  /// The store that was read.
  public var source: StoreIdentity
  /// The state of the source that was read: equal texts mean that nothing was written in between.
  public var sourceFingerprint: String
  /// The store that was written, or would have been; a new one with its new identifier.
  public var destination: StoreIdentity
  /// By concrete entity, in the model's order.
  public var entities: [EntityReport]
  /// Objects of entities that the model does not know; they stand in no entity's count.
  public var unknownCount: Int64 = 0
  /// Whether the model says what a link is; else links are values like any other, and not counted.
  public var knowsLinks = true
  /// All links together.
  public var links = LinkCounts()
  /// Links from many to many that a merge has removed, as the source does not have them.
  public var removedLinkCount: Int64 = 0
  /// Objects that a merge has removed from the destination, as the source has removed them since both had the same.
  public var removedObjectCount: Int64 = 0
  /// Parts of objects, such as the ingredients of a recipe, that a merge has removed, as the source does not have them.
  public var removedPartCount: Int64 = 0
  /// Links by relationship, where there are any.
  public var linksByRelationship: [String: LinkCounts] = [:]
  /// Values that lie in files of their own.
  public var files = FileCounts()
  /// Seconds by phase, in the order in which they ran.
  public var phases: [PhaseTime] = []
  /// The most memory the process had at any time, in bytes.
  public var peakMemoryByteCount: Int64 = 0
  /// Whether the copy was read again and found equal.
  public var isVerified = false
  /// Whether the source was damaged, and only what is whole of it was read.
  public var isPartial = false
  /// Whether nothing was written, so that all counts say what would be.
  public var isDryRun = false
  /// What of the files that were read became no object at all, and why.
  public var unread: [Unread] = []
  /// What is to be said of objects in the files that were read: the first ten thousand remarks.
  public var remarks: [Unread] = []
  /// Files that hold nothing of what was looked for, and why.
  public var passedOver: [Unread] = []
  /// What is taken along from the objects that were asked for, for a dry run with such.
  public var closure: Closure?
  /// The plan in words and statements, for a dry run.
  public var plan: [PlanStep] = []
  /// How a mapping makes the relations that the plan's statements read, for a dry run with one.
  public var definitions: [String] = []
  /// The short name of the plan, for a dry run: a run of the same plan notes the same one.
  public var planHash: String?
  /// Objects rejected, by the reason's code.
  public var rejectedByCode: [RejectCode: Int64] = [:]
  /// The list of rejected objects, if it was asked for and there are any.
  public var rejectsFile: String?
  /// The ID table, if it was to be kept.
  public var idTableFile: String?
  /// What becomes of the object that was asked about, and why: its name, then a reason a line.
  public var explanation: [String] = []
  /// What a merge would change, for a dry run that lists objects.
  public var preview: [Preview] = []
  /// How many objects both stores have changed since the common ancestor, or added, that are there twice now.
  public var conflictCount: Int64 = 0
  /// The first few of them.
  public var conflicts: [Conflict] = []
  /// Relationships whose links `--root` only tells, and does not follow.
  package var referenceRelationships: Set<Property> = []
  /// The entity that the others belong to, as far as the model tells: what to look at first.
  package var mainEntity: String?
  /// What the reader should know.
  public var notes: [ReportNote] = []

  /// Begins a report in which nothing has become of any object yet.
  public init(
    verb: String,
    source: StoreIdentity,
    sourceFingerprint: String,
    destination: StoreIdentity,
    entities: [EntityReport]
  ) {
    self.verb = verb
    self.source = source
    self.sourceFingerprint = sourceFingerprint
    self.destination = destination
    self.entities = entities
  }

  /// An object that both stores have changed, each in its own way.
  public struct Conflict: Sendable, Hashable {
    /// The concrete entity.
    public var entity: String
    /// Its key in the source, and that of the object which the destination had; `nil` in a store that has removed it.
    public var source, destination: Int64?
    /// The values of its key as JSON text, where that is no integer: then `source` and `destination` are its places in the
    /// order of the tables.
    public var key: String?
    /// The key under which the source's stands beside that one; `nil` where it was not added.
    public var copy: Int64?
    /// Whether the base has it, else both have added it; `nil` where there is no base.
    public var isChanged: Bool?
    /// The attributes and relationships that both have changed, or in which the two differ; none where one has removed the
    /// object.
    public var properties: [String]

    /// Describes a conflict.
    public init(
      entity: String,
      source: Int64? = nil,
      destination: Int64? = nil,
      key: String? = nil,
      copy: Int64? = nil,
      isChanged: Bool? = nil,
      properties: [String]
    ) {
      (self.entity, self.source, self.destination, self.key) = (entity, source, destination, key)
      (self.copy, self.isChanged, self.properties) = (copy, isChanged, properties)
    }

    /// How many of them a report names.
    package static let limit = 20
  }

  /// What became of the files in which values lie.
  public struct FileCounts: Sendable, Hashable, Encodable {
    /// Files that are now there for the destination's objects.
    public var copied: Int64 = 0
    /// Files that objects refer to and that the source does not have.
    public var missing: Int64 = 0

    /// Counts files.
    public init(copied: Int64 = 0, missing: Int64 = 0) {
      (self.copied, self.missing) = (copied, missing)
    }
  }

  /// Something in a file that could not be read, or of which there is something to say.
  public struct Unread: Sendable, Hashable {
    /// The file as it was named, and the entry in it where it holds several.
    public var file: String
    public var entry: String?
    public var reason: String

    /// Describes what was not read.
    public init(file: String, entry: String?, reason: String) {
      self.file = file
      self.entry = entry
      self.reason = reason
    }
  }

  /// One pass of the plan, as a dry run shows it.
  public struct PlanStep: Sendable, Hashable {
    /// The root entity, or the relationship as `Recipe.tags` for a table of links.
    public var name: String
    /// The form of the object IDs, as `keep` or `shift by 120`; `nil` for links.
    public var idForm: String?
    /// How many rows the step reads: objects, or rows of a link table.
    public var rowCount: Int64
    /// The SQL of one batch; ?1 and ?2 are its first and its last key.
    public var statement: String

    /// Describes a step.
    public init(name: String, idForm: String? = nil, rowCount: Int64, statement: String) {
      (self.name, self.idForm, self.rowCount, self.statement) = (name, idForm, rowCount, statement)
    }
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
  /// The concrete entity, as the model calls it.
  public var name: String
  /// Objects in the source; the sum of the five counts below.
  public var source: Int64
  /// Objects written as new ones.
  public var copied: Int64 = 0
  /// Objects that were there and took values of the source.
  public var updated: Int64 = 0
  /// Objects that were there and were left alone, as they were equal or a rule said so; and those of the
  /// source that count as another one of it.
  public var skipped: Int64 = 0
  /// Objects that no condition let through.
  public var filtered: Int64 = 0
  /// Objects that the destination refused.
  public var rejected: Int64 = 0
  /// Empty objects that were made for links to lead to; they stand in none of the other counts.
  public var stubs: Int64 = 0
  /// The length of all values copied, if they were read for the proof.
  public var byteCount: Int64?
  /// The proof hash of the copied objects, if it was taken.
  public var hash: String?

  /// What the destination had already, if objects were merged.
  public var merge: Merge?

  /// How objects of the source compare with what the destination had.
  public struct Merge: Sendable, Hashable {
    /// There with the same values; there with other values.
    public var same: Int64
    public var changed: Int64
    /// Those of the changed ones that are new objects beside the destination's.
    public var keptBoth: Int64
    /// Counted as another object of the source, which has the same identity.
    public var duplicate: Int64
    /// Parts that the destination lacks and that stay out, as it has what they belong to.
    public var notAdded: Int64 = 0
    /// By what the objects that both have were found; empty where that is not known, as after `--resume`.
    public var pairings: [Pairing] = []

    /// Says how they compare.
    public init(
      same: Int64,
      changed: Int64,
      keptBoth: Int64,
      duplicate: Int64,
      notAdded: Int64 = 0,
      pairings: [Pairing] = []
    ) {
      (self.same, self.changed, self.keptBoth) = (same, changed, keptBoth)
      (self.duplicate, self.notAdded, self.pairings) = (duplicate, notAdded, pairings)
    }
  }

  /// How many objects were found in the destination by one way.
  public struct Pairing: Sendable, Hashable {
    /// The ways, in the order of the rules.
    public enum Way: String, Sendable, Hashable {
      /// By attributes and links that no two objects share.
      case identity
      /// By the key, as both stores go back to one.
      case key
      /// By all that the object holds.
      case content
      /// By the object that it belongs to.
      case owner
      /// By a way that the source supplies.
      case likeness
    }

    public var way: Way
    /// The attributes and links of an identity, or what a way that the source supplies is called.
    public var names: [String] = []
    /// Of a way that the source supplies its rank, from 1 on: the lower, the surer.
    public var rank: Int?
    /// Whether the identity is neither declared nor given, but a UUID that was found to tell all objects apart.
    public var isFound = false
    public var count: Int64

    /// Counts what one way has found.
    public init(way: Way, names: [String] = [], rank: Int? = nil, isFound: Bool = false, count: Int64) {
      (self.way, self.names, self.rank, self.isFound) = (way, names, rank, isFound)
      self.count = count
    }
  }

  /// Begins a report in which nothing has become of any object yet.
  public init(name: String, source: Int64) {
    self.name = name
    self.source = source
  }

  /// Whether every object of the source is accounted for.
  public var isBalanced: Bool { source == copied + updated + skipped + filtered + rejected }
}
