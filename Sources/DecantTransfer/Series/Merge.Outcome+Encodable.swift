internal import DecantBase
internal import DecantStore

extension Merge.Outcome: Encodable {
  /// Encodes the document of `decant merge` with several sources: their reports, the sources left, and the failure.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "merge",
      [
        ("merges", reports), ("notMerged", left.map(\.place.withoutPasswords)),
        ("failure", failure.map { DocumentMembers($0.members(\.commandLine)) }),
      ],
      notes: []
    ).encode(to: encoder)
  }
}
