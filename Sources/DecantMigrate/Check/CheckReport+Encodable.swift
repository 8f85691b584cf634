internal import DecantBase
public import DecantVersions

extension CheckReport: Encodable {
  /// Encodes the document of `decant check`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "check",
      [
        ("store", store), ("version", version), ("modelOrigin", modelOrigin),
        ("against", DocumentMembers([("place", targetPlace), ("version", target)])),
        ("sameHashes", hasSameHashes), ("migration", migration),
        ("beyondCoreData", isBeyondCoreData), ("straight", straightDemand?.rawValue),
        ("obstacle", obstacle?.members), ("steps", steps),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension RecognisedVersion: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("name", name), ("by", evidence.rawValue)]).encode(to: encoder)
  }
}

extension DecantError {
  /// The message, place and remedy, formatted for the command line.
  fileprivate var members: DocumentMembers {
    DocumentMembers([
      ("code", code.rawValue), ("message", what.commandLine), ("place", spot?.commandLine),
      ("remedy", advice?.commandLine),
    ])
  }
}

extension ModelChange: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("change", kind.rawValue), ("subject", subject), ("asksFor", demand.rawValue),
      ("text", text), ("count", count), ("examples", examples),
    ]).encode(to: encoder)
  }
}

extension CheckReport.Step: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("from", from), ("to", to), ("asksFor", demand.rawValue), ("changes", changes),
      ("mappingModels", mappingModels),
    ]).encode(to: encoder)
  }
}
