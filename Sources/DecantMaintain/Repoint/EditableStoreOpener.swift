package import DecantBase
package import DecantPlan
package import DecantStore

/// Opens what re-pointing needs: the list of kinds, which the engine itself does not know.
package protocol EditableStoreOpener: StoreOpener {
  /// How references are written that name store, entity and key.
  var notation: any ReferenceNotation { get }

  /// Opens the store at `location`, which is to be changed in place.
  ///
  /// - Parameters:
  ///   - location: Where the store is.
  ///   - models: Models to read it with, where it does not hold its own.
  ///   - writesMirrored: Whether one that a service mirrors is opened all the same.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError`; no store there, damaged, without model, or one that cannot be changed.
  func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
}
