internal import Decant
internal import JSON

extension RepointReport {
  /// The report as scripts read it; values of references only where they are asked for.
  func json(showsValues: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("decant", .string("1.0")), ("verb", .string("repoint")), ("store", store.json([])),
      ("target", target.map { $0.json([]) } ?? .null),
      ("idTable", idTable.map { .string($0) } ?? .null), ("toIdentity", .bool(isToIdentity)),
      ("places", .array(places.map { $0.json(showsValues) })), ("objects", .integer(objectCount)),
      ("backup", backup.map { .string($0) } ?? .null), ("verified", .bool(isVerified)),
    ]
    if isDryRun { members.append(("dryRun", .bool(true))) }
    members.append(("notes", .array(notes.map { .string($0) })))
    return .object(members)
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
    var members: [(String, JSONValue)] = [
      ("entity", .string(entity)), ("key", .integer(key)), ("reason", .string(reason.rawValue)),
    ]
    if showsValue { members.append(("value", .string(value))) }
    return .object(members)
  }
}
