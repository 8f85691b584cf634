/// One copy of a migration: from one version to another, through those between that follow from each other.
public struct ModelMigrationStage: Sendable, Hashable {
  /// The names of the versions it goes through, the first and the last included.
  public var versions: [String]
  /// What says how objects of the first version become those of the last.
  public var origin: Origin
  /// Mapping models of the developer's that say what the mapping file leaves open, as `origin` would name them.
  public var besides: [String]

  /// What says how objects of one version become those of another.
  public enum Origin: Sendable, Hashable {
    /// The models.
    case inferred
    /// A mapping file of the user's.
    case mappingFile(String)
    /// A mapping model of the developer's.
    case mappingModel(String)
  }

  /// Describes a stage.
  public init(versions: [String], origin: Origin, besides: [String] = []) {
    (self.versions, self.origin, self.besides) = (versions, origin, besides)
  }
}
