internal import DecantBase
internal import DecantDigests
internal import DecantPropertyList

/// What decant writes into a store that it makes after a model without version hashes, to know the version again.
///
/// Versions may differ in what no table shows: whether bytes begin with a tag, which of two columns was meant by a name
/// before. Core Data keeps the key and does not look at it; where there are version hashes, nobody does.
///
/// - Source: decant's own; Formats, “A store made after a model”.
enum ModelMark {
  /// The key in the metadata of a store.
  static let key = "DecantModelMark"

  /// Returns SHA-256 over all by which versions of a model differ, in hexadecimal digits.
  static func of(_ model: Model) -> String {
    let text = model.entities.sorted { $0.name < $1.name }.map { entity in
      line(
        [entity.name, entity.superentity, flag(entity.isAbstract, "abstract")]
          + [entity.renamingIdentifier, entity.versionHashModifier]
          + entity.uniquenessConstraints.map { $0.joined(separator: "\u{1f}") }.sorted()
      )
        + entity.attributes.sorted { $0.name < $1.name }.map(line).joined()
        + entity.relationships.sorted { $0.name < $1.name }.map(line).joined()
    }
    return SHA256.text(SHA2.sha256(Array(text.joined().utf8)))
  }

  /// The mark that a store's metadata hold; `nil` where it has none, or version hashes that tell more.
  static func of(_ metadata: [String: PropertyList]) -> String? {
    guard CoreDataFile.hashes(in: metadata).isEmpty, case .string(let mark)? = metadata[key] else {
      return nil
    }
    return mark
  }

  private static func line(_ attribute: Attribute) -> String {
    var leaves = ""
    if case .composite(let parts) = attribute.type { leaves = parts.map(line).joined() }
    return line([
      attribute.name, attribute.type.name, flag(attribute.isOptional, "optional"),
      flag(attribute.isTransient, "transient"), flag(attribute.allowsExternalStorage, "external"),
      attribute.derivation, attribute.valueTransformer, attribute.renamingIdentifier,
      attribute.versionHashModifier, leaves,
    ])
  }

  private static func line(_ relationship: Relationship) -> String {
    line([
      relationship.name, relationship.destination, relationship.inverse,
      flag(relationship.isToMany, "to many"), flag(relationship.isOrdered, "ordered"),
      flag(relationship.isOptional, "optional"), flag(relationship.isTransient, "transient"),
      "\(relationship.minCount)…\(relationship.maxCount)", relationship.renamingIdentifier,
      relationship.versionHashModifier,
    ])
  }

  private static func flag(_ isSet: Bool, _ word: String) -> String? { isSet ? word : nil }

  /// The parts with what stands in no name between them.
  private static func line(_ parts: [String?]) -> String {
    parts.map { ($0 ?? "") + "\u{1e}" }.joined() + "\n"
  }
}
