internal import DecantBase
internal import DecantPropertyList

/// Reads a compiled mapping model, a `.cdm`: the keyed archive of an `NSMappingModel`.
///
/// - Source: `.cdm` files of apps; Formats, “Mapping models”.
struct CompiledMappingModel {
  private let place: String
  private var expressions: ArchivedMappingExpression
  private var propertyCount = 0

  /// The limits, far above any real mapping model.
  static let mostEntityMappings = 15_999
  static let mostPropertyMappings = 100_000

  static func read(_ bytes: [UInt8], place: String) throws(DecantError) -> MappingModel {
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(bytes)
    } catch {
      throw MappingModelFile.damaged("\(error)", place, cause: error)
    }
    guard let root = archive.root, let nodes = root["NSEntityMappings"]?.elements else {
      let isModel = archive.root?.className == "NSManagedObjectModel"
      throw DecantError(
        .modelDamaged,
        "“\(ModelFile(place).name)” is \(isModel ? "a model, " : "")not a mapping model",
        place: place,
        remedy: "use a .cdm file or an .xcmappingmodel folder"
      )
    }
    guard nodes.count <= mostEntityMappings else {
      throw MappingModelFile.damaged("it has too many entity mappings", place)
    }
    var reader = CompiledMappingModel(place: place)
    var mappings: [MappingModel.EntityMapping] = []
    for node in nodes { mappings.append(try reader.entityMapping(node)) }
    return MappingModel(place: place, entityMappings: mappings)
  }

  private init(place: String) {
    self.place = place
    expressions = ArchivedMappingExpression(place: place)
  }

  private mutating func entityMapping(_ node: KeyedArchive.Node) throws(DecantError) -> MappingModel.EntityMapping {
    guard let name = node["NSMappingName"]?.string, !name.isEmpty else {
      throw MappingModelFile.damaged("an entity mapping has no name", place)
    }
    let kinds = MappingModel.Kind.allCases
    let number = node["NSMappingType"]?.integer ?? 0
    guard let index = Int(exactly: number), kinds.indices.contains(index) else {
      throw MappingModelFile.damaged("\(name) has the unknown type \(number)", place)
    }
    var mapping = MappingModel.EntityMapping(name: name)
    mapping.kind = kinds[index]
    mapping.sourceName = node["NSSourceEntityName"]?.string
    mapping.destinationName = node["NSDestinationEntityName"]?.string
    mapping.sourceHash = node["NSSourceEntityVersionHash"]?.data
    mapping.destinationHash = node["NSDestinationEntityVersionHash"]?.data
    if let expression = node["NSSourceExpression"] {
      mapping.sourceExpression = try expressions.read(expression, name)
    }
    mapping.policy = node["NSEntityMigrationPolicyClassName"]?.string
    mapping.attributes = try properties(node["NSAttributeMappings"], of: name)
    mapping.relationships = try properties(node["NSRelationshipMappings"], of: name)
    mapping.userInfo = Self.texts(node["NSUserInfo"])
    return mapping
  }

  private mutating func properties(_ node: KeyedArchive.Node?, of name: String)
    throws(DecantError) -> [MappingModel.PropertyMapping]
  {
    var properties: [MappingModel.PropertyMapping] = []
    for node in node?.elements ?? [] {
      guard let property = node["NSDestinationPropertyName"]?.string, !property.isEmpty else {
        throw MappingModelFile.damaged("a property in \(name) has no name", place)
      }
      // In a damaged archive entity mappings may share their properties, so the properties read are counted.
      propertyCount += 1
      guard propertyCount <= Self.mostPropertyMappings else {
        throw MappingModelFile.damaged("it has too many property mappings", place)
      }
      var mapping = MappingModel.PropertyMapping(property, .nothing)
      if let expression = node["NSValueExpression"] {
        mapping.value = .expression(try expressions.read(expression, "\(name).\(property)"))
      }
      if node["NSPropertyTransforms"] != nil { mapping.unknown = ["NSPropertyTransforms"] }
      properties.append(mapping)
    }
    return properties.sorted { $0.name < $1.name }
  }

  /// Returns the string entries of an archived dictionary.
  static func texts(_ node: KeyedArchive.Node?) -> [String: String] {
    // Developers enter this dictionary by hand, so it is never long.
    guard let entries = node?.entries, entries.count <= 1000 else { return [:] }
    let texts = entries.compactMap { key, value in
      key.string.flatMap { key in value.string.map { (key, $0) } }
    }
    return Dictionary(texts) { first, _ in first }
  }
}
