internal import DecantBase

extension RollbackReport: Encodable {
  /// Encodes the document of `decant rollback`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "rollback",
      [
        ("store", store), ("outcome", outcome.rawValue), ("putBack", putBack),
        ("written", writtenText), ("backup", backup),
      ],
      notes: notes
    ).encode(to: encoder)
  }

  /// The time of the last write to the restored store, as text; `nil` if it is unknown.
  package var writtenText: String? { writtenDate.flatMap { DateText.text(of: $0) } }
}
