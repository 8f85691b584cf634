package import DecantBase

/// How a copy is made; the defaults are those of `decant copy`.
///
/// The engine takes all of them. Each verb offers the groups that apply to it.
package struct CopyOptions: Sendable, Hashable {
  package typealias Commit = CommitMode
  package typealias Filter = EntityCondition
  package typealias Link = LinkDeclaration
  package typealias Rule = FollowRule

  /// What becomes of an object that the destination refuses.
  package enum OnError: String, Sendable, Hashable {
    /// The copy ends and changes nothing.
    case stop
    /// The object is left out and counted; links to it become null.
    case reject
  }

  /// What to do about a new store that an earlier run left unfinished.
  package enum LeftOver: Sendable, Hashable {
    /// Start over, and say so.
    case startOver
    /// Go on after its last batch; refuse if source or plan changed since.
    case resume
  }

  /// An object of either store of which a dry run says what becomes of it in a merge, and why.
  package var explainedObject: ObjectName?
  /// Links that the databases do not declare.
  package var links: [Link] = []
  /// Columns that look like links and are none.
  package var noLinks: [Property] = []
  /// Where a links file has those of them that stand in one.
  package var noLinkPlaces: [Property: String] = [:]
  /// Whether the triggers of an existing plain database run for the rows that are added.
  package var firesTriggers = true
  /// Virtual tables that are left out.
  package var leftOutTables: [String] = []
  /// How the source's objects become those of the destination's model; `nil` where the models agree.
  package var mapping: Mapping?
  /// What becomes of links whose target is not there, by relationship as the model declares it: `Recipe.category`.
  package var missing: [String: Mapping.Missing] = [:]
  /// What becomes of those of all other relationships.
  package var missingDefault = Mapping.Missing.null
  /// Conditions on objects, who must meet all that name their entity or one above it.
  package var filters: [Filter] = []
  /// Where the copy begins: only the objects that meet one of these conditions are copied, and what they need.
  package var roots: [Filter] = []
  /// How large what is copied may be, where it is a share.
  var bound: Bound?
  /// What is taken along from there, where it is not what the model says.
  package var rules: [Rule] = []
  /// Whether objects may be added to a store that holds some already, all of them as new ones.
  package var appends = false
  /// How objects are merged with those that the store holds; `nil` to add them all as new ones.
  package var merge: MergeRules?
  /// What the copy is made for.
  package var purpose = Purpose.copy
  /// Whether objects may be added to a store that CloudKit mirrors: the mirror may never send them.
  package var writesMirroredStore = false
  /// Rows that are read, written and committed together.
  package var batchSize: Int64 = 10_000
  /// How an existing destination is committed; a new one is always published as a whole.
  package var commit = Commit.run
  /// Whether an object that the destination refuses ends the copy.
  package var onError = OnError.stop
  /// The most objects that may be rejected, or `nil` for any number; with more nothing is published.
  package var rejectLimit: Int64?
  /// The same as a share of the objects that are to be copied, 0 to 1.
  package var rejectRate: Double?
  /// What becomes of an unfinished copy; the part in an existing store can only be completed.
  package var leftOver = LeftOver.startOver
  /// Whether sync metadata travels too: iCloud keys, CloudKit mirror, persistent history.
  package var keepsMetadata = false
  /// Whether the copy is proven before it is published.
  package var verifies = true
  /// Whether to plan and count only, and write nothing.
  package var isDryRun = false
  /// How many objects of each entity and outcome a dry run names; 0 for none.
  package var listedObjectCount = 0
  /// Whether to read a private copy of the source, so that nobody who writes to it has to wait.
  package var readsPrivateCopy = false
  /// Whether a copy of an existing destination is kept before it is changed.
  package var keepsBackup = false
  /// How to read a source that does not hold its own model: a model's place.
  package var model: String?
  /// What a new store is made after, where that is not its source: a store's place, or a model's.
  package var template: String?
  /// Whether a new store may be made after a model that has no version hashes.
  package var isUnversioned = false
  /// Where the ID table is kept, if it is to be kept.
  package var idTableFile: String?
  /// The archive that rejected objects are written to, if they are to be kept; made only where there are any.
  package var rejectsFile: String?

  /// Copies everything, into a store that is new or empty, and proves it.
  package init() {}

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
  package var takesEverything: Bool {
    !choosesObjects && !asksForTargets && onError == .stop && leftOver == .startOver
      && leftOutTables.isEmpty && !matchesObjects(isNew: true)
  }

  /// Whether objects are looked for that are the same: in a store that is there, and among the source's own
  /// where somebody said what tells them apart, or what becomes of them.
  package func matchesObjects(isNew: Bool) -> Bool {
    guard let merge else { return false }
    return !isNew || !merge.identities.isEmpty || merge.duplicates != nil
      || merge.tombstoneFile != nil
  }
}
