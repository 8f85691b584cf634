internal import DecantJSON

extension CopyReport: Encodable {
  /// Encodes the document of `decant copy`, and of every other verb that copies.
  public func encode(to encoder: any Encoder) throws {
    let source = DocumentMembers(source.members + [("fingerprint", sourceFingerprint)])
    let links = knowsLinks ? links : nil
    try DocumentMembers(
      verb,
      [
        ("source", source), ("destination", destination),
        ("entities", DocumentMembers(entities.map { ($0.name, $0) })), ("links", links),
        ("linksByRelationship", linkMembers),
        ("files", files),
        ("phases", DocumentMembers(phases.map { ($0.phase.rawValue, $0.seconds) })),
        ("peakMemoryBytes", peakMemoryByteCount), ("rejected", rejectedMembers),
        ("rejects", rejectsFile), ("idTable", idTableFile), ("verified", isVerified),
        ("partial", isPartial), ("dryRun", isDryRun), ("schema", creation), ("plan", plan), ("mapping", definitions),
        ("planHash", planHash), ("closure", closure), ("linksRemoved", removedLinkCount),
        ("partsRemoved", removedPartCount), ("objectsRemoved", removedObjectCount),
        ("preview", preview), ("conflictCount", conflictCount), ("conflicts", conflicts),
        ("corrections", corrections),
        ("correctionCount", correctionCount), ("recipes", recipes), ("unread", unread), ("remarks", remarks),
        ("passedOver", passedOver),
        ("why", explanation),
      ],
      notes: notes
    ).encode(to: encoder)
  }

  private var linkMembers: DocumentMembers {
    DocumentMembers(linksByRelationship.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  private var rejectedMembers: DocumentMembers {
    let counts = rejectedByCode.sorted { $0.key.rawValue < $1.key.rawValue }
    return DocumentMembers(counts.map { ($0.key.rawValue, $0.value) })
  }
}

extension EntityReport: Encodable {
  /// Encodes the counts; the report of the copy adds the name.
  public func encode(to encoder: any Encoder) throws {
    let merged = merge.map { merge in
      DocumentMembers([
        ("new", copied - merge.keptBoth), ("same", merge.same), ("changed", merge.changed),
        ("keptBoth", merge.keptBoth), ("duplicate", merge.duplicate),
        ("notAdded", merge.notAdded), ("pairedBy", merge.pairings),
      ])
    }
    try DocumentMembers([
      ("source", source), ("copied", copied), ("updated", updated), ("skipped", skipped),
      ("filtered", filtered), ("rejected", rejected), ("stubs", stubs), ("bytes", byteCount),
      ("hash", hash), ("merge", merged),
    ]).encode(to: encoder)
  }
}

extension EntityReport.Pairing: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("by", way.rawValue), ("names", names), ("rank", rank), ("found", isFound), ("count", count),
    ]).encode(to: encoder)
  }
}

extension CopyReport.Conflict: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("entity", entity), ("source", source), ("destination", destination), ("copy", copy),
      ("key", key.map { JSONValue.raw($0) }), ("title", title), ("properties", properties),
      ("kind", isChanged.map { $0 ? "changed" : "added" } ?? "pair"),
    ]).encode(to: encoder)
  }
}

extension CopyReport.Correction: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("entity", entity), ("title", title), ("field", field), ("before", before), ("after", after),
    ]).encode(to: encoder)
  }
}

extension CopyReport.Unread: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("file", file), ("entry", entry), ("reason", reason), ("confidence", confidence)])
      .encode(to: encoder)
  }
}

extension CopyReport.PlanStep: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("step", name), ("ids", idForm), ("rows", rowCount), ("statement", statement),
    ]).encode(to: encoder)
  }
}

extension CopyReport.Preview: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("outcome", outcome.rawValue), ("entity", entity), ("count", count), ("objects", objects),
    ]).encode(to: encoder)
  }
}

extension CopyReport.Preview.Object: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("key", JSONValue.raw(key)), ("title", title)]).encode(to: encoder)
  }
}
