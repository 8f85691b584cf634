public import DecantBase

/// The Swift types of a model: a structure for each entity, with typed fields for conditions.
///
/// The same model always gives the same text. The structures leave out binary attributes, because pictures should not
/// be read with every object; use them in conditions or read them with ``Store/bytes(of:_:)``.
public struct SwiftTypes: Sendable {
  /// The model.
  public let model: DataModel
  /// Whether the types are `public`, for a separate module.
  public var isPublic = false
  private let names: [String: String]

  /// Creates the generator for a model.
  public init(_ model: DataModel) {
    self.model = model
    // Names that the generated types use themselves.
    var free = SwiftName(taken: [
      "Fields", "Field", "ToOne", "ToMany", "ObjectID", "Store", "Objects", "ObjectSource", "StoreDate", "StoreUUID",
      "EntityObject",
      "ObjectRow", "ObjectPath", "ObjectFields", "DecantError", "StoreRecord", "Decant", "String", "Bool", "Int16",
      "Int32",
      "Int64", "UInt8", "Double", "Float",
    ])
    names = Dictionary(uniqueKeysWithValues: model.entities.map(\.name).sorted().map { ($0, free.type($0)) })
  }

  /// Returns the source text.
  ///
  /// The first line names `origin`, the file that the model was read from, without its folder, so that the text does
  /// not depend on where the file is.
  public func text(from origin: String) -> String {
    var lines = [
      "// Made by “decant generate swift \(origin.commentText)”. Changes are lost when it is made again.",
      "// swift-format-ignore-file", "",
      (isPublic ? "public " : "") + "import Decant",
    ]
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      lines += [""] + EntityType(entity, self).lines
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the type name of an entity.
  func type(of entity: String) -> String { names[entity] ?? "StoreRecord" }

  var access: String { isPublic ? "public " : "" }
}

/// The generated type of one entity.
private struct EntityType {
  private let entity: Entity
  private let types: SwiftTypes
  private let values: [Value]
  private let hidden: [Value]
  private let links: [Link]
  private let id: String

  private struct Value {
    let name, swift, type, text: String
    let isOptional: Bool
  }

  private struct Link {
    let name, swift, target, text: String
    let isToMany: Bool
    let isOptional: Bool
  }

  init(_ entity: Entity, _ types: SwiftTypes) {
    (self.entity, self.types) = (entity, types)
    let model = types.model
    var names = SwiftName(taken: ["entity", "properties", "objectPath"])
    let attributes = model.attributes(of: entity.name).filter { !$0.isTransient }.sorted { $0.name < $1.name }
    let relationships = model.relationships(of: entity.name).filter { !$0.isTransient }.sorted { $0.name < $1.name }
    let hasID = (attributes.map(\.name) + relationships.map(\.name)).contains("id")
    id = hasID ? names.property("objectID") : names.property("id")
    let all = attributes.compactMap { attribute in
      SwiftType(attribute.type).map { type in
        Value(
          name: attribute.name,
          swift: names.property(attribute.name),
          type: type.name,
          text: type.comment,
          isOptional: attribute.isOptional
        )
      }
    }
    values = all.filter { $0.type != SwiftType.bytes }
    hidden = all.filter { $0.type == SwiftType.bytes }
    links = relationships.map { relationship in
      Link(
        name: relationship.name,
        swift: names.property(relationship.name),
        target: types.type(of: relationship.destination),
        text: relationship.destination,
        isToMany: relationship.isToMany,
        isOptional: relationship.isOptional
      )
    }
  }

  private var ones: [Link] { links.filter { !$0.isToMany } }

  var lines: [String] {
    let (access, name) = (types.access, types.type(of: entity.name))
    var lines = ["/// An object of the entity \(entity.name.commentText)."]
    lines.append("\(access)struct \(name): EntityObject {")
    lines += [
      "  \(access)static let entity = \(entity.name.swiftLiteral)",
      "  \(access)static let properties: [String]? = [\((values.map(\.name) + ones.map(\.name)).map(\.swiftLiteral).joined(separator: ", "))]",
      "",
      "  /// The object's key.",
      "  \(access)let \(id): ObjectID<\(name)>",
    ]
    for value in values {
      if !value.text.isEmpty { lines.append("  /// \(value.text)") }
      lines.append("  \(access)let \(value.swift): \(value.type)\(value.isOptional ? "?" : "")")
    }
    for link in ones {
      lines.append("  /// The key of its \(link.text.commentText).")
      lines.append("  \(access)let \(link.swift): ObjectID<\(link.target)>\(link.isOptional ? "?" : "")")
    }
    lines += [""] + initializer
    for link in links where link.isToMany { lines += [""] + list(link) }
    lines += [""] + fields + ["}"]
    return lines
  }

  private var initializer: [String] {
    var lines = [
      "  \(types.access)init(_ row: borrowing ObjectRow) throws(DecantError) {", "    self.\(id) = try row.id()",
    ]
    let all = values.map { ($0.swift, $0.isOptional) } + ones.map { ($0.swift, $0.isOptional) }
    for (index, (name, isOptional)) in all.enumerated() {
      lines.append("    self.\(name) = try row.\(isOptional ? "optional" : "value")(\(index))")
    }
    return lines + ["  }"]
  }

  private func list(_ link: Link) -> [String] {
    [
      "  /// Its \(link.name.commentText), in the order of the list where it has one.",
      "  \(types.access)func \(link.swift)(in source: some ObjectSource) -> Objects<\(link.target)> {",
      "    source.objects(\(link.target).self, of: \(id), \(link.name.swiftLiteral))",
      "  }",
    ]
  }

  private var fields: [String] {
    let access = types.access
    var lines = [
      "  /// The fields for conditions and orders.",
      "  \(access)struct Fields: ObjectFields {",
      "    private let objectPath: ObjectPath",
      "    \(access)init(_ path: ObjectPath) { objectPath = path }",
      "    \(access)var \(id): Field<ObjectID<\(types.type(of: entity.name))>> { objectPath.id() }",
    ]
    for value in values + hidden {
      lines.append(
        "    \(access)var \(value.swift): Field<\(value.type)> { objectPath.field(\(value.name.swiftLiteral)) }")
    }
    for link in links {
      let (type, maker) = link.isToMany ? ("ToMany", "many") : ("ToOne", "one")
      lines.append(
        "    \(access)var \(link.swift): \(type)<\(link.target)> { objectPath.\(maker)(\(link.name.swiftLiteral)) }")
    }
    return lines + ["  }"]
  }
}

/// The Swift type of an attribute's values.
private struct SwiftType {
  let name: String
  var comment = ""

  static let bytes = "[UInt8]"

  /// Returns `nil` for types that have no column in a store.
  init?(_ type: AttributeType) {
    switch type {
    case .integer16: name = "Int16"
    case .integer32: name = "Int32"
    case .integer64: name = "Int64"
    case .decimal: (name, comment) = ("Double", "A decimal, which SQLite holds as a binary number.")
    case .double: name = "Double"
    case .float: name = "Float"
    case .string: name = "String"
    case .uri: (name, comment) = ("String", "A URI.")
    case .boolean: name = "Bool"
    case .date: name = "StoreDate"
    case .uuid: name = "StoreUUID"
    case .binary, .transformable: name = SwiftType.bytes
    case .undefined, .objectID, .composite: return nil
    }
  }
}
