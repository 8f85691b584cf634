internal import DecantCoreData
public import DecantBase
public import DecantMigrate
public import DecantPlan
public import DecantVersions

extension StoreKinds: MigrationOpener {
  /// Throws if no Core Data store can be made from the wanted model.
  public func checkPattern(_ wanted: String, isUnversioned: Bool) throws(DecantError) {
    _ = try StorePattern.open(wanted, for: nil, model: nil, isUnversioned: isUnversioned)
  }

  /// Reads Core Data mapping models as one mapping between two versions.
  public func mappingModels(
    _ paths: [String],
    isNamed: Bool,
    from source: NamedModel,
    to destination: NamedModel,
    besides file: Mapping?
  ) throws(DecantError) -> (mapping: Mapping, paths: [String])? {
    var choice = MappingModelChoice(from: source, to: destination)
    for path in paths {
      let model: MappingModel
      do throws(DecantError) {
        model = try MappingModel.read(path)
        if isNamed { try model.checkFits(from: source, to: destination) }
      } catch {
        // A mapping model that was not named may belong to another step or be unused.
        guard isNamed else { continue }
        throw error
      }
      guard model.misfit(from: source.model, to: destination.model) == nil else { continue }
      try choice.take(model)
    }
    guard let joined = choice.joined else { return nil }
    let made = try joined.conversion(from: source.model, to: destination.model, besides: file)
    return (made.mapping, choice.taken.map(\.place))
  }

  /// Whether there is a Core Data mapping model at `path`.
  public func isMappingModel(_ path: String) -> Bool {
    [".xcmappingmodel", ".cdm"].contains { Files.name(of: path).lowercased().hasSuffix($0) }
  }

  /// Returns the folder of the external files of the Core Data store at `path`.
  public func externalFolder(of path: String) -> String? {
    CoreDataExternalStorage(store: path).folder
  }
}

extension Migrate {
  /// Describes a migration of one of several places, each `[kind:]place`.
  public init(_ candidates: [String], to wanted: String) {
    self.init(candidates.map(StoreKinds.location), to: wanted, opener: StoreKinds.known)
  }
}
