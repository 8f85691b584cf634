/// One stage of a migration: a copy from one version to another, through the versions between them.
public struct ModelMigrationStage: Sendable, Hashable {
  /// The names of its versions, including the first and the last.
  public var versions: [String]
  /// The origin of the rules that map the first version to the last.
  public var origin: Origin
  /// The developer's mapping models for what the mapping file leaves open, in the form of `origin`.
  public var besides: [String]

  /// The origin of the rules that map one version to another.
  public enum Origin: Sendable, Hashable {
    /// The rules are inferred from the models.
    case inferred
    /// The user's mapping file.
    case mappingFile(String)
    /// The developer's mapping model.
    case mappingModel(String)
  }

  /// Describes a stage.
  package init(versions: [String], origin: Origin, besides: [String] = []) {
    (self.versions, self.origin, self.besides) = (versions, origin, besides)
  }
}

extension ModelMigrationStage: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let (way, file): (String, String?) =
      switch origin {
      case .inferred: ("models", nil)
      case .mappingFile(let path): ("mapping", path)
      case .mappingModel(let path): ("mappingModel", path)
      }
    try DocumentMembers([
      ("versions", versions), ("by", way), ("file", file), ("besides", besides),
    ]).encode(to: encoder)
  }
}
