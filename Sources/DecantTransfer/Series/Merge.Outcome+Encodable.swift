internal import DecantBase
internal import DecantStore

extension Merge.Outcome: Encodable {
  /// Encodes the document of `decant merge`: the report of a single source; of several sources their reports, the
  /// sources left, those skipped, and the failure.
  public func encode(to encoder: any Encoder) throws {
    if reports.count == 1, left.isEmpty, skipped.isEmpty, failure == nil { return try reports[0].encode(to: encoder) }
    try DocumentMembers(
      "merge",
      [
        ("merges", reports), ("notMerged", left.map(\.place.withoutPasswords)),
        (
          "skipped",
          skipped.map { DocumentMembers([("source", $0.source.place.withoutPasswords), ("merged", $0.merged)]) }
        ),
        ("failure", failure.map { DocumentMembers($0.members(\.commandLine)) }),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension Merge.Outcome: CountedReport {
  package var counts: [(String, any Encodable)] {
    [
      ("copied", reports.reduce(0) { $0 + $1.copiedCount }), ("rejected", reports.reduce(0) { $0 + $1.rejectedCount }),
      ("verified", reports.allSatisfy(\.isVerified)), ("notMerged", left.count),
    ]
  }
}
