internal import DecantBase

extension RepointReport: Encodable {
  /// Encodes the document of `decant repoint`; values of references only if `showsValues` is set.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "repoint",
      [
        ("store", store), ("target", target), ("idTable", idTable), ("toIdentity", isToIdentity),
        ("places", places.map(members)), ("objects", objectCount), ("backup", backup),
        ("verified", isVerified), ("dryRun", isDryRun),
      ],
      notes: notes
    ).encode(to: encoder)
  }

  private func members(of place: Place) -> DocumentMembers {
    let examples = place.kept.flatMap { kept in
      kept.examples.map { example in
        DocumentMembers([
          ("entity", example.entity), ("key", example.key), ("reason", kept.reason.rawValue),
          ("value", showsValues ? example.value : nil),
        ])
      }
    }
    return DocumentMembers([
      ("at", place.name), ("references", place.count), ("changed", place.changedCount),
      ("settled", place.settledCount),
      ("kept", DocumentMembers(place.kept.map { ($0.reason.rawValue, $0.count) })),
      ("examples", examples),
    ])
  }
}
