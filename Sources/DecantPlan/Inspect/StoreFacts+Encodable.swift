internal import DecantBase

extension SyncMetadataLayer: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(members).encode(to: encoder)
  }

  /// The members of the layer in documents.
  package var members: [(String, any Encodable)] {
    [("kind", kind), ("metadataKeys", metadataKeys), ("tables", tables)]
  }
}

extension SyncMetadataLayer.Table: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("name", name), ("holds", noun), ("rows", rowCount)]).encode(to: encoder)
  }
}

extension StoreProblem: Encodable {
  public func encode(to encoder: any Encoder) throws { try DocumentMembers(members).encode(to: encoder) }

  /// The members of the problem in documents.
  package var members: [(String, any Encodable)] {
    [("problem", kind.rawValue), ("subject", subject), ("count", count), ("text", text)]
  }
}
