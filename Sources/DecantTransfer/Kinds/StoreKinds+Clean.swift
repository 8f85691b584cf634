public import DecantPlan
internal import DecantCoreData
public import DecantBase
public import DecantMaintain
public import DecantStore

extension StoreKinds: CleanableStoreOpener {
  /// Finds the Core Data store at `location`; neither its model nor its objects are read.
  ///
  /// - Parameter location: Where the store is; its kind may be left out.
  /// - Returns: The store, as `Clean` needs it.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` for what is no Core Data
  ///   store.
  public func openCleanable(_ location: StoreLocation) throws(DecantError) -> any CleanableStore {
    try check(location)
    return try CleanableCoreDataStore(location.place)
  }
}

extension Clean {
  /// Describes the removal of `kinds` of sync metadata from a place, `[kind:]place`.
  public init(_ store: String, of kinds: [String]) {
    self.init(StoreKinds.location(store), of: kinds, opener: StoreKinds.known)
  }
}
