internal import Decant

/// Stores to write into whose model is another than the source's: a mapping lies between.
extension StoreKinds {
  /// Opens the store at `location` for objects that come through a mapping.
  ///
  /// - Parameters:
  ///   - location: Where the store is, or where one is to be made after `options.template`.
  ///   - source: The store that is read.
  ///   - options: As `openDestination(_:like:options:)` has them.
  /// - Returns: The store; `nil` where a new one is made in the likeness of the source.
  /// - Throws: `DecantError` as `openDestination(_:like:options:)` does.
  func mappedDestination(
    _ location: StoreLocation,
    _ source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> (any DestinationStore)? {
    guard !options.keepsMetadata else {
      throw DecantError(
        .usage,
        "sync metadata belongs to the source's own model: --keep-metadata does not go with --mapping",
        remedy: "leave one of them away"
      )
    }
    guard FileStatus(location.place) != nil else {
      guard options.template != nil else { return nil }
      try StoreKinds.checkNewPlace(location)
      guard let source = source as? CoreDataSource else {
        return try StoreKinds.madeAfterTemplate(location.place, options: options)
      }
      // The objects become others, but what the app keeps beside them is its own all the same.
      let pattern = try StoreKinds.pattern(options, place: location.place)
      return try CoreDataDestination(
        new: location.place,
        for: source,
        after: pattern,
        isMapped: true,
        as: Succession(of: source, to: pattern.model, options)
      )
    }
    try StoreKinds.checkIsOther(location.place, source)
    guard options.template == nil, !options.isUnversioned else {
      throw DecantError(
        .usage,
        "“\(location.place)” is there already: --template and --unversioned say how a new store is made",
        remedy: "name a new place for the store, or leave them away"
      )
    }
    guard try StoreKinds.kind(of: location) == "coredata" else {
      if let source = source as? CoreDataSource,
        let objects = try objectsLike(source, at: location, options)
      {
        return objects
      }
      return try PlainDestination(
        existing: PlainFile(location, options: CopyOptions()),
        for: nil,
        options: options
      )
    }
    return try CoreDataDestination(
      existing: StoreKinds.mappedFile(location, options),
      for: nil,
      writesMirrored: options.writesMirroredStore
    )
  }

  /// The plain database at `location` as one of the objects of `source`, where it has the tables that decant makes for
  /// these: dates and UUIDs are texts there.
  private func objectsLike(
    _ source: CoreDataSource,
    at location: StoreLocation,
    _ options: CopyOptions
  ) throws(DecantError) -> (any DestinationStore)? {
    guard source.modelGap == nil else { return nil }
    do throws(DecantError) {
      return try objectsDestination(location, for: source, options: options)
    } catch {
      // Tables of somebody else's.
      guard error.code == .modelMismatch else { throw error }
      return nil
    }
  }

  /// The Core Data store at `location`; one that does not hold its model is read with the version of `--model` that
  /// explains its tables.
  private static func mappedFile(_ location: StoreLocation, _ options: CopyOptions)
    throws(DecantError) -> CoreDataFile
  {
    let file = try CoreDataFile(location, model: nil)
    guard file.modelGap != nil, let model = options.model else { return file }
    return try CoreDataFile(location, model: ModelLocation(model).path)
  }
}
