internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The file of a store, there or to be made: how it is written.
struct StoreFile {
  let path: String

  func check(_ destination: any DestinationStore, _ options: CopyOptions)
    throws(DecantError)
  {
    guard !destination.isNew, options.commit == .batch else { return }
    try BatchedStoreSite.check(self, destination, options)
  }

  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError) {
    if options.isDryRun, destination.isNew { try PartialFile.checkPlace(path) }
    guard !options.isDryRun || destination.isNew else { return }
    try CopyRoom(planning, from: source, to: destination, at: self, options)
      .check(beside: Files.target(of: path))
  }

  func site(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopySite {
    if destination.isNew {
      return try NewStoreSite(destination, at: self, source: source, options: options)
    }
    return switch options.commit {
    case .run: ExistingStoreSite(destination, at: self, options: options)
    case .batch:
      try BatchedStoreSite(destination, at: self, options: options, duplicating: duplicating)
    }
  }

  func checkIsThere(after error: DecantError) throws(DecantError) {
    let folder = Files.folder(of: path)
    // Whatever cannot be looked at has not vanished.
    do throws(SystemError) {
      guard try FileStatus.look(at: folder) == nil else { return }
    } catch {
      return
    }
    throw DecantError(
      .folderVanished,
      "the folder “\(folder)” vanished while the copy was being made",
      remedy: "make it again, and run the same command",
      remedies: [.makeFolder(folder), .runAgain],
      cause: error
    )
  }
}

extension DestinationPlace {
  /// Throws where a copy with these options cannot change the store that is there.
  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError) {
    switch self {
    case .file(let path): try StoreFile(path: path).check(destination, options)
    case .own(let place): try place.check(destination, options)
    }
  }

  /// Throws where the copy that is planned has no room, or a new store cannot be made.
  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError) {
    switch self {
    case .file(let path):
      try StoreFile(path: path).checkRoom(for: planning, from: source, to: destination, options)
    case .own(let place):
      try place.checkRoom(for: planning, from: source, to: destination, options)
    }
  }

  /// Claims the place for a copy.
  func site(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopySite {
    switch self {
    case .file(let path):
      try StoreFile(path: path)
        .site(for: destination, from: source, options, duplicating: duplicating)
    case .own(let place):
      try place.site(for: destination, from: source, options, duplicating: duplicating)
    }
  }

  /// Throws what has become of the place, where that is why a copy failed with `error`.
  func checkIsThere(after error: DecantError) throws(DecantError) {
    switch self {
    case .file(let path): try StoreFile(path: path).checkIsThere(after: error)
    case .own(let place): try place.checkIsThere(after: error)
    }
  }
}
