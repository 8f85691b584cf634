public import Decant

extension StoreKinds: MigrationOpener {
  /// Throws where no Core Data store can be made after the model that is wanted.
  public func checkPattern(_ wanted: String, isUnversioned: Bool) throws(DecantError) {
    _ = try StorePattern.open(wanted, for: nil, model: nil, isUnversioned: isUnversioned)
  }

  /// Reads a mapping model as a mapping between two versions.
  public func mappingModel(
    _ path: String,
    from source: NamedModel,
    to destination: NamedModel
  ) throws(DecantError) -> Mapping? {
    nil
  }

  /// Whether there is a mapping model of Core Data's at `path`.
  public func isMappingModel(_ path: String) -> Bool {
    [".xcmappingmodel", ".cdm"].contains { Files.name(of: path).lowercased().hasSuffix($0) }
  }

  /// The folder of the external files of the Core Data store at `path`.
  public func externalFolder(of path: String) -> String? {
    CoreDataExternalStorage(store: path).folder
  }
}

extension Migration {
  /// Describes a migration of one of several places, each `[kind:]place`.
  public init(_ candidates: [String], to wanted: String) {
    self.init(candidates.map(StoreKinds.location), to: wanted, opener: StoreKinds())
  }
}
