package import DecantBase

/// The options of a copy; the defaults are those of `decant copy`.
///
/// The engine accepts all of them. Each verb offers the groups that apply to it.
package struct CopyOptions: Sendable, Hashable {
  package typealias Commit = CommitMode
  package typealias Filter = EntityCondition
  package typealias Link = LinkDeclaration
  package typealias Rule = FollowRule

  /// The action for an object that the destination rejects.
  package enum OnError: String, Sendable, Hashable {
    /// The copy stops and changes nothing.
    case stop
    /// The object is left out and counted; links to it become null.
    case reject
  }

  /// The action for a new store that an earlier run left unfinished.
  package enum LeftOver: Sendable, Hashable {
    /// Start over, and report it.
    case startOver
    /// Continue after its last batch; fail if the source or the plan has changed.
    case resume
  }

  /// An object of either store whose outcome in a merge a dry run explains.
  package var explainedObject: ObjectName?
  /// Links that the databases do not declare.
  package var links: [Link] = []
  /// Columns that look like links but are not.
  package var noLinks: [Property] = []
  /// The places of those columns in a links file.
  package var noLinkPlaces: [Property: String] = [:]
  /// Whether the triggers of an existing plain database run for added rows.
  package var firesTriggers = true
  /// Virtual tables that are left out.
  package var leftOutTables: [String] = []
  /// The mapping from the source's model to the destination's; `nil` if the models agree.
  package var mapping: Mapping?
  /// The rule for links without target, by relationship of the model: `Recipe.category`.
  package var missing: [String: Mapping.Missing] = [:]
  /// The rule for all other relationships.
  package var missingDefault = Mapping.Missing.null
  /// The conditions of objects; an object must satisfy all those of its entity and its superentities.
  package var filters: [Filter] = []
  /// The roots: only objects that satisfy one of these conditions are copied, with the objects that they need.
  package var roots: [Filter] = []
  /// The size limit of a share.
  var bound: Bound?
  /// The closure rules that differ from the model's.
  package var rules: [Rule] = []
  /// Whether objects may be added, all as new ones, to a store that already contains some.
  package var appends = false
  /// The rules for merging with the store's objects; `nil` to add all objects as new ones.
  package var merge: MergeRules?
  /// The purpose of the copy.
  package var purpose = Purpose.copy
  /// Whether objects may be added to a store that CloudKit mirrors; the mirror may never send them.
  package var writesMirroredStore = false
  /// The number of rows that are read, written and committed together.
  package var batchSize: Int64 = 10_000
  /// The commit mode of an existing destination; a new one is always published as a whole.
  package var commit = Commit.run
  /// Whether the foreign keys of existing tables on a server are dropped while rows are added in batches.
  package var defersConstraints = false
  /// The action for an object that the destination rejects.
  package var onError = OnError.stop
  /// The maximum number of rejected objects, or `nil` for any number; if it is exceeded nothing is published.
  package var rejectLimit: Int64?
  /// The same as a share of the objects to copy, 0 to 1.
  package var rejectRate: Double?
  /// The action for an unfinished copy; the part in an existing store can only be completed.
  package var leftOver = LeftOver.startOver
  /// Whether sync metadata is copied too: iCloud keys, CloudKit mirror, persistent history.
  package var keepsMetadata = false
  /// Whether the copy is verified before it is published.
  package var verifies = true
  /// Whether to plan and count only, and write nothing.
  package var isDryRun = false
  /// The number of objects that a dry run lists for each entity and outcome; 0 for none.
  package var listedObjectCount = 0
  /// Whether to read a private copy of the source, so that writers need not wait.
  package var readsPrivateCopy = false
  /// Whether to back up an existing destination before it is changed.
  package var keepsBackup = false
  /// The place of a model for a source that does not contain its own.
  package var model: String?
  /// The template of a new store, a store's place or a model's; `nil` for the source.
  package var template: String?
  /// Whether a new store may be created from a model without version hashes.
  package var isUnversioned = false
  /// Whether dates are kept as numbers where a destination's own type for points in time is less precise.
  package var keepsExactDates = false
  /// The chosen types of columns of new tables on a server; the types of all other columns follow from the source.
  package var columnTypes: [ColumnChoice] = []
  /// The total time that a copy into a server spends on reconnecting after lost connections.
  package var reconnectionTime = Duration.zero
  /// The number of sessions in which a server completes new tables at the same time.
  package var workerCount = 1
  /// How new tables on a server are named.
  package var tableNames = TableNaming.small
  /// The path of the ID table; `nil` for none.
  package var idTableFile: String?
  /// The archive for rejected objects; it is created only if there are any.
  package var rejectsFile: String?

  /// The source as it is recorded in the store that it is merged into; `nil` if it is not.
  package var mergedSource: MergedSource?

  /// Creates the options to copy everything to a new or empty store, and verify it.
  package init() {}

  /// Whether a new store replaces the source instead of existing beside it: references to its objects then stay valid.
  package var succeedsSource = false

  /// Whether everything except objects and links is copied, as a basis for a store of the same kind.
  package var takesNoObjects = false

  /// Whether the destination is a temporary database of this process, from which everything is read once more: it is
  /// neither synced nor examined, and few of its pages are held in memory.
  package var fillsTemporary = false

  /// Whether a store some of whose rows cannot be read is opened all the same: to examine it, or to read other tables.
  package var readsPartly = false

  /// The number of objects that were already rejected, as they could not be read.
  package var unreadCount: Int64 = 0

  /// Whether the rows of tables without objects and links are omitted as well.
  package var takesNoRows = false

  /// Whether the result identifies omitted objects by references, as an archive does.
  package var tellsReferences = false

  /// Whether a plain database is read with the other store's names of tables and columns where only the case differs.
  package var takesOtherSpelling = true

  /// The first key of the source's placeholder objects, which an archive refers to and does not contain.
  ///
  /// If the destination has no such object, an object that requires a link to it is rejected: no user chose to leave
  /// out the target.
  package var firstReferenceKey: Int64?

  /// Whether only some objects are copied.
  package var choosesObjects: Bool {
    !filters.isEmpty || !roots.isEmpty || takesNoObjects || mapping != nil
  }

  /// Whether a link without target may become anything other than null.
  package var asksForTargets: Bool {
    missingDefault != .null || missing.values.contains { $0 != .null }
  }

  /// Whether every object is copied unchanged, so that pages can be copied instead of rows.
  package var takesEverything: Bool {
    !choosesObjects && !asksForTargets && onError == .stop && leftOver == .startOver
      && leftOutTables.isEmpty && !matchesObjects(isNew: true)
  }

  /// Returns whether equal objects are searched: in an existing store, and among the source's own if an identity or a
  /// rule for duplicates is given.
  package func matchesObjects(isNew: Bool) -> Bool {
    guard let merge else { return false }
    return !isNew || !merge.identities.isEmpty || merge.duplicates != nil
      || merge.tombstoneFile != nil
  }
}
