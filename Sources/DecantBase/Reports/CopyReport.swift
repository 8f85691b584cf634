/// The report of a copy; every number was counted, not estimated.
public struct CopyReport: Sendable, Hashable {
  /// The verb: `copy`.
  public var verb: String
  /// The store that was read.
  public var source: StoreIdentity
  /// The state of the source: equal texts mean that nothing was written in between.
  public var sourceFingerprint: String
  /// The store that was written, or would be in a dry run; a new store with its new identifier.
  public var destination: StoreIdentity
  /// The reports by concrete entity, in the model's order.
  public var entities: [EntityReport]
  /// The number of objects of entities that the model does not know; no entity's count includes them.
  public var unknownCount: Int64 = 0
  /// Whether the model describes links; otherwise links are ordinary values and not counted.
  public var knowsLinks = true
  /// The counts of all links.
  public var links = LinkCounts()
  /// The number of many-to-many links that a merge removed, as the source does not have them.
  public var removedLinkCount: Int64 = 0
  /// The number of objects that a merge removed, as the source removed them since the common ancestor.
  public var removedObjectCount: Int64 = 0
  /// The number of parts of objects, such as the ingredients of a recipe, that a merge removed, as the source lacks
  /// them.
  public var removedPartCount: Int64 = 0
  /// The counts of links by relationship; only those with links.
  public var linksByRelationship: [String: LinkCounts] = [:]
  /// The counts of external files with values.
  public var files = FileCounts()
  /// The duration of each phase, in the order in which they ran.
  public var phases: [PhaseTime] = []
  /// The peak memory of the process, in bytes.
  public var peakMemoryByteCount: Int64 = 0
  /// Whether the copy was read again and found equal to the source.
  public var isVerified = false
  /// Whether the source was damaged, and only its intact part was read.
  public var isPartial = false
  /// Whether it was a dry run: nothing was written, and the counts show what a run would do.
  public var isDryRun = false
  /// The counts of recipes in files; `nil` if the source is not a recipe file.
  public var recipes: RecipeCounts?
  /// The parts of files that produced no object, with the reason.
  public var unread: [Unread] = []
  /// The changes in files since their last import that were taken over: the first ten thousand.
  public var corrections: [Correction] = []
  /// The number of such changes.
  public var correctionCount: Int64 = 0
  /// Remarks on objects in the files that were read: the first ten thousand.
  public var remarks: [Unread] = []
  /// The files without the expected content, with the reason.
  public var passedOver: [Unread] = []
  /// The objects that are included with the requested ones, for a dry run with `--root`.
  public var closure: Closure?
  /// The statements that create the tables of a new store on a server, for a dry run.
  public var creation: [String] = []
  /// The steps and statements of the plan, for a dry run.
  public var plan: [PlanStep] = []
  /// The definitions of a mapping's relations that the plan's statements read, for a dry run with a mapping.
  public var definitions: [String] = []
  /// The hash of the plan, for a dry run; a run of the same plan records the same hash.
  public var planHash: String?
  /// The number of rejected objects, by code.
  public var rejectedByCode: [RejectCode: Int64] = [:]
  /// The file of rejected objects, if it was requested and objects were rejected.
  public var rejectsFile: String?
  /// The ID table, if it was requested.
  public var idTableFile: String?
  /// The explanation of one object's outcome, if requested: its name, then one reason per line.
  public var explanation: [String] = []
  /// The changes of a merge, for a dry run that lists objects.
  public var preview: [Preview] = []
  /// The number of conflicts: objects that both stores changed since the common ancestor, or added, so that two now
  /// exist.
  public var conflictCount: Int64 = 0
  /// The first few conflicts.
  public var conflicts: [Conflict] = []
  /// Relationships whose links `--root` keeps as references, and does not follow.
  package var referenceRelationships: Set<Property> = []
  /// The entity that owns the others, as far as the model shows: the best one to look at first.
  package var mainEntity: String?
  /// Notes for the reader.
  public var notes: [ReportNote] = []

  /// Whether this is a merge that wrote nothing: the destination lacks nothing that may be written.
  package var changesNothing: Bool {
    entities.contains { $0.merge != nil } && !notes.contains { $0.kind == .united }
      && links.copied + removedLinkCount + removedPartCount + removedObjectCount == 0
      && entities.allSatisfy { $0.copied + $0.updated + $0.stubs == 0 }
  }

  /// Begins a report with all counts 0.
  package init(
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

  /// An object that both stores changed in different ways.
  public struct Conflict: Sendable, Hashable {
    /// The concrete entity.
    public var entity: String
    /// Its key in the source, and the key of the destination's object; `nil` in a store that removed it.
    public var source, destination: Int64?
    /// The values of its key as JSON text if the key is not an integer.
    ///
    /// `source` and `destination` are then positions in the order of the tables.
    public var key: String?
    /// The title by which people know the object, if the source says which attribute that is.
    public var title: String?
    /// The key of the source's object if it was added beside the destination's; `nil` if it was not added.
    public var copy: Int64?
    /// Whether the base contains it, otherwise both stores added it; `nil` without a base.
    public var isChanged: Bool?
    /// The attributes and relationships that both changed, or that differ; empty if one store removed the object.
    public var properties: [String]

    /// Describes a conflict.
    package init(
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

    /// The maximum number of conflicts in a report.
    package static let limit = 20
  }

  /// A difference between two versions of an object in a file.
  public struct Correction: Sendable, Hashable {
    /// The entity, and the title of the object in the new version.
    public var entity, title: String
    /// The attribute, or the kind of part.
    public var field: String
    /// The value in the file before and now; `nil` for a missing value, and for one that is not text.
    public var before, after: String?

    /// Describes a difference.
    package init(entity: String, title: String, field: String, before: String?, after: String?) {
      (self.entity, self.title, self.field, self.before, self.after) = (entity, title, field, before, after)
    }

    /// The maximum number of differences in a report.
    package static let limit = 10_000
  }

  /// The counts of external files with values.
  public struct FileCounts: Sendable, Hashable, Encodable {
    /// Files that now exist for the destination's objects.
    public var copied: Int64 = 0
    /// Files that objects refer to and that the source lacks.
    public var missing: Int64 = 0

    /// Describes the counts.
    package init(copied: Int64 = 0, missing: Int64 = 0) {
      (self.copied, self.missing) = (copied, missing)
    }
  }

  /// One step of the plan, for a dry run.
  public struct PlanStep: Sendable, Hashable {
    /// The root entity, or for a link table the relationship, as in `Recipe.tags`.
    public var name: String
    /// How object IDs are formed, as in `keep` or `shift by 120`; `nil` for links.
    public var idForm: String?
    /// The number of rows that the step reads: objects, or rows of a link table.
    public var rowCount: Int64
    /// The SQL of one batch; ?1 and ?2 are its first and last key.
    public var statement: String

    /// Describes a step.
    package init(name: String, idForm: String? = nil, rowCount: Int64, statement: String) {
      (self.name, self.idForm, self.rowCount, self.statement) = (name, idForm, rowCount, statement)
    }
  }

  /// Returns the report of the concrete entity `name`.
  public subscript(name: String) -> EntityReport? {
    entities.first { $0.name == name }
  }

  /// The number of copied objects of all entities.
  public var copiedCount: Int64 { entities.reduce(0) { $0 + $1.copied } }
  /// The number of rejected objects of all entities, including unknown entities.
  public var rejectedCount: Int64 { entities.reduce(unknownCount) { $0 + $1.rejected } }
}

/// The outcome for the objects of one concrete entity.
public struct EntityReport: Sendable, Hashable {
  /// The name of the concrete entity in the model.
  public var name: String
  /// Objects in the source; the sum of the five counts below.
  public var source: Int64
  /// Objects written as new ones.
  public var copied: Int64 = 0
  /// Existing objects that took values of the source.
  public var updated: Int64 = 0
  /// Existing objects that were left unchanged, as they were equal or a rule required it, and duplicates within the
  /// source.
  public var skipped: Int64 = 0
  /// Objects that did not match a condition.
  public var filtered: Int64 = 0
  /// Objects that the destination rejected.
  public var rejected: Int64 = 0
  /// Empty objects that were created as targets of links; no other count includes them.
  public var stubs: Int64 = 0
  /// The size of all copied values, if they were read for the proof.
  public var byteCount: Int64?
  /// The proof hash of the copied objects, if it was computed.
  public var hash: String?

  /// The comparison with the destination, if objects were merged.
  public var merge: Merge?

  /// The comparison of the source's objects with those of the destination.
  public struct Merge: Sendable, Hashable {
    /// Objects with the same values, and objects with different values.
    public var same: Int64
    public var changed: Int64
    /// The changed objects that were added beside the destination's.
    public var keptBoth: Int64
    /// Objects with the same identity as another object of the source.
    public var duplicate: Int64
    /// Parts that the destination lacks and that were not added, as it already has their owner.
    public var notAdded: Int64 = 0
    /// How the matching objects were found; empty if unknown, as after `--resume`.
    public var pairings: [Pairing] = []

    /// Describes the comparison.
    package init(
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

  /// The number of objects that one method found in the destination.
  public struct Pairing: Sendable, Hashable {
    /// The methods, in the order of the rules.
    public enum Way: String, Sendable, Hashable {
      /// By attributes and links that identify an object.
      case identity
      /// By the key, as both stores have a common ancestor.
      case key
      /// By the complete content of the object.
      case content
      /// By the object that owns it.
      case owner
      /// By a method that the source provides.
      case likeness
    }

    public var way: Way
    /// The attributes and links of an identity, or the name of a method that the source provides.
    public var names: [String] = []
    /// The rank of a method that the source provides, from 1: the lower, the more reliable.
    public var rank: Int?
    /// Whether the identity is neither declared nor given, but a UUID attribute found to be unique.
    public var isFound = false
    public var count: Int64

    /// Describes the result of one method.
    package init(way: Way, names: [String] = [], rank: Int? = nil, isFound: Bool = false, count: Int64) {
      (self.way, self.names, self.rank, self.isFound) = (way, names, rank, isFound)
      self.count = count
    }
  }

  /// Begins a report with all other counts 0.
  package init(name: String, source: Int64) {
    self.name = name
    self.source = source
  }

  /// Whether the counts add up to all objects of the source.
  public var isBalanced: Bool { source == copied + updated + skipped + filtered + rejected }
}
