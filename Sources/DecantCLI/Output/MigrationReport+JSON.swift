internal import Decant
internal import JSON

extension MigrationReport {
  /// The report as scripts read it.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("decant", .string("1.0")), ("verb", .string("migrate")),
      ("outcome", .string(outcome.rawValue)), ("store", store.json([])),
      (
        "from",
        .object([
          ("place", .string(origin ?? store.place)),
          ("version", check.version.map { .string($0.name) } ?? .null),
        ])
      ),
      (
        "to",
        .object([
          ("place", .string(check.targetPlace)), ("version", .string(check.target)),
        ])
      ),
      ("migration", .string(check.migration.rawValue)),
      ("plan", .array(stages.map(\.json))), ("copies", .array(copies.map(\.json))),
      ("backup", backup.map { .string($0) } ?? .null),
      ("removed", .array(removed.map { .string($0) })), ("fellBack", .bool(fellBack)),
      ("settled", settled.map { .string($0) } ?? .null), ("seconds", .number(seconds)),
      ("peakMemoryBytes", .integer(peakMemoryByteCount)), ("verified", .bool(isVerified)),
    ]
    if isDryRun { members.append(("dryRun", .bool(true))) }
    members.append(("notes", .array(notes.map { .string($0) })))
    return .object(members)
  }
}

extension MigrationStage.Summary {
  var json: JSONValue {
    let by: (String, String?) =
      switch origin {
      case .inferred: ("models", nil)
      case .mappingFile(let path): ("mapping", path)
      case .mappingModel(let path): ("mappingModel", path)
      }
    return .object([
      ("versions", .array(versions.map { .string($0) })), ("by", .string(by.0)),
      ("file", by.1.map { .string($0) } ?? .null),
      ("besides", .array(besides.map { .string($0) })),
    ])
  }
}
