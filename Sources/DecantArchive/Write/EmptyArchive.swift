package import DecantBase
internal import DecantCoreData
internal import DecantJSON
internal import DecantPlain

/// An archive of a model without objects, from which an empty store can be made.
package enum EmptyArchive {
  /// Returns its lines.
  package static func text(_ model: Model) -> String {
    let header: [(String, JSONValue)] = [
      ("decant", .integer(ArchiveHeader.version)), ("id", .string(StoreMetadata.newUUID())),
      ("source", .object([("kind", .string(PlainKind.name))])), ("model", ArchiveModel(model).json),
    ]
    let receipt: [(String, JSONValue)] = [("end", .bool(true)), ("parts", .integer(1))]
    return "\(JSONValue.object(header).text)\n\(JSONValue.object(receipt).text)\n"
  }
}
