internal import DecantCoreData
package import DecantBase
internal import DecantMigrate
package import DecantPlan
package import DecantStore

/// Merging Core Data stores of different versions of one model.
extension StoreKinds {
  /// Returns an opener that reads `sources` as stores of the model version of `destination`.
  ///
  /// A Core Data store of another version is first migrated into a temporary folder; it is not changed itself.
  ///
  /// - Parameters:
  ///   - sources: The stores that are merged or compared.
  ///   - destination: The store that they are merged into or compared with.
  ///   - options: `model` names the bundle with the versions in between.
  ///   - cancellation: Ends the work.
  ///   - onEvent: Receives the progress of longer work.
  /// - Returns: `self` if all stores can be read unchanged.
  /// - Throws: `DecantError` of the family `.modelMismatch` if there is no migration from one version to the other.
  package func aligning(
    _ sources: [StoreLocation],
    with destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener {
    guard try isCoreData(destination) else { return self }
    var made: [StoreLocation: MadeStore] = [:]
    // A bundle with several versions only has the versions in between; the model in the store takes precedence.
    let model = try CoreDataFile(destination).modelGap == nil ? nil : options.model
    for source in sources where made[source] == nil {
      guard try isCoreData(source),
        !Files.isSamePlace(source.place, destination.place),
        let older = try StoreKinds.older(source, destination, options, opener: self),
        let store = try older.made(cancellation, onEvent)
      else { continue }
      made[source] = MadeStore(
        path: store.path,
        kind: CoreDataKind(),
        place: source.place,
        uuid: try CoreDataFile(source).uuid,
        model: model,
        origin: store.origin,
        notes: store.notes,
        folder: store.folder
      )
    }
    return made.isEmpty ? self : AlignedOpener(made: made, kinds: self, model: model)
  }

  /// Whether there is a Core Data store at `location`.
  private func isCoreData(_ location: StoreLocation) throws(DecantError) -> Bool {
    try check(location)
    guard FileStatus(location.place) != nil else { return false }
    return try find(location).name == CoreDataKind.name
  }

  /// Returns the migration that `source` needs, if its version differs; `nil` if one of the models is not available.
  private static func older(
    _ source: StoreLocation,
    _ destination: StoreLocation,
    _ options: CopyOptions,
    opener: StoreKinds
  ) throws(DecantError) -> OlderVersion? {
    let location = options.model.map { ModelLocation($0) }
    let bundle = try location.flatMap { location throws(DecantError) in
      try location.versions().count > 1 ? location.path : nil
    }
    let (own, there) = (try CoreDataFile(source), try CoreDataFile(destination))
    guard own.versionHashes.isEmpty || own.versionHashes != there.versionHashes else { return nil }
    guard own.modelGap == nil || options.model != nil else { return nil }
    var wanted = destination.place
    if there.modelGap != nil {
      guard let bundle, let location,
        let version = try VersionCandidates(ModelLocation(bundle)).fitting(there.traits)
      else { return nil }
      wanted = "\(bundle)#\(location.version ?? version.version.name)"
    }
    return OlderVersion(
      source,
      into: destination,
      bundle: bundle,
      model: own.modelGap == nil ? nil : options.model,
      wanted: wanted,
      options: options,
      opener: opener
    )
  }
}
