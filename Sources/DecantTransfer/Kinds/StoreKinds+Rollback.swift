public import DecantBase
public import DecantMaintain
public import DecantPlan
public import DecantStore

extension StoreKinds: StoreRecogniser {
  /// Returns the kind of the store at `location`: as it was named, else by what is in it.
  public func kind(of location: StoreLocation) throws(DecantError) -> String {
    try find(location).name
  }

  /// Returns what names the store at `location`; its objects are not read.
  ///
  /// - Parameter location: Where the store is; its kind may be left out.
  /// - Returns: Kind, place and, of a Core Data store, its identifier.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` for what is no store of its
  ///   kind.
  public func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity {
    try find(location).identity(of: location)
  }
}

extension Rollback {
  /// Describes a rollback of a place, `[kind:]place`.
  public init(_ store: String) {
    self.init(StoreKinds.location(store), recogniser: StoreKinds.known)
  }
}
