extension DecantError: Encodable {
  /// Encodes `code`, `what`, `where`, `remedy`, `remedies` and `contexts`, with the texts for an app.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(members(\.description)).encode(to: encoder)
  }

  /// Returns the members of an error in a document; `words` turns a text into a string.
  package func members(_ words: (Text) -> String) -> [(String, any Encodable)] {
    [
      ("code", code.rawValue), ("what", words(what)), ("where", spot.map(words)), ("remedy", advice.map(words)),
      ("remedies", remedies), ("contexts", contexts),
    ]
  }
}
