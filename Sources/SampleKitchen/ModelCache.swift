import DecantContainers
import DecantPropertyList

/// The model of a store as the store itself keeps it, in `Z_MODELCACHE`: a keyed archive of an
/// `NSManagedObjectModel`, deflated without a header.
struct ModelCache {
  private let schema: Schema
  /// The entities in the order of the archive, which is that of their names.
  private let entities: [SchemaEntity]
  var archive = KeyedArchiveWriter()
  private let model: PropertyList
  private let userInfo: PropertyList
  private var entityReferences: [String: PropertyList] = [:]
  private var propertyReferences: [String: PropertyList] = [:]

  private init(_ schema: Schema) {
    self.schema = schema
    entities = schema.entities.sorted { $0.name < $1.name }
    model = archive.reserve()
    userInfo = archive.dictionary([], .dictionary)
    for entity in entities { entityReferences[entity.name] = archive.reserve() }
    for entity in entities {
      let properties =
        schema.attributes(of: entity.name).map(\.name)
        + schema.relationships(of: entity.name).map(\.name)
      for name in properties { propertyReferences["\(entity.name).\(name)"] = archive.reserve() }
    }
  }

  /// Returns the content of the table's only row.
  static func bytes(of schema: Schema) throws(ContainerError) -> [UInt8] {
    try Deflate.deflate(archive(of: schema), format: .raw, level: 9)
  }

  /// Returns the archive itself.
  static func archive(of schema: Schema) -> [UInt8] {
    var cache = ModelCache(schema)
    cache.fillModel()
    for entity in cache.entities { cache.fill(entity) }
    return cache.archive.bytes(root: cache.model)
  }

  private mutating func fillModel() {
    let names = entities.map { archive.string($0.name) }
    let strategy = archive.object(
      KeyedArchiveWriter.Class("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"),
      [
        "keys": archive.collection(names, .array),
        "length": .integer(Int64(names.count)),
        "version": .integer(1),
      ]
    )
    let known = archive.object(
      KeyedArchiveWriter.Class(
        "NSKnownKeysDictionary1",
        "NSKnownKeysDictionary",
        "NSMutableDictionary",
        "NSDictionary"
      ),
      [
        "searchMapping": strategy,
        "values": archive.collection(entities.map { reference($0.name) }, .array),
        "emptyToken": archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__"),
        "version": .integer(1),
      ]
    )
    let identifiers = schema.versionIdentifiers.map { archive.string($0) }
    archive.fill(
      model,
      KeyedArchiveWriter.Class("NSManagedObjectModel"),
      [
        "NSEntities": known,
        "NSFetchRequestTemplates": KeyedArchiveWriter.null,
        "NSVersionIdentifiers": archive.collection(identifiers, .set),
      ]
    )
  }

  func reference(_ entity: String?) -> PropertyList {
    entity.flatMap { entityReferences[$0] } ?? KeyedArchiveWriter.null
  }

  func reference(_ property: String, of entity: String) -> PropertyList {
    propertyReferences["\(entity).\(property)"] ?? KeyedArchiveWriter.null
  }

  private mutating func fill(_ entity: SchemaEntity) {
    let attributes = schema.attributes(of: entity.name)
    let relationships = schema.relationships(of: entity.name)
    let name = archive.string(entity.name)
    let children = entities.filter { $0.parent == entity.name }
    // A sub-entity repeats what it inherits, as its own copy of each property.
    let properties = (attributes.map(\.name) + relationships.map(\.name)).map {
      ($0, reference($0, of: entity.name))
    }
    var fields: [String: PropertyList] = [
      "NSEntityName": name,
      "NSClassNameForEntity": name,
      "NSRenamingIdentifier": name,
      "NSManagedObjectModel": model,
      "NSSuperentity": reference(entity.parent),
      "NSSubentities": archive.dictionary(children.map { ($0.name, reference($0.name)) }, .mutableDictionary),
      "NSProperties": archive.dictionary(properties, .mutableDictionary),
      "NSUserInfo": userInfo,
      "NSVersionHashModifier": KeyedArchiveWriter.null,
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
    let type = KeyedArchiveWriter.Class("NSEntityDescription")
    archive.fill(reference(entity.name), type, fields)
    for attribute in attributes { fill(attribute, of: entity.name) }
    for relationship in relationships { fill(relationship, of: entity.name) }
  }
}
