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

  /// When what was put back had been written last, as people write it; `nil` where nobody can tell.
  package var writtenText: String? { writtenDate.flatMap { DateText.text(of: $0) } }
}
