package import DecantBase
package import DecantStore

/// A recogniser of the kinds of stores: it knows the kinds, the engine does not.
package protocol StoreRecogniser: Sendable {
  /// Returns the kind of the store at `location` by its content, even if the store has problems.
  func kind(of location: StoreLocation) throws(DecantError) -> String

  /// Returns the identity of the store at `location`, whose system tables must exist.
  func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity
}
