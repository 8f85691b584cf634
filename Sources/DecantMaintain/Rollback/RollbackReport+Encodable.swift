internal import DecantBase

extension RollbackReport: Encodable {
  /// Encodes the document of `decant rollback`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "rollback",
      [
        ("store", store), ("outcome", outcome.rawValue), ("putBack", putBack),
        ("written", writtenText), ("backup", backup),
        ("removed", DocumentMembers(removed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })),
        ("dryRun", isDryRun),
      ],
      notes: notes
    ).encode(to: encoder)
  }

  /// The time of the last write to the restored store, as text; `nil` if it is unknown.
  package var writtenText: String? { writtenDate.flatMap { DateText.text(of: $0) } }
}
