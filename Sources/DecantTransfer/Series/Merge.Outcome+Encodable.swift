internal import DecantBase
internal import DecantStore

extension Merge.Outcome: Encodable {
  /// Encodes the document of `decant merge` with several sources: a report for each, and the sources that are left.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "merge",
      [("merges", reports), ("notMerged", left.map(\.place.withoutPasswords))],
      notes: []
    ).encode(to: encoder)
  }
}
