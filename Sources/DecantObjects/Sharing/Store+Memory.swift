public import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer

/// Temporary stores that are removed with their value: for tests, previews and staging.
extension Store {
  /// Creates an empty store of the same kind and model as another.
  ///
  /// The store is in a private folder: in memory if the system has such a place with 64 MiB free (`/dev/shm`), else in
  /// `TMPDIR`. It is removed with the last reference to it.
  ///
  /// - Parameter store: The store; data that an app stores besides its objects is not copied.
  /// - Returns: The new store; its `location` can be passed to ``Copy``, ``Merge`` and ``Import``.
  /// - Throws: `DecantError` if the store cannot be created, for example from an archive of a Core Data store without
  ///   its template, or on a full disk.
  public static func memory(like store: Store) throws(DecantError) -> Store {
    let folder = try ScratchFolder(inMemory: true)
    let path = "\(folder.path)/memory.sqlite"
    try ArchiveTemplate.makeEmpty(like: store.location, at: path, options: store.readers.options)
    var options = CopyOptions()
    // A plain database needs the same link definitions as the database that it was made from.
    options.reading.links = store.readers.options.reading.links
    return Store(StoreLocation(place: path), try StoreReaders(StoreLocation(place: path), options, folder))
  }

  /// Creates an empty Core Data store of a model, in a folder like that of `memory(like:)`.
  ///
  /// The store does not contain the model itself: other commands that read it need `reading.model`.
  ///
  /// - Parameter model: A compiled model, `App.momd`, or an Xcode model; append `#Version` for another version than the
  ///   current one.
  /// - Returns: The new store.
  /// - Throws: `DecantError` if there is no such model, or if it does not determine which tables hold the links of a
  ///   relationship; in that case use `memory(like:)` with a store.
  public static func memory(model: String) throws(DecantError) -> Store {
    let folder = try ScratchFolder(inMemory: true)
    let path = "\(folder.path)/memory.sqlite"
    try ArchiveTemplate.makeEmpty(ofModel: model, at: path, folder: folder.path)
    var options = CopyOptions()
    options.model = model
    return Store(StoreLocation(place: path), try StoreReaders(StoreLocation(place: path), options, folder))
  }

  /// Creates an empty store of the same kind and model, on a separate thread.
  public static func memory(like store: Store) async throws(DecantError) -> Store {
    try await store.readers.onThread { () throws(DecantError) in try Store.memory(like: store) }
  }
}
