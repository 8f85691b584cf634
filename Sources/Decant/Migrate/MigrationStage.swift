/// One copy of a migration: from one version to another, through those between that follow from each other.
public struct MigrationStage: Sendable {
  /// The versions it goes through, the first and the last included.
  var models: [NamedModel]
  /// What says how objects become others.
  var origin: Origin
  /// Mapping models that say what the mapping file leaves open.
  var besides: [String] = []
  /// What is done.
  var mapping: Mapping

  /// What says how objects of one version become those of another.
  public enum Origin: Sendable, Hashable {
    /// The models.
    case inferred
    /// A mapping file of the user's.
    case mappingFile(String)
    /// A mapping model of the developer's.
    case mappingModel(String)
  }

  /// A stage in words.
  public struct Summary: Sendable, Hashable {
    /// The names of the versions it goes through, the first and the last included.
    public var versions: [String]
    public var origin: Origin
    /// Mapping models of the developer's that say what the mapping file leaves open, as `origin` would name them.
    public var besides: [String]

    /// Describes a stage.
    public init(versions: [String], origin: Origin, besides: [String] = []) {
      (self.versions, self.origin, self.besides) = (versions, origin, besides)
    }
  }

  /// The place of the model that its copy is made after: what was asked for where it is the last.
  func pattern(isLast: Bool, of migration: Migration) -> String {
    isLast ? migration.wanted : destination.place
  }

  /// Whether its copy gets no version hashes, as the model has none.
  var isUnversioned: Bool { destination.model.versionHashes == nil }

  /// Whether a mapping file or mapping model says how objects become others.
  var isTold: Bool { origin != .inferred }

  var summary: Summary {
    Summary(versions: models.map(\.name), origin: origin, besides: besides)
  }
  var source: NamedModel { models[0] }
  var destination: NamedModel { models[models.count - 1] }
}
