extension StoreIdentity: Encodable {
  /// Encodes kind, place and identifier, as reports name the store; no password in an address.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(members).encode(to: encoder)
  }

  /// The store as reports name it.
  package var members: [(String, any Encodable)] {
    [("kind", kind), ("place", place.withoutPasswords), ("uuid", uuid)]
  }
}
