internal import DecantJSON

/// The counts of a report in the record of a run, for the report of the process that completes it.
extension CopyReport {
  /// The counts, as a JSON text.
  package var record: String {
    func counts(_ links: LinkCounts) -> JSONValue {
      .array([links.copied, links.cut, links.dangling].map { .integer($0) })
    }
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return JSONValue.object([
      ("verb", .string(verb)), ("kind", .string(source.kind)), ("place", .string(source.place.withoutPasswords)),
      ("uuid", text(source.uuid)), ("fingerprint", .string(sourceFingerprint)),
      ("destinationUUID", text(destination.uuid)), ("rows", .bool(destination.terms == .rows)),
      ("knowsLinks", .bool(knowsLinks)), ("isVerified", .bool(isVerified)),
      (
        "entities",
        .array(
          entities.map { entity in
            .array(
              [.string(entity.name)]
                + [entity.source, entity.copied, entity.updated, entity.skipped, entity.filtered, entity.rejected]
                .map { .integer($0) })
          })
      ),
      ("links", .object(linksByRelationship.sorted { $0.key < $1.key }.map { ($0.key, counts($0.value)) })),
      ("allLinks", counts(links)),
      (
        "counts",
        .array(
          [
            unknownCount, removedLinkCount, removedObjectCount, removedPartCount, files.copied, files.missing,
            conflictCount,
          ].map { .integer($0) })
      ),
      (
        "rejected",
        .object(
          rejectedByCode.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .integer($0.value)) })
      ),
      ("rejectsFile", text(rejectsFile)), ("idTableFile", text(idTableFile)),
    ]).text
  }

  /// Reads such a record of a run into the store `destination`; `nil` if it is not valid.
  package init?(record: String, into destination: StoreIdentity) {
    guard let json = try? JSONValue(reading: record), let verb = json["verb"]?.string,
      let kind = json["kind"]?.string, let place = json["place"]?.string
    else { return nil }
    func counts(_ json: JSONValue?) -> LinkCounts {
      let numbers = json?.values.compactMap(\.integer) ?? []
      return numbers.count == 3 ? LinkCounts(copied: numbers[0], cut: numbers[1], dangling: numbers[2]) : LinkCounts()
    }
    let terms: Terms = json["rows"]?.bool == true ? .rows : .objects
    var destination = destination
    (destination.uuid, destination.terms) = (json["destinationUUID"]?.string, terms)
    let entities = (json["entities"]?.values ?? []).compactMap { json -> EntityReport? in
      let numbers = json.values.compactMap(\.integer)
      guard let name = json.values.first?.string, numbers.count == 6 else { return nil }
      var entity = EntityReport(name: name, source: numbers[0])
      (entity.copied, entity.updated, entity.skipped) = (numbers[1], numbers[2], numbers[3])
      (entity.filtered, entity.rejected) = (numbers[4], numbers[5])
      return entity
    }
    self.init(
      verb: verb,
      source: StoreIdentity(kind: kind, place: place, uuid: json["uuid"]?.string, terms: terms),
      sourceFingerprint: json["fingerprint"]?.string ?? "",
      destination: destination,
      entities: entities
    )
    knowsLinks = json["knowsLinks"]?.bool ?? true
    isVerified = json["isVerified"]?.bool ?? false
    links = counts(json["allLinks"])
    for (name, value) in json["links"]?.members ?? [] { linksByRelationship[name] = counts(value) }
    let numbers = json["counts"]?.values.compactMap(\.integer) ?? []
    if numbers.count == 7 {
      (unknownCount, removedLinkCount, removedObjectCount, removedPartCount) =
        (numbers[0], numbers[1], numbers[2], numbers[3])
      (files.copied, files.missing, conflictCount) = (numbers[4], numbers[5], numbers[6])
    }
    for (name, value) in json["rejected"]?.members ?? [] {
      if let code = RejectCode(rawValue: name) { rejectedByCode[code] = value.integer }
    }
    (rejectsFile, idTableFile) = (json["rejectsFile"]?.string, json["idTableFile"]?.string)
  }
}
