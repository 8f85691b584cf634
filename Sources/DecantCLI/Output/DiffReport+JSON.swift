internal import Decant
internal import JSON

extension DiffReport {
  /// The report as the one JSON document that scripts read.
  var json: JSONValue {
    .document(
      "diff",
      [
        ("a", a.json([])), ("b", b.json([])),
        ("entities", .object(entities.map { ($0.name, $0.json) })),
        ("rows", .object(rows.map { ($0.name, $0.json) })), ("equal", .bool(isEqual)),
        ("differences", .array(differences.map(\.json))), ("truncated", .bool(isCutOff)),
        ("schema", .array(schema.map(\.json))), ("schemaCount", .integer(schemaCount)),
      ],
      notes: notes
    )
  }
}

extension DiffReport.Entity {
  fileprivate var json: JSONValue {
    .object([
      ("same", .integer(same)), ("changed", .integer(changed)), ("onlyA", .integer(onlyInA)),
      ("onlyB", .integer(onlyInB)), ("matchedBy", .string(matchedBy.rawValue)),
    ])
  }
}

extension DiffReport.Rows {
  fileprivate var json: JSONValue {
    .object([
      ("same", .integer(same)), ("changed", .integer(changed)), ("onlyA", .integer(onlyInA)),
      ("onlyB", .integer(onlyInB)),
    ])
  }
}

extension DiffReport.Item {
  fileprivate var json: JSONValue {
    let values = changes.compactMap { change in
      change.valueInA.flatMap { a in
        change.valueInB.map { b in
          (change.property, JSONValue.object([("a", .string(a)), ("b", .string(b))]))
        }
      }
    }
    return .object([
      ("entity", .string(entity)), ("kind", .string(kind.word)), ("a", .list(keysInA)),
      ("b", .list(keysInB)), ("properties", .list(changes.map(\.property))),
      ("values", .object(values)),
    ])
  }
}

extension SchemaDifference {
  /// The difference as scripts read it.
  var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("name", .string(name)), ("change", .string(change.word)),
      ("count", count.map(JSONValue.integer) ?? .null), ("text", .string(text("A", "B"))),
    ])
  }
}

extension DiffReport.Item.Kind {
  /// The word for it in JSON.
  fileprivate var word: String {
    switch self {
    case .changed: "changed"
    case .onlyInA: "onlyA"
    case .onlyInB: "onlyB"
    }
  }
}
