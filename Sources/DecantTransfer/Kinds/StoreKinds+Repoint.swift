internal import DecantCoreData
package import DecantBase
public import DecantMaintain
package import DecantPlan
package import DecantStore

extension StoreKinds: EditableStoreOpener {
  /// The notation of Core Data object URIs: no other kind of store names its objects in one text.
  package var notation: any ReferenceNotation { ObjectURIs() }

  /// Opens the store at `location` to change it in place.
  ///
  /// - Parameters:
  ///   - location: The place of the store; its kind may be omitted.
  ///   - models: Models for a store that does not contain its own; the first that fits is used.
  ///   - writesMirrored: Whether to open a store that CloudKit mirrors.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` if it is not a database, `.modelMismatch`
  ///   if the model of a Core Data store is not available, `.usage` for a kind of store that is not changed in place.
  package func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
  {
    try find(location)
      .openEditable(location, models: models, writesMirrored: writesMirrored)
  }
}

extension Repoint {
  /// Describes a re-pointing of the references at `places` of the store named `store`, as `[kind:]place`.
  public init(_ store: String, at places: [ReferencePlace]) {
    self.init(StoreKinds.location(store), at: places, opener: StoreKinds.known)
  }

  /// Sets the store whose objects the references should point to, as `[kind:]place`.
  public mutating func lead(to store: String) { target = StoreKinds.location(store) }
}
