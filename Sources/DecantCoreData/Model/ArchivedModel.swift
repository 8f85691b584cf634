internal import DecantBase
internal import DecantPropertyList

/// Reads the `NSManagedObjectModel` of a keyed archive, from a store's model cache or a compiled `.mom`.
///
/// - Source: stores and compiled models; Formats, “Where the model comes from”.
struct ArchivedModel {
  private let place: String
  private var propertyCount = 0

  /// Reads the archive in `bytes`; `place` names its file in errors.
  static func read(_ bytes: [UInt8], versionHashes: [String: [UInt8]], place: String) throws(DecantError) -> Model {
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(bytes)
    } catch {
      throw DecantError(
        .modelDamaged,
        "the model is damaged: \(error)",
        place: place,
        remedy: "use an undamaged copy of the model",
        cause: error
      )
    }
    guard let root = archive.root, let nodes = root["NSEntities"]?.entries else {
      throw ModelAssembly.damaged("the archive contains no model", place)
    }
    guard nodes.count <= ModelAssembly.largestEntityCount else {
      throw ModelAssembly.damaged("it has too many entities", place)
    }
    var reader = ArchivedModel(place: place)
    var entities: [Entity] = []
    for (key, node) in nodes {
      var entity = try reader.entity(node, key: key.string ?? "")
      entity.versionHash = versionHashes[entity.name]
      entities.append(entity)
    }
    let identifiers = root["NSVersionIdentifiers"]?.elements?.compactMap(\.string) ?? []
    return try ModelAssembly.model(of: entities, versionIdentifiers: identifiers.sorted(), place: place)
  }

  private init(place: String) { self.place = place }

  private mutating func entity(_ node: KeyedArchive.Node, key: String) throws(DecantError) -> Entity {
    let name = node["NSEntityName"]?.string ?? key
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    for (key, property) in node["NSProperties"]?.entries ?? [] {
      // In a damaged archive subentities may share their properties, so the properties read are counted.
      propertyCount += 1
      guard propertyCount <= ModelAssembly.largestPropertyCount else {
        throw ModelAssembly.damaged("it has too many properties", place)
      }
      // A proxy represents an inherited property.
      let property = property["NSUnderlyingProperty"] ?? property
      let propertyName = property["NSPropertyName"]?.string ?? key.string ?? ""
      if property["NSAttributeType"] != nil {
        attributes.append(try attribute(property, name: propertyName, entity: name))
      } else if property["NSMaxCount"] != nil || property["NSDestinationEntity"] != nil {
        relationships.append(try relationship(property, name: propertyName, entity: name))
      }
      // Other properties are fetched properties or expressions, which have no data in a store.
    }
    return Entity(
      name: name,
      superentity: node["NSSuperentity"]?["NSEntityName"]?.string,
      isAbstract: node["NSIsAbstract"]?.boolean ?? false,
      attributes: attributes,
      relationships: relationships,
      uniquenessConstraints: (node["NSUniqueTuples"]?.elements ?? []).prefix(100).map { tuple in
        (tuple.elements ?? []).prefix(100).compactMap { $0.string ?? $0["NSPropertyName"]?.string }
      },
      fetchIndexes: ArchivedIndex.fetchIndexes(of: node, entity: name),
      compoundIndexes: ArchivedIndex.compoundIndexes(of: node),
      className: node["NSClassNameForEntity"]?.string,
      renamingIdentifier: Self.renaming(node, name),
      versionHashModifier: node["NSVersionHashModifier"]?.string,
      userInfo: Self.userInfo(node)
    )
  }

  private func attribute(_ node: KeyedArchive.Node, name: String, entity: String) throws(DecantError) -> Attribute {
    guard let type = ArchivedAttributeType.type(of: node) else {
      throw ModelAssembly.damaged("attribute \(name) of entity \(entity) has an unknown type", place)
    }
    let flags = node["NSFlagsKey"]?.integer ?? 0
    return Attribute(
      name: name,
      type: type,
      isOptional: node["NSIsOptional"]?.boolean ?? false,
      isTransient: node["NSIsTransient"]?.boolean ?? false,
      derivation: ArchivedExpression.derivation(of: node),
      allowsExternalStorage: flags & 4 != 0,
      isPreservedInHistory: flags & 16 != 0,
      isIndexed: node["NSIsIndexed"]?.boolean ?? false,
      defaultValue: node["NSDefaultValue"].flatMap { DefaultValue.value(of: $0, type: type) },
      rules: ArchivedValueRules.rules(of: node, type: type),
      valueTransformer: node["NSValueTransformerName"]?.string,
      renamingIdentifier: Self.renaming(node, name),
      versionHashModifier: node["NSVersionHashModifier"]?.string,
      userInfo: Self.userInfo(node)
    )
  }

  private func relationship(
    _ node: KeyedArchive.Node,
    name: String,
    entity: String
  ) throws(DecantError) -> Relationship {
    let destination =
      node["_NSDestinationEntityName"]?.string
      ?? node["NSDestinationEntity"]?["NSEntityName"]?.string
    guard let destination else {
      throw ModelAssembly.damaged("relationship \(name) of entity \(entity) has no destination", place)
    }
    let maxCount = node["NSMaxCount"]?.integer ?? 0
    return Relationship(
      name: name,
      destination: destination,
      inverse: node["_NSInverseRelationshipName"]?.string
        ?? node["NSInverseRelationship"]?["NSPropertyName"]?.string,
      isToMany: maxCount != 1,
      isOrdered: node["NSIsOrdered"]?.boolean ?? false,
      isOptional: node["NSIsOptional"]?.boolean ?? false,
      isTransient: node["NSIsTransient"]?.boolean ?? false,
      minCount: Self.bound(node["NSMinCount"]?.integer ?? 0),
      maxCount: Self.bound(maxCount),
      deleteRule: Self.deleteRule(node["NSDeleteRule"]?.integer ?? 1),
      renamingIdentifier: Self.renaming(node, name),
      versionHashModifier: node["NSVersionHashModifier"]?.string,
      userInfo: Self.userInfo(node)
    )
  }

  /// Returns the previous name; if there is none, Core Data archives the current one.
  private static func renaming(_ node: KeyedArchive.Node, _ name: String) -> String? {
    node["NSRenamingIdentifier"]?.string.flatMap { $0 == name || $0.isEmpty ? nil : $0 }
  }

  private static func userInfo(_ node: KeyedArchive.Node) -> [String: String] {
    // Objects may share this dictionary; developers enter it by hand, so it is never long.
    guard let userInfo = node["NSUserInfo"]?.entries, userInfo.count <= 1000 else { return [:] }
    let texts = userInfo.compactMap { key, value in
      key.string.flatMap { key in value.string.map { (key, $0) } }
    }
    return Dictionary(texts) { first, _ in first }
  }

  /// Returns a bound on the number of links; a negative count means no bound, like 0.
  private static func bound(_ count: Int64) -> Int {
    Int(clamping: max(count, 0))
  }

  private static func deleteRule(_ number: Int64) -> DeleteRule {
    switch number {
    case 0: .noAction
    case 2: .cascade
    case 3: .deny
    default: .nullify
    }
  }
}
