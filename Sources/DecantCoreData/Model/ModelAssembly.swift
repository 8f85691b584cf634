package import DecantBase

/// Builds a model from the entities of a file, and throws if it is inconsistent.
///
/// A file may repeat inherited properties in subentities, as Core Data's model cache does. A damaged file may also
/// refer to entities that do not exist, or contain cycles. All other parts of decant rely on a consistent model.
package struct ModelAssembly {
  /// The place of the file, for errors.
  private let place: String
  private let entities: [String: Entity]

  /// The maximum number of entities: they are numbered below 16,000; higher numbers are reserved by Core Data.
  static let largestEntityCount = 15_999
  /// The maximum number of properties; the largest model seen has 1,386, with inherited ones in each subentity.
  static let largestPropertyCount = 100_000
  /// The maximum depth of inheritance; the deepest seen has three levels.
  private static let deepestInheritance = 100

  /// Returns the model of `entities`, each with its own properties only.
  package static func model(
    of entities: [Entity],
    versionIdentifiers: [String],
    place: String
  ) throws(DecantError) -> Model {
    let assembly = try ModelAssembly(entities, place: place)
    var own: [Entity] = []
    for entity in entities {
      let ancestors = try assembly.ancestors(of: entity)
      try assembly.checkNames(of: entity)
      own.append(assembly.withoutInherited(entity, ancestors))
    }
    let model = Model(entities: own, versionIdentifiers: versionIdentifiers)
    for entity in model.entities {
      for relationship in entity.relationships {
        try assembly.check(relationship, of: entity, in: model)
      }
    }
    return model
  }

  private init(_ list: [Entity], place: String) throws(DecantError) {
    var entities: [String: Entity] = [:]
    for entity in list {
      guard !entity.name.isEmpty else {
        throw ModelAssembly.damaged("an entity has no name", place)
      }
      guard entities.updateValue(entity, forKey: entity.name) == nil else {
        throw ModelAssembly.damaged("two entities have the name “\(entity.name)”", place)
      }
    }
    self.place = place
    self.entities = entities
    let propertyCount = list.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard list.count <= Self.largestEntityCount, propertyCount <= Self.largestPropertyCount else {
      throw damaged("the model has too many entities or properties")
    }
  }

  /// Returns the parents of `entity`, nearest first.
  private func ancestors(of entity: Entity) throws(DecantError) -> [Entity] {
    var ancestors: [Entity] = []
    var next = entity
    while let name = next.superentity {
      guard let parent = entities[name] else {
        throw damaged("entity \(next.name) inherits from “\(name)”, which does not exist")
      }
      guard parent.name != entity.name, ancestors.count < Self.deepestInheritance else {
        throw damaged("entity \(entity.name) inherits from itself or has too many ancestors")
      }
      ancestors.append(parent)
      next = parent
    }
    return ancestors
  }

  private func checkNames(of entity: Entity) throws(DecantError) {
    var names: Set<String> = []
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      guard !name.isEmpty else { throw damaged("a property of entity \(entity.name) has no name") }
      guard names.insert(name).inserted else {
        throw damaged("two properties of entity \(entity.name) have the name “\(name)”")
      }
    }
  }

  private func withoutInherited(_ entity: Entity, _ ancestors: [Entity]) -> Entity {
    guard !ancestors.isEmpty else { return entity }
    var own = entity
    for ancestor in ancestors {
      let inherited = Set(ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name))
      own.attributes.removeAll { inherited.contains($0.name) }
      own.relationships.removeAll { inherited.contains($0.name) }
      own.uniquenessConstraints.removeAll(where: ancestor.uniquenessConstraints.contains)
      own.compoundIndexes.removeAll(where: ancestor.compoundIndexes.contains)
    }
    return own
  }

  private func check(_ relationship: Relationship, of entity: Entity, in model: Model) throws(DecantError) {
    let (name, destination) = (relationship.name, relationship.destination)
    guard model[destination] != nil else {
      throw damaged(
        "relationship \(name) of entity \(entity.name) has the destination “\(destination)”, "
          + "which does not exist"
      )
    }
    guard relationship.inverse == nil || model.inverse(of: relationship) != nil else {
      throw damaged(
        "the inverse “\(relationship.inverse ?? "")” of relationship \(name) "
          + "of entity \(entity.name) does not exist"
      )
    }
  }

  private func damaged(_ message: String) -> DecantError {
    Self.damaged(message, place)
  }

  /// Returns the error for an inconsistent model.
  static func damaged(_ message: String, _ place: String) -> DecantError {
    DecantError(
      .modelDamaged,
      "the model is damaged: \(message)",
      place: place,
      remedy: "use an undamaged copy of the model"
    )
  }
}
