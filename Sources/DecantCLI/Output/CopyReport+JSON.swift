internal import Decant
internal import JSON

extension CopyReport {
  /// The report as the one JSON document that scripts read.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("decant", .string("1.0")), ("verb", .string(verb)),
      ("source", source.json([("fingerprint", .string(sourceFingerprint))])),
      ("destination", destination.json([])),
      ("entities", .object(entities.map { ($0.name, $0.json) })),
      ("links", knowsLinks ? links.json : .null), ("linksByRelationship", relationshipsJSON),
      (
        "files",
        .object([("copied", .integer(files.copied)), ("missing", .integer(files.missing))])
      ),
      ("phases", .object(phases.map { ($0.phase.rawValue, .number($0.seconds)) })),
      ("peakMemoryBytes", .integer(peakMemoryByteCount)),
    ]
    if !rejectedByCode.isEmpty {
      let counts = rejectedByCode.sorted { $0.key.rawValue < $1.key.rawValue }
      members.append(("rejected", .object(counts.map { ($0.key.rawValue, .integer($0.value)) })))
    }
    if let rejectsFile { members.append(("rejects", .string(rejectsFile))) }
    if let idTableFile { members.append(("idTable", .string(idTableFile))) }
    members.append(("verified", .bool(isVerified)))
    if isPartial { members.append(("partial", .bool(true))) }
    if isDryRun {
      members.append(("dryRun", .bool(true)))
      members.append(("plan", .array(plan.map(\.json))))
      if !definitions.isEmpty {
        members.append(("mapping", .array(definitions.map { .string($0) })))
      }
      if let planHash { members.append(("planHash", .string(planHash))) }
      if let closure { members.append(("closure", closure.json)) }
    }
    if removedLinkCount > 0 { members.append(("linksRemoved", .integer(removedLinkCount))) }
    if conflictCount > 0 {
      members.append(("conflictCount", .integer(conflictCount)))
      members.append(("conflicts", .array(conflicts.map(\.json))))
    }
    for (name, list) in [("unread", unread), ("remarks", remarks), ("passedOver", passedOver)]
    where !list.isEmpty {
      members.append((name, .array(list.map(\.json))))
    }
    if !explanation.isEmpty {
      members.append(("why", .array(explanation.map { .string($0) })))
    }
    if !notes.isEmpty { members.append(("notes", .array(notes.map { .string($0) }))) }
    return .object(members)
  }

  private var relationshipsJSON: JSONValue {
    .object(linksByRelationship.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
  }
}

extension StoreIdentity {
  /// The store as reports name it.
  func json(_ more: [(String, JSONValue)]) -> JSONValue {
    var members: [(String, JSONValue)] = [("kind", .string(kind)), ("place", .string(place))]
    if let uuid { members.append(("uuid", .string(uuid))) }
    return .object(members + more)
  }
}

extension EntityReport {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("source", .integer(source)), ("copied", .integer(copied)), ("updated", .integer(updated)),
      ("skipped", .integer(skipped)), ("filtered", .integer(filtered)),
      ("rejected", .integer(rejected)), ("bytes", byteCount.map { .integer($0) } ?? .null),
      ("hash", hash.map { .string($0) } ?? .null),
    ]
    if stubs > 0 { members.append(("stubs", .integer(stubs))) }
    if let merge {
      members.append(
        (
          "merge",
          .object([
            ("new", .integer(copied - merge.keptBoth)), ("same", .integer(merge.same)),
            ("changed", .integer(merge.changed)), ("keptBoth", .integer(merge.keptBoth)),
            ("duplicate", .integer(merge.duplicate)),
          ])
        )
      )
    }
    return .object(members)
  }
}

extension CopyReport.Conflict {
  fileprivate var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("source", .integer(source)),
      ("destination", .integer(destination)), ("copy", .integer(copy)),
      ("kind", .string(isChanged ? "changed" : "added")),
    ])
  }
}

extension CopyReport.Unread {
  fileprivate var json: JSONValue {
    .object([
      ("file", .string(file)), ("entry", entry.map { .string($0) } ?? .null),
      ("reason", .string(reason)),
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
      ("step", .string(name)), ("ids", idForm.map { .string($0) } ?? .null),
      ("rows", .integer(rowCount)), ("statement", .string(statement)),
    ])
  }
}
