public import DecantBase
public import DecantMaintain
public import DecantPlan
public import DecantStore

extension StoreKinds: StoreRecogniser {
  /// Returns the kind of the store at `location`: the named one, or else the one detected from its content.
  public func kind(of location: StoreLocation) throws(DecantError) -> String {
    try find(location).name
  }

  /// Returns the identity of the store at `location`, without reading its objects.
  ///
  /// - Parameter location: The place of the store; its kind may be omitted.
  /// - Returns: Kind, place and, for a Core Data store, its identifier.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` if it is not a store of its kind.
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
