internal import Decant
internal import JSON

extension CheckReport {
  /// The result as scripts read it.
  var json: JSONValue {
    .document(
      "check",
      [
        ("store", store.json([])),
        ("version", version?.json ?? .null), ("modelOrigin", .optional(modelOrigin)),
        (
          "against",
          .object([("place", .string(targetPlace)), ("version", .string(target))])
        ),
        ("sameHashes", hasSameHashes.map { .bool($0) } ?? .null),
        ("migration", .string(migration.rawValue)), ("beyondCoreData", .bool(isBeyondCoreData)),
        ("straight", .optional(straightDemand?.rawValue)),
        ("obstacle", obstacle?.json ?? .null),
        ("steps", .array(steps.map(\.json))),
      ],
      notes: notes
    )
  }
}

extension RecognisedVersion {
  fileprivate var json: JSONValue {
    .object([("name", .string(name)), ("by", .string(evidence.rawValue))])
  }
}

extension DecantError {
  fileprivate var json: JSONValue {
    .object([
      ("code", .string(code.name)), ("message", .string(message)), ("place", .optional(place)),
      ("remedy", .optional(remedy)),
    ])
  }
}

extension ModelChange {
  fileprivate var json: JSONValue {
    .object([
      ("change", .string(kind.rawValue)), ("subject", .string(subject)),
      ("asksFor", .string(demand.rawValue)), ("text", .string(text)),
      ("count", .optional(count)), ("examples", .list(examples)),
    ])
  }
}

extension CheckReport.Step {
  fileprivate var json: JSONValue {
    .object([
      ("from", .string(from)), ("to", .string(to)), ("asksFor", .string(demand.rawValue)),
      ("changes", .array(changes.map(\.json))),
      ("mappingModels", .list(mappingModels)),
    ])
  }
}
