internal import DecantBase
public import DecantPlan

extension CleanReport: Encodable {
  /// Encodes the document of `decant clean`.
  public func encode(to encoder: any Encoder) throws {
    let bytes = DocumentMembers([("before", byteCountBefore), ("after", byteCountAfter)])
    try DocumentMembers(
      "clean",
      [
        ("store", store), ("what", kinds), ("removed", removed), ("freePages", freePageCount),
        ("bytes", bytes), ("backup", backup), ("verified", isVerified), ("dryRun", isDryRun),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension SyncMetadataRemoval: Encodable {
  /// Encodes the removed layer, and the names of its counters.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(layer.members + [("counters", counters.map(\.name))]).encode(to: encoder)
  }
}
