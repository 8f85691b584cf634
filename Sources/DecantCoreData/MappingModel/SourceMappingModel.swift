internal import DecantBase
internal import DecantPropertyList

/// Reads a mapping model as edited in Xcode: the `xcmapping.xml` of an `.xcmappingmodel`.
///
/// Values that the developer did not enter are left to the compiler, and are `automatic` here.
///
/// - Source: mapping models as Xcode writes them; Formats, “Mapping models”.
struct SourceMappingModel {
  private let place: String
  private let store: EditedObjects
  private var expressions: ArchivedMappingExpression

  /// The settings that are read, or are irrelevant for a migration.
  private static let knownOfEntities: Set<String> = [
    "name", "sourcename", "destinationname", "mappingtypename", "mappingnumber",
    "migrationpolicyclassname", "userinfodata", "sourceexpressiondata",
    "sourcefilterpredicatestring", "autogenerateexpression",
  ]
  private static let knownOfProperties: Set<String> = [
    "name", "valueexpressiondata", "sourcekeypath", "sourcemappingname", "autogenerateexpression",
    "userinfodata",
  ]

  static func read(_ bytes: [UInt8], place: String) throws(DecantError) -> MappingModel {
    let store = try EditedObjects(bytes, place: place)
    let roots = store.objects.values.filter { $0.type == "XDDEVMAPPINGMODEL" }
    guard let root = roots.first, roots.count == 1 else {
      guard roots.isEmpty else {
        throw MappingModelFile.damaged("it contains more than one mapping model", place)
      }
      throw DecantError(
        .modelDamaged,
        "“\(ModelFile(place).name)” is not a mapping model",
        place: place,
        remedy: "use a .cdm file or an .xcmappingmodel folder"
      )
    }
    var reader = SourceMappingModel(place: place, store: store)
    return try reader.model(root)
  }

  private init(place: String, store: EditedObjects) {
    self.place = place
    self.store = store
    expressions = ArchivedMappingExpression(place: place)
  }

  private mutating func model(_ root: EditedObject) throws(DecantError) -> MappingModel {
    // Objects deleted in the editor may still be in the file, without a relationship back to the root.
    let objects = try store.targets(of: root, "entitymappings")
    var mappings: [(number: Int, mapping: MappingModel.EntityMapping)] = []
    for object in objects {
      let number = object.value("mappingnumber").flatMap { Int($0) } ?? Int.max
      mappings.append((number, try entityMapping(object)))
    }
    mappings.sort {
      $0.number == $1.number ? $0.mapping.name < $1.mapping.name : $0.number < $1.number
    }
    var model = MappingModel(place: place, entityMappings: mappings.map(\.mapping))
    model.source = try recorded(root, "source")
    model.destination = try recorded(root, "destination")
    return model
  }

  private func recorded(_ root: EditedObject, _ side: String) throws(DecantError) -> MappingModel.RecordedModel? {
    let path = root.value(side + "modelpath")
    let bytes = try store.bytes(of: root, side + "modeldata")
    guard path != nil || bytes != nil else { return nil }
    return MappingModel.RecordedModel(path: path ?? "", properties: bytes.flatMap { RecordedProperties.read($0) })
  }

  private mutating func entityMapping(_ object: EditedObject) throws(DecantError) -> MappingModel.EntityMapping {
    guard object.type == "XDDEVENTITYMAPPING" else {
      throw damaged("an entity mapping is of type \(object.type)", object)
    }
    let (source, destination) = (object.value("sourcename"), object.value("destinationname"))
    guard let only = destination ?? source else {
      throw damaged("an entity mapping names no entity", object)
    }
    let both = source.flatMap { source in destination.map { "\(source)To\($0)" } }
    var mapping = MappingModel.EntityMapping(name: object.value("name") ?? both ?? only)
    mapping.sourceName = source
    mapping.destinationName = destination
    mapping.kind = try kind(object)
    mapping.policy = object.value("migrationpolicyclassname")
    mapping.sourceExpression = try sourceExpression(object, mapping)
    for property in try store.targets(of: object, "attributemappings") {
      mapping.attributes.append(try self.property(property, "XDDEVATTRIBUTEMAPPING", mapping.name))
    }
    for property in try store.targets(of: object, "relationshipmappings") {
      mapping.relationships.append(try self.property(property, "XDDEVRELATIONSHIPMAPPING", mapping.name))
    }
    mapping.attributes.sort { $0.name < $1.name }
    mapping.relationships.sort { $0.name < $1.name }
    if let bytes = try store.bytes(of: object, "userinfodata") {
      mapping.userInfo = CompiledMappingModel.texts(try root(of: bytes, "userinfodata", object))
    }
    mapping.unknown = unknown(object, Self.knownOfEntities)
    return mapping
  }

  private func kind(_ object: EditedObject) throws(DecantError) -> MappingModel.Kind {
    guard let name = object.value("mappingtypename") else { return .undefined }
    guard let kind = MappingModel.Kind(rawValue: name.lowercased()) else {
      throw damaged("an entity mapping has the unknown type “\(name)”", object)
    }
    return kind
  }

  private mutating func sourceExpression(
    _ object: EditedObject,
    _ mapping: MappingModel.EntityMapping
  ) throws(DecantError) -> MappingExpression? {
    if let bytes = try store.bytes(of: object, "sourceexpressiondata") {
      return try expressions.read(try root(of: bytes, "sourceexpressiondata", object), mapping.name)
    }
    guard let source = mapping.sourceName else { return nil }
    return .objects(of: source, where: object.value("sourcefilterpredicatestring") ?? "TRUEPREDICATE")
  }

  private mutating func property(_ object: EditedObject, _ type: String, _ mapping: String)
    throws(DecantError) -> MappingModel.PropertyMapping
  {
    guard object.type == type else {
      throw damaged("a property of \(mapping) is of type \(object.type)", object)
    }
    guard let name = object.value("name") else {
      throw damaged("a property of \(mapping) has no name", object)
    }
    var property = MappingModel.PropertyMapping(name, .automatic)
    property.unknown = unknown(object, Self.knownOfProperties)
    if let bytes = try store.bytes(of: object, "valueexpressiondata") {
      let node = try root(of: bytes, "valueexpressiondata", object)
      property.value = .expression(try expressions.read(node, "\(mapping).\(name)"))
      return property
    }
    let path = object.value("sourcekeypath")
    let through = object.value("sourcemappingname")
    guard path != nil || through != nil else { return property }
    var keyPath: MappingExpression?
    if let path {
      do throws(PredicateText.Mistake) {
        keyPath = try PredicateText.expression(path)
      } catch {
        throw damaged("the key path of \(mapping).\(name) “\(path)”: \(error)", object)
      }
    }
    property.value = .links(keyPath: keyPath, mapping: through)
    return property
  }

  private func root(of bytes: [UInt8], _ name: String, _ object: EditedObject)
    throws(DecantError) -> KeyedArchive.Node
  {
    do throws(PropertyListError) {
      guard let root = try KeyedArchive(bytes).root else {
        throw PropertyListError("the archive is empty")
      }
      return root
    } catch {
      throw damaged("\(name): \(error)", object)
    }
  }

  private func unknown(_ object: EditedObject, _ known: Set<String>) -> [String] {
    object.values.filter { !$0.value.isEmpty && !known.contains($0.key) }.keys.sorted()
  }

  private func damaged(_ message: String, _ object: EditedObject) -> DecantError {
    MappingModelFile.damaged("\(message) (object \(object.id), line \(object.line))", place)
  }
}
