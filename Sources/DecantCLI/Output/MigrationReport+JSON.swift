internal import Decant
internal import JSON

extension MigrationReport {
  /// The report as scripts read it.
  var json: JSONValue {
    .document(
      "migrate",
      [
        ("outcome", .string(outcome.rawValue)), ("store", store.json([])),
        (
          "from",
          .object([
            ("place", .string(origin ?? store.place)),
            ("version", .optional(check.version?.name)),
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
        ("backup", .optional(backup)), ("removed", .list(removed)), ("fellBack", .bool(fellBack)),
        ("settled", .optional(settled)), ("seconds", .number(seconds)),
        ("peakMemoryBytes", .integer(peakMemoryByteCount)), ("verified", .bool(isVerified)),
        ("dryRun", .bool(isDryRun)),
      ],
      notes: notes
    )
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
      ("versions", .list(versions)), ("by", .string(by.0)), ("file", .optional(by.1)),
      ("besides", .list(besides)),
    ])
  }
}
