internal import DecantBase
internal import DecantPlan
internal import DecantVersions

/// One copy of a migration: from one version to another, through those between that follow from each other.
struct StagePlan: Sendable {
  /// The versions it goes through, the first and the last included.
  var models: [NamedModel]
  /// What says how objects become others.
  var origin: ModelMigrationStage.Origin
  /// Mapping models that say what the mapping file leaves open.
  var besides: [String] = []
  /// What is done.
  var mapping: Mapping

  /// The place of the model that its copy is made after: what was asked for where it is the last.
  func pattern(isLast: Bool, of migration: Migrate) -> String {
    isLast ? migration.wanted : destination.place
  }

  /// Whether its copy gets no version hashes, as the model has none.
  var isUnversioned: Bool { destination.model.versionHashes == nil }

  /// Whether a mapping file or mapping model says how objects become others.
  var isTold: Bool { origin != .inferred }

  var summary: ModelMigrationStage {
    ModelMigrationStage(versions: models.map(\.name), origin: origin, besides: besides)
  }
  var source: NamedModel { models[0] }
  var destination: NamedModel { models[models.count - 1] }
}
