internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// A store that was made of another one in a temporary folder: it goes by the name and the identifier of that.
struct MadeStore: Sendable {
  let path: String
  /// The kind of what was made.
  let kind: any DatabaseKind
  let place: String
  let uuid: String?
  /// How to read it, where it does not hold its own model.
  let model: String?
  /// The state of the files it was made of.
  let origin: [FileStatus?]
  /// What a reader should know.
  let notes: [ReportNote]
  /// What goes when nobody reads it any more.
  let folder: ScratchFolder

  func source(_ options: CopyOptions) throws(DecantError) -> any SourceStore {
    let database = try DatabaseFile.made(path, of: place, kind: kind.name, origin: origin, notes: notes, keeper: folder)
    var options = options
    options.model = model
    return try kind.source(in: database, uuid: uuid, fallback: nil, options: options)
  }
}

/// Opens stores of which others were made as these, and all others as they are.
struct AlignedOpener: StoreOpener {
  let made: [StoreLocation: MadeStore]
  /// What opens the others.
  let kinds: StoreKinds
  /// How to read the store that is written to.
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
    // What was made is of the other's kind and model: neither has to be read as the other.
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
