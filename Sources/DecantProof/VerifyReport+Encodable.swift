internal import DecantMatch
internal import DecantBase

extension VerifyReport: Encodable {
  /// Encodes the document of `decant verify`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "verify",
      [
        ("source", source), ("destination", destination), ("matchedBy", matchedBy.rawValue),
        ("entities", DocumentMembers(entities.map { ($0.name, $0) })),
        ("rejected", rejectedCount), ("equal", isEqual), ("differences", differences),
        ("truncated", isCutOff), ("schema", schema), ("schemaCount", schemaCount),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension VerifyReport.Entity: Encodable {
  /// Encodes the counts; the report encodes the name as their key.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("source", source), ("expected", expected), ("matchedBy", matchedBy.rawValue),
    ]).encode(to: encoder)
  }
}

extension Difference: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let (word, changed, text): (String, [String], String?) =
      switch kind {
      case .missing: ("missing", [], nil)
      case .added: ("added", [], nil)
      case .misbooked(let what): ("misbooked", [], what)
      case .changed(let properties): ("changed", properties, nil)
      }
    try DocumentMembers([
      ("entity", entity), ("ids", keys), ("kind", word), ("properties", changed), ("text", text),
    ]).encode(to: encoder)
  }
}
