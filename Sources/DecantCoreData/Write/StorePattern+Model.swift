internal import DecantBase
internal import DecantPropertyList

extension StorePattern {
  /// Creates the pattern from the model at `location`; of several versions it uses that of the source.
  init(_ location: ModelLocation, for source: CoreDataSource?, isUnversioned: Bool) throws(DecantError) {
    let choice =
      if let source {
        try location.choice(for: source.file.traits, like: source.model)
      } else {
        try location.currentChoice()
      }
    let (model, version) = (choice.model, choice.version)
    let schema = GeneratedSchema(model)
    try StorePattern.check(schema, location)
    var notes: [ReportNote] = []
    if choice.isOther {
      notes.append(ReportNote(.createdFromVersion, "the store is created from version “\(version.name)” of its model"))
    }
    if !schema.leftOut.isEmpty {
      notes.append(ReportNote(.schemaNotCopied, "indexes not created: \(schema.leftOut.joined(separator: ", "))"))
    }
    var metadata = StorePattern.metadata(of: model)
    if version.versionHashes.isEmpty {
      guard isUnversioned else { throw StorePattern.noHashes(location, version) }
      notes.append(
        ReportNote(
          .noVersionHashes,
          "the store has no version hashes, so no app can open it yet: it needs one step on a Mac, to be "
            + "opened once with its model and NSIgnorePersistentStoreVersioningOption"))
      metadata[ModelMark.key] = .string(ModelMark.of(model))
    } else {
      guard !isUnversioned else { throw StorePattern.needless(location.path) }
      try StorePattern.check(version, model, location)
      metadata.merge(ModelDigest.metadata(of: version.versionHashes)) { first, _ in first }
    }
    // If all hashes are equal, the source's cached model is this model.
    let isSame =
      !version.versionHashes.isEmpty
      && source?.file.traits.versionHashes == version.versionHashes
    let layout = try CoreDataLayout(
      model: model,
      numbers: schema.numbers,
      columns: schema.columns,
      place: location.path
    ).layout()
    self.init(
      model: model,
      layout: layout,
      schema: schema,
      metadata: metadata,
      modelCache: isSame ? try source?.file.modelCache() : nil,
      notes: notes
    )
  }

  /// Throws for a model that does not determine everything that a store needs.
  private static func check(_ schema: GeneratedSchema, _ location: ModelLocation) throws(DecantError) {
    let name = Files.name(of: location.path)
    let remedy: DecantError.Text = "pass a store of that version as \(say: .template), even an empty one"
    if !schema.doubtfulLinks.isEmpty {
      throw DecantError(
        .unsupportedModel,
        """
        “\(name)” does not define which tables hold the links \(schema.doubtfulLinks.joined(separator: ", "))
        """,
        place: "many-to-many links of an entity to itself, or ordered at one end only",
        remedy: remedy
      )
    }
    if !schema.notMade.isEmpty {
      throw DecantError(
        .unsupportedModel,
        "only Core Data can create what “\(name)” requires: \(schema.notMade.joined(separator: ", "))",
        place: "derived attributes, object IDs or range indexes in an unknown form",
        remedy: remedy
      )
    }
  }

  /// Throws for incomplete or inconsistent hashes.
  private static func check(_ version: ModelVersion, _ model: Model, _ location: ModelLocation) throws(DecantError) {
    let entities = Set(model.entities.map(\.name))
    let lacking = model.entities.map(\.name).filter { version.versionHashes[$0]?.count != 32 }
    let isWhole = lacking.isEmpty && Set(version.versionHashes.keys) == entities
    let checksum = ModelDigest.checksum(of: version.versionHashes)
    guard isWhole, version.checksum == nil || version.checksum == checksum else {
      throw DecantError(
        .modelDamaged,
        "the version hashes of “\(version.name)” do not match its model"
          + (lacking.isEmpty ? "" : ": \(lacking[0]) has none"),
        place: "\(location.path), VersionInfo.plist",
        remedy: "use an undamaged copy of the model"
      )
    }
  }

  private static func noHashes(_ location: ModelLocation, _ version: ModelVersion) -> DecantError {
    DecantError(
      .unsupportedModel,
      "“\(Files.name(of: location.path))” has no version hashes, which Core Data needs to recognize a store"
        + (version.isSource ? "" : ": no VersionInfo.plist next to “\(version.name)” lists them"),
      place: "\(option: .unversioned) creates a store without them, which needs one step on a Mac",
      remedy: "version hashes are in the compiled model: pass the App.momd of a built app "
        + "(inside the .app or the unzipped .ipa), or on a Mac: "
        + "xcrun momc App.xcdatamodeld App.momd"
    )
  }

  /// Returns the metadata that Core Data writes to every store.
  private static func metadata(of model: Model) -> [String: PropertyList] {
    [
      "NSStoreType": .string("SQLite"),
      "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map { .string($0) }),
      "NSPersistenceFrameworkVersion": .integer(SchemaEra.current.frameworkVersion),
      "_NSAutoVacuumLevel": .string("2"),
    ]
  }
}
