internal import DecantArchive
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantRecipes
internal import DecantStore

/// Opens the archives that were already read.
struct ImportOpener: StoreOpener {
  let archives: [StagedArchive]
  var recipes: StagedRecipes?
  /// The kinds for all other stores.
  let kinds: StoreKinds

  private func archive(_ location: StoreLocation) -> StagedArchive? {
    archives.first { $0.place == location.place }
  }

  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore {
    if let recipes, recipes.place == location.place {
      return try recipes.source(options: options)
    }
    if let recipes, recipes.base?.place == location.place { return try recipes.baseSource(options: options) }
    guard let archive = archive(location) else {
      return try kinds.openSource(location, options: options)
    }
    return try archive.source(options: options)
  }

  func openSource(_ location: StoreLocation, facing other: StoreLocation, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    if options.mapping != nil, recipes?.place == location.place || archive(location) != nil {
      return try openSource(location, options: options)
    }
    if let recipes, recipes.place == location.place {
      return try recipes.source(facing: kinds.facing(other, options), options: options)
    }
    if recipes?.base?.place == location.place { return try openSource(location, options: options) }
    guard let archive = archive(location) else {
      return try kinds.openSource(location, facing: other, options: options)
    }
    return try archive.source(facing: kinds.facing(other, options), options: options)
  }

  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile {
    // Unreadable lines are written to the same file as the rejected objects.
    let unread = recipes?.place == rejects.location.place ? recipes?.unreadLines ?? [] : []
    return try RejectArchive(rejects: rejects, source: source, opener: self, otherLines: unread)
      .write()
  }

  func interruptedRun(at location: StoreLocation, _ options: CopyOptions) throws(DecantError) -> (any InterruptedRun)? {
    try kinds.interruptedRun(at: location, options)
  }

  func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    try kinds.openDestination(location, like: source, options: options)
  }
}
