public import DecantBase
internal import DecantTransfer

/// Stores given by their places as on the command line: `Kitchen.sqlite`, `sqlite:notes.db`.
extension Store {
  /// Opens the store at `[kind:]place`.
  public convenience init(_ place: String, model: String? = nil) throws(DecantError) {
    try self.init(StoreKinds.location(place), model: model)
  }

  /// Opens the store at `[kind:]place`, on a separate thread.
  public convenience init(_ place: String, model: String? = nil) async throws(DecantError) {
    try await self.init(StoreKinds.location(place), model: model)
  }
}
