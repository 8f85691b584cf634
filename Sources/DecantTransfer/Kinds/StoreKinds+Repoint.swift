internal import DecantCoreData
package import DecantBase
public import DecantMaintain
package import DecantPlan
package import DecantStore

extension StoreKinds: EditableStoreOpener {
  /// The URIs of Core Data's objects: no other kind of store names its objects in one text.
  package var notation: any ReferenceNotation { ObjectURIs() }

  /// Opens the store at `location`, which is to be changed in place.
  ///
  /// - Parameters:
  ///   - location: Where the store is; its kind may be left out.
  ///   - models: Models to read it with, where it does not hold its own; the first that explains it is taken.
  ///   - writesMirrored: Whether one that CloudKit mirrors is opened all the same.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` for what is no database,
  ///   `.modelMismatch` where the model of a Core Data store cannot be had, `.usage` for a kind of store
  ///   that is not changed in place.
  package func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
  {
    try find(location)
      .openEditable(location, models: models, writesMirrored: writesMirrored)
  }
}

extension Repoint {
  /// Describes a re-pointing of what stands at `places` of the store named `store`, as `[kind:]place`.
  public init(_ store: String, at places: [ReferencePlace]) {
    self.init(StoreKinds.location(store), at: places, opener: StoreKinds.known)
  }

  /// Names the store whose objects the references are to lead to, as `[kind:]place`.
  public mutating func lead(to store: String) { target = StoreKinds.location(store) }
}
