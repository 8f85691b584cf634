public import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer

/// Stores that go with the value: for tests, previews, and what is put together before it is kept.
extension Store {
  /// Makes an empty store of the same kind and model as another.
  ///
  /// It lies in a private folder, in memory where the system has such a place with 64 MiB of room (`/dev/shm`), else
  /// where `TMPDIR` says, and is removed with the last reference to it.
  ///
  /// - Parameter store: The store; what an app keeps beside its objects is not taken along.
  /// - Returns: The new one; its `location` can be given to ``Copy``, ``Merge`` and ``Import``.
  /// - Throws: `DecantError` where it cannot be made: an archive of a Core Data store without its template, a full disk.
  public static func memory(like store: Store) throws(DecantError) -> Store {
    let folder = try ScratchFolder(inMemory: true)
    let path = "\(folder.path)/memory.sqlite"
    try ArchiveTemplate.makeEmpty(like: store.location, at: path, options: store.readers.options)
    var options = CopyOptions()
    // A plain database tells its links no better than the one that it was made of.
    options.reading.links = store.readers.options.reading.links
    return Store(StoreLocation(place: path), try StoreReaders(StoreLocation(place: path), options, folder))
  }

  /// Makes an empty Core Data store of a model, in a folder as `memory(like:)` has it.
  ///
  /// The store does not hold the model itself: other verbs that read it are told by `reading.model`.
  ///
  /// - Parameter model: A compiled model, `App.momd`, or one of Xcode's; with `#Version` behind it for another version than
  ///   the current.
  /// - Returns: The new store.
  /// - Throws: `DecantError` where there is no such model, or where it leaves open which tables hold the links of a
  ///   relationship: there a store is needed, for `memory(like:)`.
  public static func memory(model: String) throws(DecantError) -> Store {
    let folder = try ScratchFolder(inMemory: true)
    let path = "\(folder.path)/memory.sqlite"
    try ArchiveTemplate.makeEmpty(ofModel: model, at: path, folder: folder.path)
    var options = CopyOptions()
    options.model = model
    return Store(StoreLocation(place: path), try StoreReaders(StoreLocation(place: path), options, folder))
  }

  /// As `memory(like:)`, on a thread of its own.
  public static func memory(like store: Store) async throws(DecantError) -> Store {
    try await store.readers.onThread { () throws(DecantError) in try Store.memory(like: store) }
  }
}
