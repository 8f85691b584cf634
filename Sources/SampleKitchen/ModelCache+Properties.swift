import DecantPropertyList

extension ModelCache {
  /// Writes the copy of `attribute` that belongs to `entity`.
  mutating func fill(_ attribute: SchemaAttribute, of entity: String) {
    var fields = common(
      attribute.name,
      of: entity,
      isOptional: attribute.isOptional,
      extraBits: attribute.isTransient ? 8 : 0
    )
    fields["NSAttributeType"] = .integer(attribute.kind.rawValue)
    fields["NSAttributeValueClassName"] =
      attribute.kind.valueClass.map { archive.string($0) } ?? KeyedArchiveWriter.null
    fields["NSValueTransformerName"] =
      attribute.kind == .transformable
      ? archive.string("NSSecureUnarchiveFromData") : KeyedArchiveWriter.null
    fields["NSDefaultValue"] =
      attribute.defaultValue.map { archive.scalar($0) } ?? KeyedArchiveWriter.null
    fields["NSFlagsKey"] = .integer(
      (attribute.allowsExternalStorage ? 4 : 0) | (attribute.isPreservedInHistory ? 16 : 0)
    )
    if attribute.isTransient { fields["NSIsTransient"] = .boolean(true) }
    let type = KeyedArchiveWriter.Class("NSAttributeDescription", "NSPropertyDescription")
    archive.fill(reference(attribute.name, of: entity), type, fields)
  }

  /// Writes the copy of `relationship` that belongs to `entity`.
  mutating func fill(_ relationship: SchemaRelationship, of entity: String) {
    var fields = common(
      relationship.name,
      of: entity,
      isOptional: relationship.isOptional,
      extraBits: relationship.isOrdered ? 1024 : 0
    )
    fields["NSDestinationEntity"] = reference(relationship.destination)
    fields["_NSDestinationEntityName"] = archive.string(relationship.destination)
    fields["NSInverseRelationship"] = reference(relationship.inverse, of: relationship.destination)
    fields["_NSInverseRelationshipName"] = archive.string(relationship.inverse)
    fields["NSMinCount"] = .integer(relationship.isOptional ? 0 : 1)
    fields["NSMaxCount"] = .integer(relationship.isToMany ? 0 : 1)
    fields["NSDeleteRule"] = .integer(relationship.deleteRule.rawValue)
    if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    let type = KeyedArchiveWriter.Class("NSRelationshipDescription", "NSPropertyDescription")
    archive.fill(reference(relationship.name, of: entity), type, fields)
  }

  /// Returns what attributes and relationships have in common.
  ///
  /// `_P` is a second record of what the other fields say: 241 stands for a property without user
  /// information or hash modifier, and `extraBits` for what else is true of it.
  private mutating func common(
    _ name: String,
    of entity: String,
    isOptional: Bool,
    extraBits: Int64
  ) -> [String: PropertyList] {
    let text = archive.string(name)
    var fields: [String: PropertyList] = [
      "NSPropertyName": text,
      "NSRenamingIdentifier": text,
      "NSEntity": reference(entity),
      "_P": .integer(241 | (isOptional ? 2 : 0) | extraBits),
    ]
    if isOptional { fields["NSIsOptional"] = .boolean(true) }
    return fields
  }
}

extension SchemaAttribute {
  /// What the attribute is where nobody gave it a value.
  fileprivate var defaultValue: PropertyList? {
    guard !isOptional else { return nil }
    return switch kind {
    case .integer16, .integer32, .integer64: .integer(0)
    case .boolean: .boolean(false)
    case .double, .float: .real(0)
    case .decimal, .string, .date, .binary, .uuid, .uri, .transformable: nil
    }
  }
}

extension SchemaAttribute.Kind {
  /// The class of the values in memory, where the model names one.
  fileprivate var valueClass: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .transformable: nil
    }
  }
}
