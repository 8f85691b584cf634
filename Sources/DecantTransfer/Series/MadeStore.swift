internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// A store that was converted from another in a temporary folder; it keeps the name and identifier of the original.
struct MadeStore: Sendable {
  let path: String
  /// The kind of the converted store.
  let kind: any DatabaseKind
  let place: String
  let uuid: String?
  /// The model, for a store that does not contain its own.
  let model: String?
  /// The status of the files that it was made from.
  let origin: [FileStatus?]
  /// Notes for the report.
  let notes: [ReportNote]
  /// The temporary folder, removed when nobody reads the store any more.
  let folder: ScratchFolder

  func source(_ options: CopyOptions) throws(DecantError) -> any SourceStore {
    let database = try DatabaseFile.made(path, of: place, kind: kind.name, origin: origin, notes: notes, keeper: folder)
    var options = options
    options.model = model
    return try kind.source(in: database, uuid: uuid, fallback: nil, options: options)
  }
}

/// Opens converted stores in place of their originals, and all other stores directly.
struct AlignedOpener: StoreOpener {
  let made: [StoreLocation: MadeStore]
  /// The kinds for all other stores.
  let kinds: StoreKinds
  /// The model of the store that is written to.
  let model: String?

  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard let store = made[location] else {
      return try kinds.openSource(location, options: options)
    }
    return try store.source(options)
  }

  func openSource(_ location: StoreLocation, facing other: StoreLocation, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    // A converted store has the other's kind and model, so neither has to be adapted to the other.
    guard made[location] == nil, made[other] == nil else {
      return try openSource(location, options: options)
    }
    return try kinds.openSource(location, facing: other, options: options)
  }

  func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    var options = options
    options.model = model
    return try kinds.openDestination(location, like: source, options: options)
  }

  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile {
    try RejectArchive(rejects: rejects, source: source, opener: self).write()
  }
}
