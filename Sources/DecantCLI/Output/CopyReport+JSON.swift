internal import Decant
internal import JSON

extension CopyReport {
  /// The report as the one JSON document that scripts read.
  var json: JSONValue {
    .document(
      verb,
      [
        ("source", source.json([("fingerprint", .string(sourceFingerprint))])),
        ("destination", destination.json([])),
        ("entities", .object(entities.map { ($0.name, $0.json) })),
        ("links", knowsLinks ? links.json : .null), ("linksByRelationship", relationshipsJSON),
        (
          "files",
          .object([("copied", .integer(files.copied)), ("missing", .integer(files.missing))])
        ),
        ("phases", .object(phases.map { ($0.phase.rawValue, .number($0.seconds)) })),
        ("peakMemoryBytes", .integer(peakMemoryByteCount)), ("rejected", rejectedJSON),
        ("rejects", .optional(rejectsFile)), ("idTable", .optional(idTableFile)),
        ("verified", .bool(isVerified)), ("partial", .bool(isPartial)),
        ("dryRun", .bool(isDryRun)), ("plan", .array(plan.map(\.json))),
        ("mapping", .list(definitions)), ("planHash", .optional(planHash)),
        ("closure", closure?.json ?? .null), ("linksRemoved", .integer(removedLinkCount)),
        ("partsRemoved", .integer(removedPartCount)),
        ("objectsRemoved", .integer(removedObjectCount)),
        ("preview", .array(preview.map(\.json))),
        ("conflictCount", .integer(conflictCount)),
        ("conflicts", .array(conflicts.map(\.json))), ("unread", .array(unread.map(\.json))),
        ("remarks", .array(remarks.map(\.json))), ("passedOver", .array(passedOver.map(\.json))),
        ("why", .list(explanation)),
      ],
      notes: notes
    )
  }

  private var rejectedJSON: JSONValue {
    let counts = rejectedByCode.sorted { $0.key.rawValue < $1.key.rawValue }
    return .object(counts.map { ($0.key.rawValue, .integer($0.value)) })
  }

  private var relationshipsJSON: JSONValue {
    .object(linksByRelationship.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
  }
}

extension StoreIdentity {
  /// The store as reports name it.
  func json(_ more: [(String, JSONValue)]) -> JSONValue {
    .object(
      [("kind", .string(kind)), ("place", .string(place)), ("uuid", .optional(uuid))] + more
    )
  }
}

extension EntityReport {
  fileprivate var json: JSONValue {
    .object([
      ("source", .integer(source)), ("copied", .integer(copied)), ("updated", .integer(updated)),
      ("skipped", .integer(skipped)), ("filtered", .integer(filtered)),
      ("rejected", .integer(rejected)), ("stubs", .integer(stubs)),
      ("bytes", .optional(byteCount)), ("hash", .optional(hash)),
      (
        "merge",
        merge.map { merge in
          .object([
            ("new", .integer(copied - merge.keptBoth)), ("same", .integer(merge.same)),
            ("changed", .integer(merge.changed)), ("keptBoth", .integer(merge.keptBoth)),
            ("duplicate", .integer(merge.duplicate)), ("notAdded", .integer(merge.notAdded)),
            ("pairedBy", .array(merge.pairings.map(\.json))),
          ])
        } ?? .null
      ),
    ])
  }
}

extension EntityReport.Pairing {
  fileprivate var json: JSONValue {
    .object([
      ("by", .string(way.rawValue)), ("names", .array(names.map { .string($0) })),
      ("rank", rank.map { .integer(Int64($0)) } ?? .null), ("found", .bool(isFound)),
      ("count", .integer(count)),
    ])
  }
}

extension CopyReport.Conflict {
  fileprivate var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("source", .optional(source)),
      ("destination", .optional(destination)), ("copy", .optional(copy)),
      ("key", key.map { .raw($0) } ?? .null),
      ("properties", .list(properties)),
      ("kind", .string(isChanged.map { $0 ? "changed" : "added" } ?? "pair")),
    ])
  }
}

extension CopyReport.Unread {
  fileprivate var json: JSONValue {
    .object([
      ("file", .string(file)), ("entry", .optional(entry)), ("reason", .string(reason)),
    ])
  }
}

extension LinkCounts {
  fileprivate var json: JSONValue {
    .object([
      ("copied", .integer(copied)), ("cut", .integer(cut)), ("dangling", .integer(dangling)),
    ])
  }
}

extension CopyReport.PlanStep {
  fileprivate var json: JSONValue {
    .object([
      ("step", .string(name)), ("ids", .optional(idForm)),
      ("rows", .integer(rowCount)), ("statement", .string(statement)),
    ])
  }
}
