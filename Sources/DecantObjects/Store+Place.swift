public import DecantBase
internal import DecantTransfer

/// Stores by their places as the command line has them: `Kitchen.sqlite`, `sqlite:notes.db`.
extension Store {
  /// Opens the store at `[kind:]place`.
  public convenience init(_ place: String, model: String? = nil) throws(DecantError) {
    try self.init(StoreKinds.location(place), model: model)
  }

  /// Opens the store at `[kind:]place`, on a thread of its own.
  public convenience init(_ place: String, model: String? = nil) async throws(DecantError) {
    try await self.init(StoreKinds.location(place), model: model)
  }
}
