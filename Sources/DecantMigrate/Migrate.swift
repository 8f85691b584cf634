public import DecantBase
public import DecantPlan
public import DecantStore
package import DecantVersions

/// The migration of a store to another version of its model.
///
/// A value that can be kept and run again; nothing is opened before it runs. The new store is built aside, proven and
/// put in the old one's place in one step; the old one stays beside it as a backup. It goes through every version
/// between: what a version drops is gone, what one adds begins with that version's default value. Steps that follow
/// from the models run as one copy; a step for which there is a mapping file or a mapping model is one of its own.
public struct Migrate: Runnable {
  /// The store, or with `place` all that may be it: the first that exists is taken.
  public let candidates: [StoreLocation]
  /// The model's place, with `#Version` behind it for another one than the current.
  public let wanted: String
  /// How to read a store that does not hold its own model: a model's place.
  public var model: String?
  /// The versions between, as models' places, the oldest first; empty for those that the wanted model's bundle has.
  public var through: [String] = []
  /// What becomes of objects in steps that do not follow from the models.
  public var mappings: [StepMapping] = []
  /// What becomes of objects that are one by a uniqueness which a version brings; `nil` to name and refuse them.
  ///
  /// What led to those that count as another one leads to that one. With `keepBoth` all stay, and all but the first get
  /// another identity.
  public var duplicates: MergeRules.Duplicates?
  /// Where the new store is to appear, so that the old one is left alone; `nil` for the old one's place.
  public var output: String?
  /// Where the store is to be from now on; `nil` for where it is.
  public var place: String?
  /// What is copied to `place` where there is no store yet; it is never changed.
  public var seed: StoreLocation?
  /// Whether a store that was moved to `place` is removed at its old one.
  public var removesOld = false
  /// Whether a new store may be made after a model that has no version hashes.
  public var isUnversioned = false
  /// Whether to say only what would be done.
  public var isDryRun = false
  /// Whether to go on with what a run that was cut off has left.
  public var resumes = false
  /// Whether every copy is proven before it is published.
  public var verifies = true
  /// Rows that are read, written and committed together.
  public var batchSize: Int64 = 10_000
  /// Whether to read a private copy of the store, so that nobody who writes to it has to wait.
  package var readsPrivateCopy = false
  /// Where the ID table is kept, if it is to be kept.
  public var idTableFile: String?
  let opener: any MigrationOpener

  /// A mapping file or mapping model for one step.
  public struct StepMapping: Sendable, Hashable {
    /// The version that the step leads to; `nil` for the first step that needs one.
    public var version: String?
    /// The file.
    public var path: String

    /// Names a file for a step.
    public init(version: String? = nil, path: String) {
      self.version = version
      self.path = path
    }
  }

  /// Describes a migration of a store of the kinds that `opener` knows.
  package init(_ candidates: [StoreLocation], to wanted: String, opener: any MigrationOpener) {
    self.candidates = candidates
    self.wanted = wanted
    self.opener = opener
  }

  /// The migration: when it ends, the store is ready to be opened; where no migration was needed, nothing was touched.
  ///
  /// One that fails or is stopped leaves the store as it was, unless the error says that it is migrated all the same.
  public var operation: DecantOperation<MigrationReport> {
    DecantOperation("migration", .copy) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try MigrationRun(self, cancellation, tell).run()
      }
    }
  }
}

/// Opens stores and models for migrations: the list of kinds, which the engine itself does not know.
package protocol MigrationOpener: VersionedStoreOpener, StoreOpener, StoreRecogniser {
  /// Throws where no store can be made after the model that is wanted.
  ///
  /// - Parameters:
  ///   - wanted: The model's place, with `#Version` behind it for another one than the current.
  ///   - isUnversioned: Whether a model without version hashes will do.
  /// - Throws: `DecantError` of the family `.modelMismatch`, and what can be done.
  func checkPattern(_ wanted: String, isUnversioned: Bool) throws(DecantError)

  /// Reads mapping models as one mapping between two versions.
  ///
  /// - Parameters:
  ///   - paths: The mapping models; those of other versions are passed over, unless they were named for this step.
  ///   - isNamed: Whether they were named for this step, so that one that does not fit is a mistake.
  ///   - source: The earlier version.
  ///   - destination: The later one.
  ///   - file: A mapping file for the same step; what it says of an entity takes the place of what they say.
  /// - Returns: The mapping and the models it is of; `nil` where none of them is for this step.
  /// - Throws: `DecantError` of the family `.modelMismatch` where they say what only code of the app can do, or for one that
  ///   was named and does not fit; `.corruptStore` for a damaged one.
  func mappingModels(
    _ paths: [String],
    isNamed: Bool,
    from source: NamedModel,
    to destination: NamedModel,
    besides file: Mapping?
  ) throws(DecantError) -> (mapping: Mapping, paths: [String])?

  /// Whether there is a mapping model at `path`, and no mapping file.
  func isMappingModel(_ path: String) -> Bool

  /// The folder in which the store at `path` keeps values in files of their own; it need not exist.
  func externalFolder(of path: String) -> String?
}
