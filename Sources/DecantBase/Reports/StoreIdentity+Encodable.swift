extension StoreIdentity: Encodable {
  /// Encodes the kind, the place without passwords, and the identifier.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(members).encode(to: encoder)
  }

  /// The members of the store's identity in reports.
  package var members: [(String, any Encodable)] {
    [("kind", kind), ("place", place.withoutPasswords), ("uuid", uuid)]
  }
}
