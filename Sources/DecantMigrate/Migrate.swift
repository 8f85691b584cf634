public import DecantBase
public import DecantPlan
public import DecantStore
package import DecantVersions

/// The migration of a store to another version of its model.
///
/// A value that can be kept and run again; nothing is opened before it runs.
///
/// The new store is built in a work folder, verified and swapped into place in one step; the old store stays next to it
/// as a backup. The migration passes through every intermediate version: what a version drops is lost, and what it adds
/// starts with that version's default value. Consecutive steps that follow from the models run as one copy; a step with
/// a mapping file or mapping model is a copy of its own.
public struct Migrate: Runnable {
  /// The store; with `place`, all stores that may be it, of which the first existing one is used.
  public let candidates: [StoreLocation]
  /// The model's place, followed by `#Version` for a version other than the current one.
  public let wanted: String
  /// The place of a model to read a store that does not contain its own.
  public var model: String?
  /// The places of models with the intermediate versions, oldest first; empty to use the requested model's bundle.
  public var through: [String] = []
  /// The mappings for steps that do not follow from the models.
  public var mappings: [StepMapping] = []
  /// How to merge objects that become duplicates by a new uniqueness constraint; `nil` to report and refuse them.
  ///
  /// Links to a merged object then lead to the object it was merged into. With `keepBoth` all objects stay, and all but
  /// the first get another identity.
  public var duplicates: MergeRules.Duplicates?
  /// The place for the new store, so that the old one is left alone; `nil` for the old store's place.
  public var output: String?
  /// The store's new place; `nil` to keep its place.
  public var place: String?
  /// A store to copy to `place` if there is no store yet; it is never changed.
  public var seed: StoreLocation?
  /// Whether a store that was moved to `place` is removed from its old place.
  public var removesOld = false
  /// Whether a new store may be created from a model that has no version hashes.
  public var isUnversioned = false
  /// Whether to report only what would be done.
  public var isDryRun = false
  /// Whether to resume an interrupted run.
  public var resumes = false
  /// Whether every copy is verified before it is published.
  public var verifies = true
  /// The number of rows that are read, written and committed together.
  public var batchSize: Int64 = 10_000
  /// Whether to read a private copy of the store, so that other writers do not have to wait.
  package var readsPrivateCopy = false
  /// The file for the ID table, if it is to be kept.
  public var idTableFile: String?
  let opener: any MigrationOpener

  /// A mapping file or mapping model for one step.
  public struct StepMapping: Sendable, Hashable {
    /// The version that the step leads to; `nil` for the first step that needs a mapping.
    public var version: String?
    /// The file.
    public var path: String

    /// Creates a mapping for a step.
    public init(version: String? = nil, path: String) {
      self.version = version
      self.path = path
    }
  }

  /// Creates a migration of a store of a kind that `opener` supports.
  package init(_ candidates: [StoreLocation], to wanted: String, opener: any MigrationOpener) {
    self.candidates = candidates
    self.wanted = wanted
    self.opener = opener
  }

  /// The migration, after which the store can be opened; if no migration is needed, nothing is touched.
  ///
  /// A migration that fails or is stopped leaves the store as it was, unless the error says that it was migrated
  /// anyway.
  public var operation: DecantOperation<MigrationReport> {
    DecantOperation("migration", .copy) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try MigrationRun(self, cancellation, tell).run()
      }
    }
  }
}

/// Opens stores and models for migrations; the engine itself does not know the kinds of stores.
package protocol MigrationOpener: VersionedStoreOpener, StoreOpener, StoreRecogniser {
  /// Throws if no store can be created from the requested model.
  ///
  /// - Parameters:
  ///   - wanted: The model's place, followed by `#Version` for a version other than the current one.
  ///   - isUnversioned: Whether a model without version hashes is accepted.
  /// - Throws: `DecantError` of the family `.modelMismatch`, with a remedy.
  func checkPattern(_ wanted: String, isUnversioned: Bool) throws(DecantError)

  /// Reads mapping models as one mapping between two versions.
  ///
  /// - Parameters:
  ///   - paths: The mapping models; those of other versions are skipped, unless they were given for this step.
  ///   - isNamed: Whether they were given for this step, so that one that does not fit is an error.
  ///   - source: The earlier version.
  ///   - destination: The later version.
  ///   - file: A mapping file for the same step; its entity mappings replace those of the mapping models.
  /// - Returns: The mapping and the mapping models it comes from; `nil` if none of them is for this step.
  /// - Throws: `DecantError` of the family `.modelMismatch` if a mapping model requires code of the app, or if one that
  ///   was given does not fit; `.corruptStore` if one is damaged.
  func mappingModels(
    _ paths: [String],
    isNamed: Bool,
    from source: NamedModel,
    to destination: NamedModel,
    besides file: Mapping?
  ) throws(DecantError) -> (mapping: Mapping, paths: [String])?

  /// Returns whether the file at `path` is a mapping model rather than a mapping file.
  func isMappingModel(_ path: String) -> Bool

  /// Returns the folder for the external files of the store at `path`; it need not exist.
  func externalFolder(of path: String) -> String?
}
