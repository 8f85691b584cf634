internal import DecantBase64
package import DecantBase
internal import DecantJSON

/// A model as described in the header of an archive.
///
/// It has what a reader needs to make tables and to follow links. A Core Data store's own model, with its indexes, is
/// in the template.
package struct ArchiveModel {
  package let model: Model
  /// The relationships whose links are in this archive, and their form.
  var written: [Property: JSONValue] = [:]
  /// The name of each entity's key column.
  var keyColumns: [String: String] = [:]

  /// The maximum number of entities; more than any model has.
  private static let entityLimit = 10_000

  init(_ model: Model) { self.model = model }

  var json: JSONValue {
    var members: [(String, JSONValue)] = []
    if !model.versionIdentifiers.isEmpty {
      members.append(("versions", .array(model.versionIdentifiers.map { .string($0) })))
    }
    if model.isFromTables { members.append(("fromTables", .bool(true))) }
    members.append(("entities", .array(model.entities.map(json))))
    return .object(members)
  }

  private func json(_ entity: Entity) -> JSONValue {
    var members: [(String, JSONValue)] = [("name", .string(entity.name))]
    if let parent = entity.superentity { members.append(("parent", .string(parent))) }
    if entity.isAbstract { members.append(("abstract", .bool(true))) }
    if let column = keyColumns[entity.name] { members.append(("key", .string(column))) }
    if let name = entity.className, name != entity.name { members.append(("class", .string(name))) }
    if let hash = entity.versionHash {
      members.append(("versionHash", .string(Base64Encoder.text(of: hash))))
    }
    members.append(("attributes", .array(entity.attributes.map(ArchiveModel.json))))
    members.append(("relationships", .array(entity.relationships.map { json($0, of: entity.name) })))
    if !entity.uniquenessConstraints.isEmpty {
      let constraints = entity.uniquenessConstraints.map { names in
        JSONValue.array(names.map { .string($0) })
      }
      members.append(("unique", .array(constraints)))
    }
    return .object(members)
  }

  private static func json(_ attribute: Attribute) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(attribute.name)), ("type", .string(attribute.type.name)),
    ]
    if attribute.isOptional { members.append(("optional", .bool(true))) }
    if attribute.isTransient { members.append(("transient", .bool(true))) }
    if let derivation = attribute.derivation { members.append(("derived", .string(derivation))) }
    if attribute.allowsExternalStorage { members.append(("external", .bool(true))) }
    if let name = attribute.valueTransformer { members.append(("transformer", .string(name))) }
    members += rules(of: attribute)
    if case .composite(let parts) = attribute.type {
      members.append(("attributes", .array(parts.map(json))))
    }
    return .object(members)
  }

  private func json(_ relationship: Relationship, of entity: String) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(relationship.name)), ("to", .string(relationship.destination)),
    ]
    if let inverse = relationship.inverse { members.append(("inverse", .string(inverse))) }
    if relationship.isToMany { members.append(("toMany", .bool(true))) }
    if relationship.isOrdered { members.append(("ordered", .bool(true))) }
    if !relationship.isOptional { members.append(("required", .bool(true))) }
    if relationship.deleteRule != .nullify {
      members.append(("delete", .string(relationship.deleteRule.rawValue)))
    }
    if relationship.isTransient { members.append(("transient", .bool(true))) }
    let property = Property(entity, relationship.name)
    members.append(("written", written[property] ?? .bool(false)))
    return .object(members)
  }
}

extension ArchiveModel {
  /// Reads the model of a header.
  init(_ json: JSONValue) throws(ArchiveFault) {
    var entities: [Entity] = []
    let values = json["entities"]?.values ?? []
    guard values.count <= ArchiveModel.entityLimit else {
      throw ArchiveFault("the header has more than \(ArchiveModel.entityLimit) entities")
    }
    for value in values {
      entities.append(try ArchiveModel.entity(value))
    }
    guard Set(entities.map(\.name)).count == entities.count else {
      throw ArchiveFault("the header names an entity twice")
    }
    try ArchiveModel.checkParents(of: entities)
    var model = Model(entities: entities, versionIdentifiers: json["versions"]?.values.compactMap(\.string) ?? [])
    model.isFromTables = json["fromTables"]?.bool ?? false
    self.init(model)
    for value in json["entities"]?.values ?? [] {
      let name = value["name"]?.string ?? ""
      keyColumns[name] = value["key"]?.string
      for relationship in value["relationships"]?.values ?? [] {
        written[Property(name, relationship["name"]?.string ?? "")] = relationship["written"]
      }
    }
  }

  /// The maximum depth of inheritance: more than any model has, and small enough to traverse.
  private static let depthLimit = 100

  /// Throws unless all parents exist and every chain of parents ends.
  private static func checkParents(of entities: [Entity]) throws(ArchiveFault) {
    let parents = Dictionary(entities.map { ($0.name, $0.superentity) }) { first, _ in first }
    for entity in entities {
      var (child, depth) = (entity.name, 0)
      while let parent = parents[child] ?? nil {
        guard parents[parent] != nil else {
          throw ArchiveFault("the header has no entity \(parent.prefix(60)), the parent of \(child.prefix(60))")
        }
        depth += 1
        guard depth <= depthLimit else {
          throw ArchiveFault(
            "\(entity.name.prefix(60)) has more than \(depthLimit) ancestor entities, or is its own ancestor"
          )
        }
        child = parent
      }
    }
  }

  /// Throws if two of `names` are equal.
  private static func checkDistinct(_ names: [String], of entity: String) throws(ArchiveFault) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw ArchiveFault("the header names “\(name.prefix(60))” of \(entity.prefix(60)) twice")
    }
  }

  private static func name(_ json: JSONValue, _ what: String) throws(ArchiveFault) -> String {
    guard let name = json["name"]?.string, !name.isEmpty, !name.utf8.contains(0) else {
      throw ArchiveFault("the header has \(what) without a name")
    }
    return name
  }

  private static func entity(_ json: JSONValue) throws(ArchiveFault) -> Entity {
    let name = try name(json, "an entity")
    var attributes: [Attribute] = []
    for value in json["attributes"]?.values ?? [] { attributes.append(try attribute(value)) }
    var relationships: [Relationship] = []
    for value in json["relationships"]?.values ?? [] {
      guard let destination = value["to"]?.string else {
        throw ArchiveFault("the header does not give the destination of a relationship of \(name)")
      }
      relationships.append(
        Relationship(
          name: try self.name(value, "a relationship of \(name)"),
          destination: destination,
          inverse: value["inverse"]?.string,
          isToMany: value["toMany"]?.bool ?? false,
          isOrdered: value["ordered"]?.bool ?? false,
          isOptional: !(value["required"]?.bool ?? false),
          isTransient: value["transient"]?.bool ?? false,
          deleteRule: value["delete"]?.string.flatMap { DeleteRule(rawValue: $0) } ?? .nullify
        )
      )
    }
    try checkDistinct(attributes.map(\.name), of: name)
    try checkDistinct(relationships.map(\.name), of: name)
    return Entity(
      name: name,
      superentity: json["parent"]?.string,
      isAbstract: json["abstract"]?.bool ?? false,
      attributes: attributes,
      relationships: relationships,
      uniquenessConstraints: json["unique"]?.values.map { $0.values.compactMap(\.string) } ?? [],
      className: json["class"]?.string
    )
  }

  private static func attribute(_ json: JSONValue) throws(ArchiveFault) -> Attribute {
    let name = try name(json, "an attribute")
    let type = json["type"]?.string ?? ""
    var parts: [Attribute] = []
    for value in json["attributes"]?.values ?? [] { parts.append(try attribute(value)) }
    guard let type = AttributeType(name: type, parts: parts) else {
      throw ArchiveFault("the header gives \(name) the unknown type “\(type.prefix(40))”")
    }
    return Attribute(
      name: name,
      type: type,
      isOptional: json["optional"]?.bool ?? false,
      isTransient: json["transient"]?.bool ?? false,
      derivation: json["derived"]?.string,
      allowsExternalStorage: json["external"]?.bool ?? false,
      rules: ValueRules(
        minimum: bound(json["minimum"], of: type),
        maximum: bound(json["maximum"], of: type),
        pattern: type == .string ? json["pattern"]?.string : nil
      ),
      valueTransformer: json["transformer"]?.string
    )
  }
}

extension ArchiveModel {
  private static func rules(of attribute: Attribute) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    for (name, bound) in [("minimum", attribute.rules.minimum), ("maximum", attribute.rules.maximum)] {
      switch bound {
      case .integer(let integer): members.append((name, .integer(integer)))
      case .double(let number), .date(let number): members.append((name, .number(number)))
      case .decimal(let digits): members.append((name, .string(digits)))
      default: break
      }
    }
    if let pattern = attribute.rules.pattern { members.append(("pattern", .string(pattern))) }
    return members
  }

  /// Returns the bound of an attribute's values; `nil` for a type without bounds.
  private static func bound(_ json: JSONValue?, of type: AttributeType) -> Value? {
    switch type.boundType {
    case .integer16, .integer32, .integer64: json?.integer.map(Value.integer)
    case .double, .float: json?.double.map(Value.double)
    case .date: json?.double.map(Value.date)
    case .decimal: json?.string.map(Value.decimal)
    default: nil
    }
  }
}

extension AttributeType {
  /// Returns the type called `name`; `nil` if there is none.
  fileprivate init?(name: String, parts: [Attribute]) {
    let simple: [AttributeType] = [
      .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
      .date, .binary, .uuid, .uri, .transformable, .objectID,
    ]
    if name == "composite" {
      self = .composite(parts)
    } else if let type = simple.first(where: { $0.name == name }) {
      self = type
    } else {
      return nil
    }
  }
}
