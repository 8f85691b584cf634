package import DecantPlan
internal import DecantCoreData
package import DecantBase
public import DecantMaintain
package import DecantStore

extension StoreKinds: CleanableStoreOpener {
  /// Opens the Core Data store at `location`, without reading its model or its objects.
  ///
  /// - Parameter location: The place of the store; its kind may be omitted.
  /// - Returns: The store, in the form that `Clean` needs.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` if it is not a Core Data store.
  package func openCleanable(_ location: StoreLocation) throws(DecantError) -> any CleanableStore {
    try check(location)
    if let name = location.kind, let kind = kind(named: name), !kind.isFile {
      _ = try kind.openEditable(location, models: [], writesMirrored: false)
    }
    return try CleanableCoreDataStore(location.place)
  }
}

extension Clean {
  /// Describes the removal of `kinds` of sync metadata from a place, `[kind:]place`.
  public init(_ store: String, of kinds: [String]) {
    self.init(StoreKinds.location(store), of: kinds, opener: StoreKinds.known)
  }
}
