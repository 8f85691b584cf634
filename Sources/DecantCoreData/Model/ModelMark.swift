internal import DecantBase
internal import DecantDigests
internal import DecantPropertyList

/// The mark that decant writes into a store made from a model without version hashes, to identify the version.
///
/// Versions may differ in ways that no table shows: whether bytes begin with a tag, which of two columns a previous
/// name referred to. Core Data keeps the key and ignores it; if there are version hashes, decant ignores it too.
///
/// - Source: decant's own; Formats, “A store made after a model”.
enum ModelMark {
  /// The key in the metadata of a store.
  static let key = "DecantModelMark"

  /// Returns the SHA-256, in hexadecimal digits, of everything in which versions of a model can differ.
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

  /// Returns the mark in a store's metadata; `nil` if there is none, or if there are version hashes.
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

  /// Joins the parts with a separator that occurs in no name.
  private static func line(_ parts: [String?]) -> String {
    parts.map { ($0 ?? "") + "\u{1e}" }.joined() + "\n"
  }
}
