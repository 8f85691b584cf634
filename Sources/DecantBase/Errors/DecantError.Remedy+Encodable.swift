extension DecantError.Remedy: Encodable {
  /// Encodes `remedy`, the name of the case, and its associated values, `null` for an unknown one.
  public func encode(to encoder: any Encoder) throws {
    let (name, details) = members
    try DocumentMembers([("remedy", name)] + details).encode(to: encoder)
  }

  private var members: (name: String, details: [(String, any Encodable)]) {
    switch self {
    case .runAgain: ("runAgain", [])
    case .resume: ("resume", [])
    case .startOver: ("startOver", [])
    case .closeOtherProgram(let holders): ("closeOtherProgram", [("programs", holders)])
    case .freeSpace(let byteCount): ("freeSpace", [("byteCount", byteCount)])
    case .grantAccess: ("grantAccess", [])
    case .chooseAnotherPlace: ("chooseAnotherPlace", [])
    case .makeFolder(let place): ("makeFolder", [("place", place)])
    case .moveAway(let place): ("moveAway", [("place", place)])
    case .restoreBackup(let place): ("restoreBackup", [("place", place)])
    case .nameModel: ("nameModel", [])
    case .giveMapping: ("giveMapping", [])
    case .correctName(let nearest): ("correctName", [("nearest", nearest)])
    case .setOption(let option, let value): ("setOption", [("option", option.rawValue), ("value", value)])
    case .report: ("report", [])
    }
  }
}

extension DecantError.Holder: Encodable {
  /// Encodes `process` and `name`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("process", process), ("name", name)]).encode(to: encoder)
  }
}
