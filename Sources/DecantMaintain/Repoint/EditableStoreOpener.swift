package import DecantBase
package import DecantPlan
package import DecantStore

/// Opens stores for re-pointing; the engine itself does not know the kinds of stores.
package protocol EditableStoreOpener: StoreOpener {
  /// The notation of references that name store, entity and key.
  var notation: any ReferenceNotation { get }

  /// Opens the store at `location` to change it in place.
  ///
  /// - Parameters:
  ///   - location: The place of the store.
  ///   - models: Models to read it, if it does not contain its own.
  ///   - writesMirrored: Whether a store that is mirrored by a service is opened anyway.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError` if the store is missing, damaged, without model, or cannot be changed.
  func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
}
