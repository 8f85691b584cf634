internal import DecantBase
internal import DecantVersions

extension MigrationReport: Encodable {
  /// Encodes the document of `decant migrate`.
  public func encode(to encoder: any Encoder) throws {
    let from = DocumentMembers([
      ("place", (origin ?? store.place).withoutPasswords), ("version", check.version?.name),
    ])
    let to = DocumentMembers([("place", check.targetPlace), ("version", check.target)])
    try DocumentMembers(
      "migrate",
      [
        ("outcome", outcome.rawValue), ("store", store), ("from", from), ("to", to),
        ("migration", check.migration), ("plan", stages), ("copies", copies), ("backup", backup),
        ("removed", removed), ("fellBack", fellBack), ("settled", settled), ("seconds", seconds),
        ("peakMemoryBytes", peakMemoryByteCount), ("verified", isVerified), ("dryRun", isDryRun),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}
