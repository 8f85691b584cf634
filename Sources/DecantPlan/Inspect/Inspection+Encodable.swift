internal import DecantBase
internal import DecantJSON

extension Inspection: Encodable {
  /// Encodes the document of `decant inspect`.
  public func encode(to encoder: any Encoder) throws {
    let framework = facts.frameworkVersion.map {
      DocumentMembers([("version", $0), ("era", facts.frameworkEra)])
    }
    let model = DocumentMembers([
      ("origin", facts.modelOrigin), ("versionIdentifiers", versionIdentifiers),
      ("entities", entities),
    ])
    let files = isComplete ? fileMembers : nil
    let (links, ends, dangling) =
      knowsLinks && isComplete ? (linkCount, linkEndCount, danglingCount) : (nil, nil, nil)
    try DocumentMembers(
      "inspect",
      identity.members + [
        ("complete", isComplete), ("size", size), ("framework", framework), ("model", model), ("objects", objectCount),
        ("links", links), ("linkEnds", ends), ("dangling", dangling), ("externalFiles", files),
        ("syncMetadata", facts.syncMetadata), ("sediment", facts.syncMetadata), ("appMetadataKeys", facts.metadataKeys),
        ("otherTables", otherTables), ("triggers", triggerCount),
        ("integrity", isComplete ? isSound ? "ok" : "damaged" : nil), ("problems", isComplete ? problems : nil),
      ],
      notes: notes
    ).encode(to: encoder)
  }

  private var fileMembers: DocumentMembers {
    DocumentMembers([
      ("referenced", externalFiles.reduce(0) { $0 + $1.referenceCount }),
      ("missing", externalFiles.reduce(0) { $0 + $1.missingCount }), ("bytes", size.externalFiles),
    ])
  }
}

extension StoreSize: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("bytes", total), ("database", database), ("log", log), ("externalFiles", externalFiles),
      ("page", page),
    ]).encode(to: encoder)
  }
}

extension EntityInspection: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("name", name), ("superentity", superentity), ("abstract", isAbstract),
      ("objects", objectCount), ("subentityObjects", subentityObjectCount), ("bytes", isComplete ? byteCount : nil),
      ("binaryBytes", isComplete ? binaryByteCount : nil), ("attributes", attributes),
      ("relationships", relationships), ("identityCandidates", identityCandidates),
    ]).encode(to: encoder)
  }
}

extension AttributeInspection: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let counts = isComplete ? (valueCount, byteCount) : nil
    try DocumentMembers(attribute.members + [("values", counts?.0), ("bytes", counts?.1)])
      .encode(to: encoder)
  }
}

extension Attribute {
  /// The members of the attribute in an inspection.
  fileprivate var members: [(String, any Encodable)] {
    var leaves: [Attribute] = []
    if case .composite(let parts) = type { leaves = parts }
    return [
      ("name", name), ("type", type.name), ("optional", isOptional),
      ("default", defaultValue?.json), ("transient", isTransient), ("derived", derivation),
      ("external", allowsExternalStorage),
      ("leaves", leaves.map { DocumentMembers($0.members) }),
    ]
  }
}

extension Value {
  /// The value for documents; for bytes only their number, as they may be long.
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .double(let number), .date(let number): .number(number)
    case .decimal(let text), .text(let text), .uri(let text): .string(text)
    case .uuid(let bytes): .string(bytes.uuidText)
    case .binary(let bytes): .object([("bytes", .integer(Int64(bytes.count)))])
    }
  }
}

extension RelationshipInspection: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("name", relationship.name), ("destination", relationship.destination),
      ("toMany", relationship.isToMany), ("ordered", relationship.isOrdered),
      ("optional", relationship.isOptional), ("inverse", relationship.inverse),
      ("deleteRule", relationship.deleteRule.rawValue), ("onDelete", onDelete?.rawValue),
      ("links", isComplete ? linkCount : nil), ("dangling", isComplete ? danglingCount : nil),
    ]).encode(to: encoder)
  }
}

extension IdentityCandidate: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("attributes", attributes), ("reason", reason.rawValue)])
      .encode(to: encoder)
  }
}

extension OtherTable: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("name", name), ("rows", rowCount)]).encode(to: encoder)
  }
}
