public import DecantBase
public import DecantStore

/// Tells stores of one kind from those of another: the list of kinds, which the engine itself does not
/// know.
public protocol StoreRecogniser: Sendable {
  /// Returns the kind of the store at `location`, as its content tells, whatever else is wrong with it.
  func kind(of location: StoreLocation) throws(DecantError) -> String

  /// Returns what names the store at `location`, whose own system tables must be there.
  func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity
}
