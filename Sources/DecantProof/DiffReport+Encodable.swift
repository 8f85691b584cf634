internal import DecantMatch
internal import DecantBase

extension DiffReport: Encodable {
  /// Encodes the document of `decant diff`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "diff",
      [
        ("a", a), ("b", b), ("entities", DocumentMembers(entities.map { ($0.name, $0) })),
        ("rows", DocumentMembers(rows.map { ($0.name, $0) })), ("equal", isEqual),
        ("differences", differences), ("truncated", isCutOff), ("schema", schema),
        ("schemaCount", schemaCount),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension DiffReport.Entity: Encodable {
  /// Encodes the counts; the report encodes the name as their key.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("same", same), ("changed", changed), ("onlyA", onlyInA), ("onlyB", onlyInB),
      ("matchedBy", matchedBy.rawValue),
    ]).encode(to: encoder)
  }
}

extension DiffReport.Rows: Encodable {
  /// Encodes the counts; the report encodes the name as their key.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("same", same), ("changed", changed), ("onlyA", onlyInA), ("onlyB", onlyInB),
    ]).encode(to: encoder)
  }
}

extension DiffReport.Item: Encodable {
  /// Encodes keys and properties, and values if both are present.
  public func encode(to encoder: any Encoder) throws {
    let values: [(String, any Encodable)] = changes.compactMap { change in
      guard let a = change.valueInA, let b = change.valueInB else { return nil }
      return (change.property, DocumentMembers([("a", a), ("b", b)]))
    }
    try DocumentMembers([
      ("entity", entity), ("kind", kind.word), ("a", keysInA), ("b", keysInB),
      ("properties", changes.map(\.property)), ("values", DocumentMembers(values)),
    ]).encode(to: encoder)
  }
}

extension SchemaDifference: Encodable {
  /// Encodes the difference; its text calls the stores A and B.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("kind", kind.rawValue), ("name", name), ("change", change.word), ("count", count),
      ("text", text("A", "B")),
    ]).encode(to: encoder)
  }
}

extension DiffReport.Item.Kind {
  /// The word for the kind in documents.
  fileprivate var word: String {
    switch self {
    case .changed: "changed"
    case .onlyInA: "onlyA"
    case .onlyInB: "onlyB"
    }
  }
}
