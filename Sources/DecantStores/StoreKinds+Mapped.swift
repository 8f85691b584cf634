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
      return try PlainDestination(
        existing: PlainFile(location, options: CopyOptions()),
        for: nil,
        options: options
      )
    }
    return try CoreDataDestination(
      existing: CoreDataFile(location, model: nil),
      for: nil,
      writesMirrored: options.writesMirroredStore
    )
  }
}
