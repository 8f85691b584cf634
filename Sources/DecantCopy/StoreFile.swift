package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension StoreFile: OwnPlace {
  package func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError) {
    guard !destination.isNew, options.commit == .batch else { return }
    try BatchedStoreWriter.check(self, destination, options)
  }

  package func checkRoom(
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

  package func makeWriter(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopyWriter {
    if destination.isNew {
      return try NewStoreWriter(destination, at: self, source: source, options: options)
    }
    return switch options.commit {
    case .run: ExistingStoreWriter(destination, at: self, options: options)
    case .batch:
      try BatchedStoreWriter(destination, at: self, options: options, duplicating: duplicating)
    }
  }

  package func checkIsThere(after error: DecantError) throws(DecantError) {
    let folder = Files.folder(of: path)
    // A folder that cannot be examined is not reported as missing.
    do throws(SystemError) {
      guard try FileStatus.look(at: folder) == nil else { return }
    } catch {
      return
    }
    throw DecantError(
      .folderVanished,
      "the folder “\(folder)” disappeared during the copy",
      remedy: "create it again, then \(.retry)",
      remedies: [.makeFolder(folder), .runAgain],
      cause: error
    )
  }
}

extension DestinationPlace {
  /// The place as it is locked and written.
  var writer: any OwnPlace {
    switch self {
    case .file(let path): StoreFile(path: path)
    case .own(let place): place
    }
  }
}
