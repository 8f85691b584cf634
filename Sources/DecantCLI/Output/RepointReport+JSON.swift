internal import Decant
internal import JSON

extension RepointReport {
  /// The report as scripts read it; values of references only where they are asked for.
  func json(showsValues: Bool) -> JSONValue {
    .document(
      "repoint",
      [
        ("store", store.json([])),
        ("target", target.map { $0.json([]) } ?? .null),
        ("idTable", .optional(idTable)), ("toIdentity", .bool(isToIdentity)),
        ("places", .array(places.map { $0.json(showsValues) })), ("objects", .integer(objectCount)),
        ("backup", .optional(backup)), ("verified", .bool(isVerified)), ("dryRun", .bool(isDryRun)),
      ],
      notes: notes
    )
  }
}

extension RepointReport.Place {
  fileprivate func json(_ showsValues: Bool) -> JSONValue {
    .object([
      ("at", .string(name)), ("references", .integer(count)), ("changed", .integer(changedCount)),
      ("settled", .integer(settledCount)),
      (
        "kept",
        .object(kept.map { ($0.reason.rawValue, .integer($0.count)) })
      ),
      (
        "examples",
        .array(kept.flatMap { kept in kept.examples.map { $0.json(kept.reason, showsValues) } })
      ),
    ])
  }
}

extension RepointReport.Example {
  fileprivate func json(_ reason: RepointReport.Reason, _ showsValue: Bool) -> JSONValue {
    .object([
      ("entity", .string(entity)), ("key", .integer(key)), ("reason", .string(reason.rawValue)),
      ("value", .optional(showsValue ? value : nil)),
    ])
  }
}
