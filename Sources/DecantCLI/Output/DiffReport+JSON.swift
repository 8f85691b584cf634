internal import Decant
internal import JSON

extension DiffReport {
  /// The report as the one JSON document that scripts read.
  var json: JSONValue {
    .object([
      ("decant", .string("1.0")), ("verb", .string("diff")), ("a", a.json([])), ("b", b.json([])),
      ("entities", .object(entities.map { ($0.name, $0.json) })),
      ("rows", .object(rows.map { ($0.name, $0.json) })), ("equal", .bool(isEqual)),
      ("differences", .array(differences.map(\.json))), ("truncated", .bool(isCutOff)),
      ("notes", .array(notes.map { .string($0) })),
    ])
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
    var members: [(String, JSONValue)] = [
      ("entity", .string(entity)), ("kind", .string(kind.word)),
    ]
    if !keysInA.isEmpty { members.append(("a", .array(keysInA.map { .integer($0) }))) }
    if !keysInB.isEmpty { members.append(("b", .array(keysInB.map { .integer($0) }))) }
    guard kind == .changed else { return .object(members) }
    members.append(("properties", .array(changes.map { .string($0.property) })))
    let values = changes.compactMap { change in
      change.valueInA.flatMap { a in
        change.valueInB.map { b in
          (change.property, JSONValue.object([("a", .string(a)), ("b", .string(b))]))
        }
      }
    }
    if !values.isEmpty { members.append(("values", .object(values))) }
    return .object(members)
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
