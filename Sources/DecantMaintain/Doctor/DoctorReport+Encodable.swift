internal import DecantBase
internal import DecantPlan

extension DoctorReport: Encodable {
  /// Encodes the document of `decant doctor`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "doctor",
      [
        ("store", store), ("healthy", isHealthy), ("objects", objectCount), ("links", linkCount),
        ("externalFiles", externalFileCount), ("searchedLinks", searchedLinks), ("findings", findings),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension DoctorReport.Finding: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      problem.members + [("advice", what.commandLine), ("command", command?.withoutPasswords)]
    ).encode(to: encoder)
  }
}
