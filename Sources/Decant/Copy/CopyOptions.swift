/// How a copy is made; the defaults are those of `decant copy`.
public struct CopyOptions: Sendable, Hashable {
  /// How changes to an existing store are committed.
  public enum Commit: String, Sendable, Hashable {
    /// All in one transaction: everything or nothing.
    case run
    /// Batch by batch, so that a run that was cut off can be resumed; a backup is made first.
    case batch
  }

  /// What becomes of an object that the destination refuses.
  public enum OnError: String, Sendable, Hashable {
    /// The copy ends and changes nothing.
    case stop
    /// The object is left out and counted; links to it become null.
    case reject
  }

  /// What to do about a new store that an earlier run left unfinished.
  public enum LeftOver: Sendable, Hashable {
    /// Start over, and say so.
    case startOver
    /// Go on after its last batch; refuse if source or plan changed since.
    case resume
  }

  /// A condition that objects of an entity must meet to be copied.
  public struct Filter: Sendable, Hashable {
    /// The entity it holds for, and all below it.
    public var entity: String
    /// SQL over the entity's attribute names, such as `rating >= 4`.
    public var expression: String
    /// Where a mapping file has it, and as what; `nil` for one of the command line.
    var origin: Origin?

    /// What a mapping file has in place of a condition whose parameters are filled in.
    struct Origin: Sendable, Hashable {
      var place: String
      var text: String
    }

    /// Makes a condition; it is checked when the copy is planned.
    public init(entity: String, expression: String) {
      self.entity = entity
      self.expression = expression
    }
  }

  /// A link that a database does not declare.
  public struct Link: Sendable, Hashable {
    /// The column that holds the key, as `table.column`.
    public var property: Property
    /// The table it leads to.
    public var target: String
    /// Which rows hold it; `nil` where all do that have a value there.
    public var condition: RowCondition?
    /// Where a links file has it, such as `links.yaml:3:9`; `nil` for one of the command line.
    package var place: String?

    /// Names a link; that column and table exist is checked when the store is opened.
    public init(_ property: Property, to target: String, where condition: RowCondition? = nil) {
      self.property = property
      self.target = target
      self.condition = condition
    }
  }

  /// One object of a store: its entity, and its key.
  public struct ObjectName: Sendable, Hashable {
    /// The entity, or one above it.
    public var entity: String
    /// The values of the key as text: what stands behind the “p” in Core Data's names of objects, or what the columns
    /// of a table's own key hold.
    public var key: [String]

    /// Names an object; whether it is there is found out later.
    public init(entity: String, key: Int64) { self.init(entity: entity, key: ["\(key)"]) }

    /// Names a row by the values of its table's own key.
    public init(entity: String, key: [String]) {
      self.entity = entity
      self.key = key
    }
  }

  /// An object of either store of which a dry run says what becomes of it in a merge, and why.
  public var explainedObject: ObjectName?
  /// Links that the databases do not declare.
  public var links: [Link] = []
  /// Columns that look like links and are none.
  public var noLinks: [Property] = []
  /// Where a links file has those of them that stand in one.
  package var noLinkPlaces: [Property: String] = [:]
  /// Whether the triggers of an existing plain database run for the rows that are added.
  public var firesTriggers = true
  /// Virtual tables that are left out.
  public var leftOutTables: [String] = []
  /// How the source's objects become those of the destination's model; `nil` where the models agree.
  public var mapping: Mapping?
  /// What becomes of links whose target is not there, by relationship as the model declares it: `Recipe.category`.
  public var missing: [String: Mapping.Missing] = [:]
  /// What becomes of those of all other relationships.
  public var missingDefault = Mapping.Missing.null
  /// Conditions on objects, who must meet all that name their entity or one above it.
  public var filters: [Filter] = []
  /// Where the copy begins: only the objects that meet one of these conditions are copied, and what they need.
  public var roots: [Filter] = []
  /// How large what is copied may be, where it is a share.
  var bound: Bound?
  /// What is taken along from there, where it is not what the model says.
  public var rules: [Rule] = []
  /// Whether objects may be added to a store that holds some already, all of them as new ones.
  public var appends = false
  /// How objects are merged with those that the store holds; `nil` to add them all as new ones.
  public var merge: MergeRules?
  /// What the report calls the work: `copy`, or `merge`, for which the destination has to be there.
  public var verb = "copy"
  /// Whether objects may be added to a store that CloudKit mirrors: the mirror may never send them.
  public var writesMirroredStore = false
  /// Rows that are read, written and committed together.
  public var batchSize: Int64 = 10_000
  /// How an existing destination is committed; a new one is always published as a whole.
  public var commit = Commit.run
  /// Whether an object that the destination refuses ends the copy.
  public var onError = OnError.stop
  /// The most objects that may be rejected, or `nil` for any number; with more nothing is published.
  public var rejectLimit: Int64?
  /// The same as a share of the objects that are to be copied, 0 to 1.
  public var rejectRate: Double?
  /// What becomes of an unfinished copy; the part in an existing store can only be completed.
  public var leftOver = LeftOver.startOver
  /// Whether sync metadata travels too: iCloud keys, CloudKit mirror, persistent history.
  public var keepsMetadata = false
  /// Whether the copy is proven before it is published.
  public var verifies = true
  /// Whether to plan and count only, and write nothing.
  public var isDryRun = false
  /// How many objects of each entity and outcome a dry run names; 0 for none.
  public var listedObjectCount = 0
  /// Whether to read a private copy of the source, so that nobody who writes to it has to wait.
  public var readsPrivateCopy = false
  /// Whether a copy of an existing destination is kept before it is changed.
  public var keepsBackup = false
  /// How to read a source that does not hold its own model: a model's place.
  public var model: String?
  /// What a new store is made after, where that is not its source: a store's place, or a model's.
  public var template: String?
  /// Whether a new store may be made after a model that has no version hashes.
  public var isUnversioned = false
  /// Where the ID table is kept, if it is to be kept.
  public var idTableFile: String?
  /// The archive that rejected objects are written to, if they are to be kept; made only where there are any.
  public var rejectsFile: String?

  /// Copies everything, into a store that is new or empty, and proves it.
  public init() {}

  /// Whether a new store takes the place of the source instead of standing beside it: then it is the same store to
  /// whoever refers to its objects.
  package var succeedsSource = false

  /// Whether everything but objects and links is copied: what a store of the same kind is made of.
  package var takesNoObjects = false

  /// How many objects were rejected already, as they could not be read.
  package var unreadCount: Int64 = 0

  /// Whether the rows of tables that are neither objects nor links stay behind as well.
  package var takesNoRows = false

  /// Whether what is made of the copy tells objects that are left out by what they are known by, as an archive does.
  package var tellsReferences = false

  /// Whether a plain database is read with the names that the store at the other end has for its tables and columns,
  /// where they differ in the case of letters only.
  package var takesOtherSpelling = true

  /// The keys of the source from which on objects only stand for others, that an archive refers to and does not hold.
  ///
  /// Where the destination has none such, an object whose link must not be empty is refused: nobody has chosen to
  /// leave out what it leads to.
  package var firstReferenceKey: Int64?

  /// Whether only some objects are wanted.
  package var choosesObjects: Bool {
    !filters.isEmpty || !roots.isEmpty || takesNoObjects || mapping != nil
  }

  /// Whether anything but null may become of a link whose target is not there.
  package var asksForTargets: Bool {
    missingDefault != .null || missing.values.contains { $0 != .null }
  }

  /// Whether every object is wanted as it is, so that pages may be copied instead of rows.
  var takesEverything: Bool {
    !choosesObjects && !asksForTargets && onError == .stop && leftOver == .startOver
      && leftOutTables.isEmpty && !matchesObjects(isNew: true)
  }

  /// Whether objects are looked for that are the same: in a store that is there, and among the source's own
  /// where somebody said what tells them apart, or what becomes of them.
  func matchesObjects(isNew: Bool) -> Bool {
    guard let merge else { return false }
    return !isNew || !merge.identities.isEmpty || merge.duplicates != nil
      || merge.tombstoneFile != nil
  }
}
