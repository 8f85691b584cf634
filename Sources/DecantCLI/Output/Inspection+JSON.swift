internal import Decant
internal import JSON

extension Inspection {
  /// The inspection as the one JSON document that scripts read.
  var json: JSONValue {
    let kind: [(String, JSONValue)] = [
      ("kind", .string(identity.kind)), ("place", .string(identity.place)),
      ("uuid", .optional(identity.uuid)), ("size", size.json),
      (
        "framework",
        facts.frameworkVersion.map { version in
          .object([("version", .integer(version)), ("era", .optional(facts.frameworkEra))])
        } ?? .null
      ),
    ]
    let model: JSONValue = .object([
      ("origin", .string(facts.modelOrigin)), ("versionIdentifiers", .list(versionIdentifiers)),
      ("entities", .array(entities.map(\.json))),
    ])
    return .document(
      "inspect",
      kind + [
        ("model", model), ("objects", .integer(objectCount)),
        ("links", knowsLinks ? .integer(linkCount) : .null),
        ("linkEnds", knowsLinks ? .integer(linkEndCount) : .null),
        ("dangling", knowsLinks ? .integer(danglingCount) : .null),
        ("externalFiles", externalFilesJSON),
        ("sediment", .array(facts.sediment.map(\.json))),
        ("appMetadataKeys", .list(facts.metadataKeys)),
        (
          "otherTables",
          .array(
            otherTables.map {
              .object([("name", .string($0.name)), ("rows", .integer($0.rowCount))])
            }
          )
        ),
        ("triggers", .integer(triggerCount)),
        ("integrity", .string(isSound ? "ok" : "damaged")),
        ("problems", .array(problems.map(\.json))),
      ],
      notes: notes
    )
  }

  private var externalFilesJSON: JSONValue {
    .object([
      ("referenced", .integer(externalFiles.reduce(0) { $0 + $1.referenceCount })),
      ("missing", .integer(externalFiles.reduce(0) { $0 + $1.missingCount })),
      ("bytes", .integer(size.externalFiles)),
    ])
  }
}

extension StoreSize {
  fileprivate var json: JSONValue {
    .object([
      ("bytes", .integer(total)), ("database", .integer(database)), ("log", .integer(log)),
      ("externalFiles", .integer(externalFiles)), ("page", .optional(page)),
    ])
  }
}

extension EntityInspection {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name)), ("superentity", .optional(superentity)),
      ("abstract", .bool(isAbstract)), ("objects", .integer(objectCount)),
      ("subentityObjects", .integer(subentityObjectCount)), ("bytes", .integer(byteCount)),
      ("binaryBytes", .integer(binaryByteCount)),
      ("attributes", .array(attributes.map(\.json))),
      ("relationships", .array(relationships.map(\.json))),
      ("identityCandidates", .array(identityCandidates.map(\.json))),
    ])
  }
}

extension AttributeInspection {
  fileprivate var json: JSONValue {
    var members = attribute.members
    members += [("values", .integer(valueCount)), ("bytes", .integer(byteCount))]
    return .object(members)
  }
}

extension Attribute {
  fileprivate var members: [(String, JSONValue)] {
    var leaves: [Attribute] = []
    if case .composite(let parts) = type { leaves = parts }
    return [
      ("name", .string(name)), ("type", .string(type.name)), ("optional", .bool(isOptional)),
      ("default", defaultValue?.json ?? .null), ("transient", .bool(isTransient)),
      ("derived", .optional(derivation)), ("external", .bool(allowsExternalStorage)),
      ("leaves", .array(leaves.map { .object($0.members) })),
    ]
  }
}

extension RelationshipInspection {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(relationship.name)), ("destination", .string(relationship.destination)),
      ("toMany", .bool(relationship.isToMany)), ("ordered", .bool(relationship.isOrdered)),
      ("optional", .bool(relationship.isOptional)), ("inverse", .optional(relationship.inverse)),
      ("deleteRule", .string(relationship.deleteRule.rawValue)), ("links", .integer(linkCount)),
      ("dangling", .integer(danglingCount)),
    ])
  }
}

extension IdentityCandidate {
  fileprivate var json: JSONValue {
    .object([("attributes", .list(attributes)), ("reason", .string(reason.rawValue))])
  }
}

extension SedimentLayer {
  fileprivate var json: JSONValue { .object(members) }

  /// The layer as scripts read it.
  var members: [(String, JSONValue)] {
    [
      ("kind", .string(kind)), ("metadataKeys", .list(metadataKeys)),
      (
        "tables",
        .array(
          tables.map { table in
            .object([
              ("name", .string(table.name)), ("holds", .optional(table.noun)),
              ("rows", .integer(table.rowCount)),
            ])
          }
        )
      ),
    ]
  }
}

extension StoreProblem {
  fileprivate var json: JSONValue {
    .object([
      ("problem", .string(kind.name)), ("subject", .optional(subject)),
      ("count", .optional(count)), ("text", .string(text)),
    ])
  }
}

extension Value {
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .double(let number), .date(let number): .number(number)
    case .decimal(let text), .text(let text), .uri(let text): .string(text)
    case .uuid(let bytes): .string(bytes.asUUID)
    case .binary(let bytes): .object([("bytes", .integer(Int64(bytes.count)))])
    }
  }
}
