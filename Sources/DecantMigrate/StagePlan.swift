internal import DecantBase
internal import DecantPlan
internal import DecantVersions

/// One copy of a migration: from one version to another, through any intermediate versions that follow from the models.
struct StagePlan: Sendable {
  /// The versions it passes through, including the first and the last.
  var models: [NamedModel]
  /// The origin of the mapping.
  var origin: ModelMigrationStage.Origin
  /// Mapping models that supply what the mapping file leaves open.
  var besides: [String] = []
  /// The mapping that is applied.
  var mapping: Mapping

  /// Returns the place of the model from which the copy is created; for the last copy, the requested model as it was
  /// given.
  func pattern(isLast: Bool, of migration: Migrate) -> String {
    isLast ? migration.wanted : destination.place
  }

  /// Whether the copy gets no version hashes, because the model has none.
  var isUnversioned: Bool { destination.model.versionHashes == nil }

  /// Whether the stage uses a mapping file or mapping model.
  var isTold: Bool { origin != .inferred }

  var summary: ModelMigrationStage {
    ModelMigrationStage(versions: models.map(\.name), origin: origin, besides: besides)
  }
  var source: NamedModel { models[0] }
  var destination: NamedModel { models[models.count - 1] }
}
