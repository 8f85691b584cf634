internal import DecantPlain
internal import DecantBase
internal import DecantPlan
package import DecantJSON

/// The first line of an archive.
package struct ArchiveHeader {
  /// The version of the format that is written, and the only one that can be read.
  static let version: Int64 = 1
  /// The maximum size of a header; other lines are shorter.
  static let byteLimit = 16 << 20

  package var id: String
  package var part: Int64 = 1
  var created: String
  package var model: ArchiveModel
  package var source: Source
  /// The numbers of objects by concrete entity, in the order of the archive.
  package var counts: [(String, Int64)] = []
  /// The number of objects that the header declares; it may be wrong in an untrusted file.
  package var objectCount: Int64 { counts.reduce(0) { $0 &+ max($1.1, 0) } }
  /// The highest key by root entity.
  var lastIDs: [(String, Int64)] = []
  /// The number of rejected objects, in a file of rejects.
  package var rejectCount: Int64?
  /// The number of objects left out because their entity is not in the model; not written.
  package var unknownCount: Int64 = 0

  /// The store of the objects.
  package struct Source {
    /// The kind of store: `coredata` or `sqlite`.
    var kind: String
    package var uuid: String?
    package var fingerprint: String?
    /// Whether a mapping made the objects, so that keys and entities differ from those of the store.
    package var isMapped = false
    /// The digest and length of the large value with an empty store of that kind.
    package var template: (hash: String, byteCount: Int64)?
  }

  package var json: JSONValue {
    var origin: [(String, JSONValue)] = [("kind", .string(source.kind))]
    if let uuid = source.uuid { origin.append(("uuid", .string(uuid))) }
    if let fingerprint = source.fingerprint { origin.append(("fingerprint", .string(fingerprint))) }
    if source.isMapped { origin.append(("mapped", .bool(true))) }
    if let template = source.template {
      origin.append(("template", .object([("blob", .string(template.hash)), ("size", .integer(template.byteCount))])))
    }
    var members: [(String, JSONValue)] = [("decant", .integer(ArchiveHeader.version))]
    // Second, because files of rejects are recognised by it.
    if let rejectCount { members.append(("rejects", .integer(rejectCount))) }
    members += [
      ("id", .string(id)), ("part", .integer(part)),
      ("created", .string(created)), ("writer", .string(ArchiveHeader.writer)),
      ("source", .object(origin)), ("model", model.json),
      ("counts", .object(counts.map { ($0.0, .integer($0.1)) })),
      ("lastIDs", .object(lastIDs.map { ($0.0, .integer($0.1)) })),
    ]
    return .object(members)
  }

  /// The model, unless it was derived from the tables.
  var ownModel: Model? { model.model.isFromTables ? nil : model.model }

  /// The identifier of the store whose keys the objects have; `nil` if the archive has its own keys.
  var keysUUID: String? { source.isMapped ? nil : source.uuid }

  static let writer = "decant \(Version.number)"
}

extension ArchiveHeader {
  /// The names that are read; other members are skipped.
  static let names: Set<String> = [
    "decant", "rejects", "id", "part", "created", "writer", "model", "source", "counts", "lastIDs",
  ]

  /// Reads a header.
  init(_ json: JSONValue) throws(ArchiveFault) {
    guard let version = json["decant"]?.integer else {
      throw ArchiveFault("the first line is not an archive header")
    }
    guard version == ArchiveHeader.version else {
      throw ArchiveFault(
        "the archive has format version \(version), but this decant reads version "
          + "\(ArchiveHeader.version)",
        remedy: "use the decant version that wrote it, or a newer one"
      )
    }
    guard let id = json["id"]?.string, !id.isEmpty, let model = json["model"] else {
      throw ArchiveFault("the header has no id or no model")
    }
    self.id = id
    part = json["part"]?.integer ?? 1
    rejectCount = json["rejects"]?.integer
    created = json["created"]?.string ?? ""
    self.model = try ArchiveModel(model)
    let origin = json["source"]
    source = Source(
      kind: origin?["kind"]?.string ?? PlainKind.name,
      uuid: origin?["uuid"]?.string,
      fingerprint: origin?["fingerprint"]?.string
    )
    if case .bool(true)? = origin?["mapped"] { source.isMapped = true }
    if let template = origin?["template"] {
      guard let hash = template["blob"]?.string, let size = template["size"]?.integer, size > 0
      else { throw ArchiveFault("the header does not say which value is its template") }
      source.template = (hash, size)
    }
    guard ArchiveKind.database(named: source.kind) != nil else {
      throw ArchiveFault(
        "the header gives the store kind “\(source.kind.prefix(40))”, which this decant "
          + "does not know",
        remedy: "use the decant version that wrote it, or a newer one"
      )
    }
    counts = try ArchiveHeader.numbers(json["counts"], "counts")
    lastIDs = try ArchiveHeader.numbers(json["lastIDs"], "lastIDs")
  }

  static func numbers(_ json: JSONValue?, _ name: String) throws(ArchiveFault) -> [(String, Int64)] {
    var numbers: [(String, Int64)] = []
    for (entity, value) in json?.members ?? [] {
      guard let number = value.integer else {
        throw ArchiveFault("a number in \(name) is not valid")
      }
      numbers.append((entity, number))
    }
    return numbers
  }
}
