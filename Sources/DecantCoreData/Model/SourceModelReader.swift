internal import DecantBase
internal import DecantXML

/// Reads the entities from the XML of an `.xcdatamodel`.
///
/// - Source: models as Xcode writes them; Formats, “Where the model comes from”.
struct SourceModelReader {
  private let tree: XMLTree
  private let place: String
  /// The composite types of the model, by name.
  private let composites: [String: XMLTree]

  /// Reads `tree`, the outermost element; `place` names the file in errors.
  init(_ tree: XMLTree, place: String) {
    self.tree = tree
    self.place = place
    composites = Dictionary(
      tree.children(named: "composite").map { ($0.attributes["name"] ?? "", $0) }
    ) { first, _ in first }
  }

  /// Returns the entities in document order.
  func entities() throws(DecantError) -> [Entity] {
    var entities: [Entity] = []
    for element in tree.children(named: "entity") { entities.append(try entity(element)) }
    return entities
  }

  private func entity(_ element: XMLTree) throws(DecantError) -> Entity {
    let name = element.attributes["name"] ?? ""
    var attributes: [Attribute] = []
    for child in element.children(named: "attribute") {
      var leafLimit = 1000
      attributes.append(try attribute(child, of: name, depth: 0, leafLimit: &leafLimit))
    }
    var relationships: [Relationship] = []
    for child in element.children(named: "relationship") {
      relationships.append(try relationship(child, of: name))
    }
    let constraints = element.children(named: "uniquenessConstraints")
      .flatMap { $0.children(named: "uniquenessConstraint") }
    return Entity(
      name: name,
      superentity: element.attributes["parentEntity"],
      isAbstract: element.isSet("isAbstract"),
      attributes: attributes,
      relationships: relationships,
      uniquenessConstraints: constraints.map { constraint in
        constraint.children(named: "constraint").compactMap { $0.attributes["value"] }
      },
      fetchIndexes: element.children(named: "fetchIndex").compactMap(SourceIndex.fetchIndex),
      compoundIndexes: SourceIndex.compoundIndexes(of: element),
      className: element.attributes["representedClassName"],
      renamingIdentifier: element.renamingIdentifier,
      versionHashModifier: element.attributes["versionHashModifier"],
      userInfo: element.userInfo
    )
  }

  private func attribute(
    _ element: XMLTree,
    of entity: String,
    depth: Int,
    leafLimit: inout Int
  ) throws(DecantError) -> Attribute {
    let type = try type(element, of: entity, depth: depth, leafLimit: &leafLimit)
    return Attribute(
      name: element.attributes["name"] ?? "",
      type: type,
      isOptional: element.isSet("optional"),
      isTransient: element.isSet("transient"),
      derivation: element.isSet("derived") ? element.attributes["derivationExpression"] ?? "" : nil,
      allowsExternalStorage: element.isSet("allowsExternalBinaryDataStorage"),
      isPreservedInHistory: element.isSet("preserveAfterDeletion"),
      isIndexed: element.isSet("indexed"),
      defaultValue: value(element, "default", type),
      rules: rules(element, type: type),
      valueTransformer: element.attributes["valueTransformerName"],
      renamingIdentifier: element.renamingIdentifier,
      versionHashModifier: element.attributes["versionHashModifier"],
      userInfo: element.userInfo
    )
  }

  private func rules(_ element: XMLTree, type: AttributeType) -> ValueRules {
    var rules = ValueRules()
    if let type = type.boundType {
      rules.minimum = value(element, "min", type)
      rules.maximum = value(element, "max", type)
    }
    if type == .string { rules.pattern = element.attributes["regularExpressionString"] }
    return rules
  }

  /// Returns the value that the editor stores as `what`: `default`, `min` or `max`.
  private func value(_ element: XMLTree, _ what: String, _ type: AttributeType) -> Value? {
    if type == .date {
      return element.attributes[what + "DateTimeInterval"].flatMap { Double($0) }.map(Value.date)
    }
    return element.attributes[what + "ValueString"].flatMap { DefaultValue.value(of: $0, type: type) }
  }

  private func type(
    _ element: XMLTree,
    of entity: String,
    depth: Int,
    leafLimit: inout Int
  ) throws(DecantError) -> AttributeType {
    switch element.attributes["attributeType"] ?? "Undefined" {
    case "Undefined": return .undefined
    case "Integer 16": return .integer16
    case "Integer 32": return .integer32
    case "Integer 64": return .integer64
    case "Decimal": return .decimal
    case "Double": return .double
    case "Float": return .float
    case "String": return .string
    case "Boolean": return .boolean
    case "Date": return .date
    case "Binary": return .binary
    case "UUID": return .uuid
    case "URI": return .uri
    case "Transformable": return .transformable
    case "ObjectID": return .objectID
    case "Composite":
      return .composite(try leaves(element, of: entity, depth: depth, leafLimit: &leafLimit))
    case let other:
      throw damaged("an attribute of entity \(entity) has the unknown type “\(other)”", element)
    }
  }

  /// Returns the leaf attributes of the composite type named by `element`.
  private func leaves(
    _ element: XMLTree,
    of entity: String,
    depth: Int,
    leafLimit: inout Int
  ) throws(DecantError) -> [Attribute] {
    let name = element.attributes["composite"] ?? ""
    guard let composite = composites[name] else {
      throw damaged("entity \(entity) uses the composite “\(name)”, which does not exist", element)
    }
    var leaves: [Attribute] = []
    for child in composite.children(named: "attribute") {
      leafLimit -= 1
      guard depth < 8, leafLimit > 0 else {
        throw damaged("the composite “\(name)” contains itself or is too large", element)
      }
      leaves.append(try attribute(child, of: name, depth: depth + 1, leafLimit: &leafLimit))
    }
    return leaves
  }

  private func relationship(_ element: XMLTree, of entity: String) throws(DecantError) -> Relationship {
    let name = element.attributes["name"] ?? ""
    guard let destination = element.attributes["destinationEntity"] else {
      throw damaged("relationship \(name) of entity \(entity) has no destination", element)
    }
    let maxCount = element.attributes["maxCount"].flatMap { Int($0) } ?? 0
    // In Core Data a to-one relationship differs only in its maximum count of one.
    let isToMany = element.isSet("toMany") && maxCount != 1
    return Relationship(
      name: name,
      destination: destination,
      inverse: element.attributes["inverseName"],
      isToMany: isToMany,
      isOrdered: element.isSet("ordered"),
      isOptional: element.isSet("optional"),
      isTransient: element.isSet("transient"),
      minCount: max(element.attributes["minCount"].flatMap { Int($0) } ?? 0, 0),
      maxCount: isToMany ? max(maxCount, 0) : 1,
      deleteRule: deleteRule(element.attributes["deletionRule"]),
      renamingIdentifier: element.renamingIdentifier,
      versionHashModifier: element.attributes["versionHashModifier"],
      userInfo: element.userInfo
    )
  }

  private func deleteRule(_ name: String?) -> DeleteRule {
    switch name {
    case "No Action": .noAction
    case "Cascade": .cascade
    case "Deny": .deny
    default: .nullify
    }
  }

  private func damaged(_ message: String, _ element: XMLTree) -> DecantError {
    ModelAssembly.damaged("\(message) (line \(element.line))", place)
  }
}

extension XMLTree {
  /// Returns whether a flag of the model editor is set; flags that are not set are omitted in the file.
  fileprivate func isSet(_ flag: String) -> Bool {
    attributes[flag] == "YES"
  }

  /// The previous name, unless it equals the current one.
  fileprivate var renamingIdentifier: String? {
    attributes["elementID"].flatMap { $0.isEmpty || $0 == attributes["name"] ? nil : $0 }
  }

  fileprivate var userInfo: [String: String] {
    let entries = children(named: "userInfo").flatMap { $0.children(named: "entry") }
    let pairs = entries.compactMap { entry in
      entry.attributes["key"].map { ($0, entry.attributes["value"] ?? "") }
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
