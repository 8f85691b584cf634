package import DecantBase
package import DecantPlan
package import DecantStore

/// Stores to write to: existing ones, copies of the source, or stores made from a template.
extension CoreDataKind {
  package func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    guard exists(location) else { return try made(location, like: source, options) }
    let path = location.place
    guard options.mapping != nil || !source.model.isFromTables else {
      throw DecantError(
        .modelsDiffer,
        "“\(path)” is a Core Data store, but “\(source.identity.place)” is a plain database",
        remedy: "use another destination"
      )
    }
    try FilePlace.checkIsOther(path, source)
    try FilePlace.checkIsNotMade(path, options)
    guard !options.keepsMetadata else {
      throw DecantError(
        .alreadyExists,
        "“\(path)” already exists and keeps its own sync metadata: \(option: .keepMetadata) copies the "
          + "source's only into a new store",
        remedy: "remove \(option: .keepMetadata), or use a new store as the destination"
      )
    }
    guard options.mapping == nil else {
      return try CoreDataDestination(
        existing: CoreDataKind.mappedFile(location, options),
        for: nil,
        writesMirrored: options.writesMirroredStore
      )
    }
    return try CoreDataDestination(
      existing: CoreDataFile(location, model: options.model),
      for: source as? CoreDataSource,
      writesMirrored: options.writesMirroredStore
    )
  }

  /// Plans a new store at `location` for the objects of `source`.
  private func made(
    _ location: StoreLocation,
    like source: any SourceStore,
    _ options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    let path = location.place
    if options.mapping == nil || options.template == nil, source.model.isFromTables,
      !(source is CoreDataSource)
    {
      throw DecantError(.unsupportedKind, "cannot create a Core Data store from “\(source.identity.place)”")
    }
    try FilePlace.checkNew(location)
    guard let source = source as? CoreDataSource else {
      let pattern = try CoreDataKind.pattern(options, place: path)
      return try CoreDataDestination(new: path, for: nil, after: pattern)
    }
    guard let template = options.template else {
      guard !options.isUnversioned else { throw CoreDataKind.unversionedAlone }
      return CoreDataDestination(
        new: path,
        like: source,
        keepsSyncMetadata: options.keepsMetadata,
        as: IdentityTransfer(of: source, to: source.model, options)
      )
    }
    guard options.mapping == nil else {
      // The mapping changes the objects, but data that the app stores besides them is kept.
      let pattern = try CoreDataKind.pattern(options, place: path)
      return try CoreDataDestination(
        new: path,
        for: source,
        after: pattern,
        isMapped: true,
        as: IdentityTransfer(of: source, to: pattern.model, options)
      )
    }
    try CoreDataKind.checkTemplate(options)
    let pattern = try StorePattern.open(
      template,
      for: source,
      model: options.model,
      isUnversioned: options.isUnversioned
    )
    return try CoreDataDestination(new: path, for: source, after: pattern)
  }

  /// Returns the pattern of a new store for objects from a store of another kind.
  static func pattern(_ options: CopyOptions, place: String) throws(DecantError) -> StorePattern {
    guard let template = options.template else {
      throw DecantError(
        .missingOption,
        "a Core Data store needs a model, but a plain database has none",
        place: "“\(place)” does not exist yet",
        remedy: "pass a store of the model, or the App.momd of a built app: \(say: .template) MODEL"
      )
    }
    try checkTemplate(options)
    return try StorePattern.open(
      template,
      for: nil,
      // With a mapping the source is read with another model.
      model: options.mapping == nil ? options.model : nil,
      isUnversioned: options.isUnversioned
    )
  }

  /// Throws for options that cannot be combined with a template.
  private static func checkTemplate(_ options: CopyOptions) throws(DecantError) {
    guard options.keepsMetadata else { return }
    throw DecantError(
      .conflictingOptions,
      "sync metadata belongs to the source's own file: \(option: .keepMetadata) cannot be used with \(option: .template)",
      remedy: "remove one of them"
    )
  }

  private static let unversionedAlone = DecantError(
    .missingOption,
    "\(option: .unversioned) applies to a store created from a model, but no model is given",
    remedy: "pass the model with \(say: .template)"
  )

  /// Opens the store at `location`; one without its model is read with the version of `--model` that fits its tables.
  private static func mappedFile(_ location: StoreLocation, _ options: CopyOptions)
    throws(DecantError) -> CoreDataFile
  {
    let file = try CoreDataFile(location, model: nil)
    guard file.modelGap != nil, let model = options.model else { return file }
    return try CoreDataFile(location, model: ModelLocation(model).path)
  }
}
